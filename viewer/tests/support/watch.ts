/** A page that is watched: errors in its console and requests that leave it. */
import { expect, type Page } from "@playwright/test";

export class Watch {
  readonly errors: string[] = [];
  readonly requests: string[] = [];

  constructor(private readonly page: Page) {
    page.on("console", (message) => {
      if (message.type() === "error" || message.type() === "warning") this.errors.push(message.text());
    });
    page.on("pageerror", (error) => this.errors.push(String(error)));
    page.on("request", (request) => {
      if (!/^(data|blob):/.test(request.url())) this.requests.push(request.url());
    });
  }

  /** Opens a page and waits for its first frame. */
  async open(url: string): Promise<void> {
    await this.page.goto(url);
    await this.page.evaluate(() => window.fender.ready);
    await this.page.waitForFunction(() => window.fender.state().loaded);
  }

  /** Nothing was complained about, and nothing but the page itself was asked for. */
  expectQuiet(url: string): void {
    // Drawing in software is slow, and chromium says so when pixels are read back.
    expect(this.errors.filter((text) => !/GPU stall due to ReadPixels/.test(text))).toEqual([]);
    expect(this.requests).toEqual([url]);
  }
}

/** How many colours the 3D view has, looked at coarsely: a blank one has one. */
export async function colours(page: Page): Promise<number> {
  const shot = await page.locator(".viewport canvas").screenshot();
  return page.evaluate(async (data) => {
    // Not by fetching a data URL: the page's policy allows no requests but its own.
    const bytes = Uint8Array.from(atob(data), (c) => c.charCodeAt(0));
    const image = await createImageBitmap(new Blob([bytes], { type: "image/png" }));
    const canvas = new OffscreenCanvas(image.width, image.height);
    const context = canvas.getContext("2d");
    context?.drawImage(image, 0, 0);
    const pixels = context?.getImageData(0, 0, image.width, image.height).data ?? [];
    const seen = new Set<number>();
    for (let i = 0; i < pixels.length; i += 4) seen.add(((pixels[i] >> 4) << 8) | ((pixels[i + 1] >> 4) << 4) | (pixels[i + 2] >> 4));
    return seen.size;
  }, shot.toString("base64"));
}
