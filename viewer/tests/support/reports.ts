/** Reports and pages for tests: of real runs by the program in FENDER_BIN, or of made-up scenes. */
import { execFileSync } from "node:child_process";
import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { fileURLToPath, pathToFileURL } from "node:url";
import { page } from "./encoder";

const here = dirname(fileURLToPath(import.meta.url));
export const bundle = readFileSync(join(here, "../../dist/index.html"), "utf8");
const folder = mkdtempSync(join(tmpdir(), "fender-viewer-"));
const DATA = /<script type="application\/vnd\.fender\.stream"[^]*?<\/script>|<script type="application\/json" id="fender-page">[^]*?<\/script>/g;

/** The program, or a refusal that says what is missing. */
export function program(): string {
  const path = process.env.FENDER_BIN;
  if (!path || !existsSync(path)) throw new Error("set FENDER_BIN to the path of the fender program: these tests show real runs");
  return path;
}

function hashOf(html: string): string | undefined {
  return /<meta name="fender-bundle" content="([^"]*)"/.exec(html)?.[1];
}

/** The same data in the bundle under test, if the program has an older one inside: so the page can be worked on without building the engine. */
export function withBundle(html: string): string {
  if (hashOf(html) === hashOf(bundle)) return html;
  return bundle.replace("<!--fender:data-->", () => (html.match(DATA) ?? []).join("\n"));
}

export interface Report {
  url: string;
  /** Results folder. */
  folder: string;
}

const made = new Map<string, Report>();

/** Runs a scenario that is given as text and returns its report. */
export function reportOf(name: string, text: string): Report {
  const file = join(folder, `${name}.toml`);
  writeFileSync(file, text);
  return report(name, file);
}

/** Runs a shipped scenario, or one from a file (once), and returns its report. */
export function report(scenario: string, file = scenario): Report {
  let known = made.get(scenario);
  if (!known) {
    const out = join(folder, scenario);
    // 1 is for an expectation missed, which is a report as well.
    execFileSync(program(), ["run", file, "--out", out], { stdio: "ignore" });
    const html = withBundle(readFileSync(join(out, "report.html"), "utf8"));
    known = { url: write(`${scenario}.html`, html), folder: out };
    made.set(scenario, known);
  }
  return known;
}

export function write(name: string, html: string): string {
  mkdirSync(folder, { recursive: true });
  const path = join(folder, name);
  writeFileSync(path, html);
  return pathToFileURL(path).href;
}

/** A page with made-up streams. */
export function pageOf(name: string, ...streams: Uint8Array[]): string {
  return write(`${name}.html`, page(bundle, streams.map((bytes, i) => ({ name: streams.length > 1 ? `run ${i + 1}` : "", bytes }))));
}

/** The stream inside a report. */
export function streamOf(html: string): Uint8Array {
  const text = /<script type="application\/vnd\.fender\.stream"[^>]*>([^<]*)</.exec(html)?.[1] ?? "";
  return new Uint8Array(Buffer.from(text.trim(), "base64"));
}
