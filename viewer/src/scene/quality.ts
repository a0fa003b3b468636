/** How much detail the graphics can bear, from best to least. Lowered when frames take too long. */

export interface Quality {
  name: string;
  /** Segments around and along a sphere. */
  segments: [number, number];
  /** Size of the shadow map; 0: no shadows. */
  shadow: number;
  /** Most device pixels per CSS pixel. */
  pixelRatio: number;
  /** Physically based, plain diffuse, or all copies of a shape in one mesh lit at its vertices only. */
  material: "fine" | "diffuse" | "merged";
}

export const QUALITIES: Quality[] = [
  { name: "full", segments: [32, 20], shadow: 2048, pixelRatio: 2, material: "fine" },
  { name: "fewer facets, plain materials, small shadow map", segments: [16, 10], shadow: 1024, pixelRatio: 1, material: "diffuse" },
  { name: "few facets, no shadows", segments: [10, 6], shadow: 0, pixelRatio: 1, material: "merged" },
  { name: "few facets, no shadows, half resolution", segments: [8, 5], shadow: 0, pixelRatio: 0.5, material: "merged" },
];

/** How this page is drawn; found out once. */
export const graphics = { software: false };

/** Whether WebGL runs on the processor. */
export function isSoftware(gl: WebGLRenderingContext | WebGL2RenderingContext): boolean {
  const info = gl.getExtension("WEBGL_debug_renderer_info");
  const name = info ? String(gl.getParameter(info.UNMASKED_RENDERER_WEBGL)) : "";
  return /swiftshader|llvmpipe|software|basic render/i.test(name);
}

/** Where to begin: what would surely be slow is not tried. */
export function firstLevel(software: boolean, triangles: number): number {
  if (!software) return 0;
  return triangles > 2e5 ? 2 : 1;
}

/** Watches the time between frames while something moves and says when to lower the detail. */
export class FrameMeter {
  private readonly recent: number[] = [];
  private last = 0;

  /** Frames per second over the last second or so; 0 when nothing was drawn lately. */
  fps(): number {
    if (this.recent.length < 2) return 0;
    return (1000 * this.recent.length) / this.recent.reduce((a, b) => a + b, 0);
  }

  /** A frame was drawn at this time [ms]; true if the last 20, or the last half second if it had fewer, took longer than `limit` each [ms]. */
  tick(now: number, limit: number): boolean {
    const took = now - this.last;
    this.last = now;
    // A pause between is not a slow frame.
    if (took > 1000) {
      this.recent.length = 0;
      return false;
    }
    this.recent.push(took);
    if (this.recent.length > 20) this.recent.shift();
    const long = this.recent.length === 20 || (this.recent.length >= 4 && this.recent.reduce((a, b) => a + b, 0) > 500);
    return long && 1000 / this.fps() > limit;
  }

  reset(): void {
    this.recent.length = 0;
  }
}
