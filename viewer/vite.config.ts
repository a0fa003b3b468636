// Builds the page into one file: script and style are put inside, and the hash of the sources is written into its head.
import { createHash } from "node:crypto";
import { readdirSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { defineConfig, type Plugin } from "vite";

const root = import.meta.dirname;

/** Files that the bundle depends on, relative to this folder, sorted by their paths. */
function sources(): string[] {
  const own = readdirSync(join(root, "src"), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(root.length + 1).replaceAll("\\", "/"));
  const files = [...own, "index.html", "package.json", "package-lock.json", "tsconfig.json", "vite.config.ts"];
  // By bytes, not by locale, so that every machine sorts alike.
  return files.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
}

/** SHA-256 over path, NUL, bytes, NUL of each source: how a stale bundle is told. */
function sourceHash(): string {
  const hash = createHash("sha256");
  for (const path of sources()) hash.update(path).update("\0").update(readFileSync(join(root, path))).update("\0");
  return hash.digest("hex");
}

/** Puts the script and the style into the page and writes the hash. */
function singleFile(): Plugin {
  return {
    name: "fender-single-file",
    enforce: "post",
    generateBundle(_options, bundle) {
      const page = bundle["index.html"];
      if (page?.type !== "asset") throw new Error("the build has no index.html");
      let html = String(page.source).replaceAll("\r\n", "\n");
      for (const [name, item] of Object.entries(bundle)) {
        if (item === page) continue;
        const text = item.type === "chunk" ? item.code : String(item.source);
        const tag = item.type === "chunk"
          ? new RegExp(`[ \\t]*<script[^>]*src="\\./${name}"[^>]*></script>\\n?`)
          : new RegExp(`[ \\t]*<link[^>]*href="\\./${name}"[^>]*>\\n?`);
        if (!tag.test(html)) throw new Error(`the page does not load ${name}`);
        if (item.type === "chunk") {
          // At the end of the body: the embedded streams come before it and are there when it runs.
          const script = `<script type="module">${text.replaceAll("</script", "<\\/script")}</script>\n</body>`;
          html = html.replace(tag, "").replace("</body>", () => script);
        } else {
          html = html.replace(tag, () => `<style>${text}</style>\n`);
        }
        delete bundle[name];
      }
      page.source = html.replace("%FENDER_BUNDLE%", sourceHash());
    },
  };
}

export default defineConfig({
  root,
  base: "./",
  plugins: [singleFile()],
  build: {
    outDir: "dist",
    emptyOutDir: true,
    target: "es2022",
    modulePreload: false,
    assetsInlineLimit: Number.MAX_SAFE_INTEGER,
    cssCodeSplit: false,
    chunkSizeWarningLimit: 2000,
    rolldownOptions: { output: { codeSplitting: false, entryFileNames: "viewer.js", assetFileNames: "[name][extname]" } },
  },
});
