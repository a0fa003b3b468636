import { defineConfig } from "@playwright/test";

/** Debian's chromium, drawing in software, reaching for nothing outside. */
export const browser = {
  executablePath: process.env.CHROMIUM ?? "/usr/bin/chromium",
  args: [
    "--no-sandbox", "--disable-quic", "--no-first-run", "--disable-background-networking", "--disable-component-update", "--disable-sync",
    // A page that a test puts in place of the served one counts as foreign to localhost, whose socket it must still reach.
    "--disable-features=LocalNetworkAccessChecks",
    "--use-angle=swiftshader", "--enable-unsafe-swiftshader", "--ignore-gpu-blocklist",
  ],
};

export default defineConfig({
  testDir: "tests",
  outputDir: "test-results",
  // The machine has two cores and the graphics need them.
  workers: 1,
  // Tests wait for states, never for time. These are only to end one that waits in vain, also on a machine with much else to do.
  timeout: 180_000,
  expect: { timeout: 30_000 },
  // A loaded machine draws in software at a few frames per second; what fails twice is broken.
  retries: process.env.CI ? 1 : 0,
  reporter: [["list"]],
  // The pictures of the book: see pictures.spec.ts.
  snapshotPathTemplate: "../book/src/pictures/{arg}{ext}",
  updateSnapshots: "changed",
  use: { browserName: "chromium", viewport: { width: 1280, height: 720 }, launchOptions: browser },
});
