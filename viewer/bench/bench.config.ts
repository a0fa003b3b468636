import { defineConfig } from "@playwright/test";
import { browser } from "../playwright.config";

export default defineConfig({
  testDir: ".",
  testMatch: `${process.env.WHAT ?? "bench"}.ts`,
  outputDir: "../test-results",
  workers: 1,
  timeout: 120_000,
  reporter: [["line"]],
  use: { browserName: "chromium", launchOptions: browser },
});
