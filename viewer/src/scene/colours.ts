/** Colours of the 3D scene. All pairs that carry meaning differ in lightness and hue for every kind of colour vision (blue/orange). */
import { Color } from "three";
import type { BodyDef } from "../stream/head";

export interface ScenePalette {
  zenith: string;
  horizon: string;
  ground: string;
  gridMinor: string;
  gridMajor: string;
  ink: string;
  sun: number;
  sky: number;
}

export const PALETTES: Record<"light" | "dark", ScenePalette> = {
  light: { zenith: "#b4c8de", horizon: "#eef2f6", ground: "#dfe4e9", gridMinor: "#cfd6dd", gridMajor: "#bcc5ce", ink: "#26303b", sun: 2.2, sky: 1.5 },
  dark: { zenith: "#0c1117", horizon: "#222b36", ground: "#232b34", gridMinor: "#2d3742", gridMajor: "#3d4955", ink: "#e8edf2", sun: 2.0, sky: 1.1 },
};

export const STICK = new Color("#1f7fd1");
export const SLIP = new Color("#f08a00");
export const SELECTED = new Color("#ffd24a");

/** Muted, so that arrows and markers stand out against bodies. */
const BODY = ["#7f9cbb", "#c9a46a", "#8fb0a3", "#b58aa5", "#9a9fc4", "#bfb58c", "#86b3c4", "#c2917f"];
const FIXED = "#a7afb8";

export function bodyColour(body: BodyDef, index: number): Color {
  if (body.colour) return new Color().setRGB(body.colour[0] / 255, body.colour[1] / 255, body.colour[2] / 255, "srgb");
  return new Color(body.motion === "fixed" ? FIXED : BODY[index % BODY.length]);
}

/** Runs shown beside the first: Okabe and Ito's colours without the two that contacts use. */
export const RUN_COLOURS = ["#0072b2", "#cc79a7", "#009e73", "#e69f00", "#56b4e9", "#d55e00"];

export function runColour(place: number): string {
  return RUN_COLOURS[place % RUN_COLOURS.length];
}

/** Viridis by five of its points: grows in lightness, so it reads in grey as well. */
const RAMP = ["#440154", "#3b528b", "#21918c", "#5ec962", "#fde725"].map((c) => new Color(c));

export function ramp(value: number, into: Color): Color {
  const x = Math.min(Math.max(value, 0), 1) * (RAMP.length - 1);
  const i = Math.min(Math.floor(x), RAMP.length - 2);
  return into.lerpColors(RAMP[i], RAMP[i + 1], x - i);
}

export const RAMP_CSS = `linear-gradient(to right, ${RAMP.map((c) => `#${c.getHexString()}`).join(", ")})`;
