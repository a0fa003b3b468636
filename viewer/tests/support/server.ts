/** The real `fender view`, started and stopped by tests. */
import type { Page } from "@playwright/test";
import { type ChildProcess, spawn } from "node:child_process";
import { mkdtempSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { program, withBundle } from "./reports";

export class Server {
  private constructor(private readonly child: ChildProcess, readonly url: string) {}

  /** Shows a scenario live. Port 0: any. */
  static start(args: string[], port = 0): Promise<Server> {
    const out = mkdtempSync(join(tmpdir(), "fender-live-"));
    const child = spawn(program(), ["view", ...args, "--no-open", "--port", String(port), "--out", join(out, "run")], {
      stdio: ["ignore", "pipe", "pipe"],
      // A server that comes back is known again by its token.
      env: { ...process.env, FENDER_VIEW_TOKEN: "token-of-the-viewers-tests" },
    });
    return new Promise((resolve, reject) => {
      let said = "";
      const hear = (data: Buffer): void => {
        said += data.toString();
        const url = /http:\/\/127\.0\.0\.1:\d+\/\?token=[\w-]+(?=\n)/.exec(said)?.[0];
        if (url) resolve(new Server(child, url));
      };
      child.stdout?.on("data", hear);
      child.stderr?.on("data", hear);
      child.on("exit", (code) => reject(new Error(`fender view ended with ${code}: ${said}`)));
    });
  }

  get port(): number {
    return Number(new URL(this.url).port);
  }

  stop(): Promise<void> {
    return new Promise((resolve) => {
      // A process that was killed has a signal in place of an exit code.
      if (this.child.exitCode !== null || this.child.signalCode !== null) return resolve();
      this.child.once("exit", () => resolve());
      this.child.kill("SIGKILL");
    });
  }
}

/** Opens a served page with the bundle under test in it. */
export async function openLive(page: Page, url: string): Promise<void> {
  await page.route(url, async (route) => {
    const response = await route.fetch();
    await route.fulfill({ response, body: withBundle(await response.text()) });
  });
  await page.goto(url);
  await page.evaluate(() => window.fender.ready);
}
