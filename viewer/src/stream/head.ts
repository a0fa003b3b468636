/** The head of a stream: what there is in the scene. Keys that a reader does not know are left alone. */
import { StreamError } from "./errors";

export type Vec3 = [number, number, number];
/** x y z w */
export type Quat = [number, number, number, number];

export interface ShapeDef {
  shape: "sphere" | "box" | "cylinder" | "capsule" | "ellipsoid" | "cone" | "bore" | "funnel" | "edge" | "torus" | "half_torus" | "link" | "half_space";
  radius: number;
  /** Radius of the bar of a torus or link. */
  tube: number;
  half: Vec3;
  /** Zero for a bore without end; half of the straights of a link. */
  half_height: number;
  half_angle: number;
  position: Vec3;
  orientation: Quat;
}

export interface MeshUse {
  mesh: number;
  position: Vec3;
  orientation: Quat;
  scale: Vec3;
}

export interface BodyDef {
  name: string;
  motion: "free" | "fixed" | "driven";
  /** Whether a joint carries it. */
  jointed: boolean;
  mass: number | null;
  /** Centre of mass in the body's frame [m]. */
  center: Vec3;
  /** sRGB, 0…255. */
  colour: Vec3 | null;
  shapes: ShapeDef[];
  meshes: MeshUse[];
  bounds: { min: Vec3; max: Vec3 } | null;
}

export interface CurveDef {
  name: string;
  radius: number;
}

export interface FieldDef {
  name: string;
  kind: string;
  origin: [number, number];
  spacing: [number, number];
  count: [number, number];
}

export interface JointDef {
  name: string;
  kind: string;
  body: number;
  position: Vec3;
  axis: Vec3;
  /** Of a universal joint: its two axes, each in the frame of the body that it goes with. */
  axes: { body: number; direction: Vec3 }[];
}

/** A point of a body. */
export interface PointDef {
  /** −1 for the world. */
  body: number;
  position: Vec3;
}

export interface LoopDef {
  name: string;
  kind: string;
  driven: boolean;
  /** Whether it holds at the start. */
  attached: boolean;
  points: PointDef[];
  /** In the frame of the first point's body. */
  axis: Vec3 | null;
}

export interface ViewDef {
  name: string;
  eye: Vec3;
  target: Vec3;
  follow: number | null;
  from: number | null;
}

export interface SignalDef {
  name: string;
  unit: string;
  description: string;
}

export interface Head {
  name: string;
  title: string;
  description: string;
  version: string;
  hash: string;
  period: number;
  duration: number;
  gravity: Vec3;
  integrator: string;
  parameters: [string, string][];
  resolution: { length: number; quaternion: number; force: number; depth: number };
  bodies: BodyDef[];
  curves: CurveDef[];
  fields: FieldDef[];
  joints: JointDef[];
  loops: LoopDef[];
  gaps: { a: number; b: number }[];
  views: ViewDef[];
  signals: SignalDef[];
  /** What the page begins with: the names of the signals of each plot; `energy` alone is the energy account. None: the page chooses. */
  plots: string[][];
}

type Json = Record<string, unknown>;

function bad(what: string): never {
  throw new StreamError("damaged", `the head of the recording has ${what}`);
}

function object(value: unknown, what: string): Json {
  return typeof value === "object" && value !== null && !Array.isArray(value) ? (value as Json) : bad(`no ${what}`);
}

function list(json: Json, key: string): Json[] {
  const value = json[key] ?? [];
  return Array.isArray(value) ? value.map((item) => object(item, `proper ${key}`)) : bad(`no list of ${key}`);
}

function text(json: Json, key: string, otherwise = ""): string {
  const value = json[key];
  return typeof value === "string" ? value : otherwise;
}

function number(json: Json, key: string, otherwise: number): number {
  const value = json[key];
  return typeof value === "number" && Number.isFinite(value) ? value : otherwise;
}

function numbers<T extends number[]>(json: Json, key: string, otherwise: T): T {
  const value = json[key];
  if (value === undefined || value === null) return [...otherwise] as T;
  const good = Array.isArray(value) && value.length === otherwise.length && value.every((v) => typeof v === "number" && Number.isFinite(v));
  return good ? (value as T) : bad(`a wrong ${key}`);
}

/** An index into a list, or `null` if it is not given. */
function index(json: Json, key: string, size: number): number | null {
  const value = json[key];
  if (value === undefined || value === null) return null;
  return Number.isInteger(value) && (value as number) >= 0 && (value as number) < size ? (value as number) : bad(`a ${key} out of range`);
}

function required(json: Json, key: string, size: number): number {
  return index(json, key, size) ?? bad(`no ${key}`);
}

/** A body, or −1 for the world. */
function bodyOrWorld(json: Json, size: number): number {
  return json.body === -1 ? -1 : required(json, "body", size);
}

const ZERO: Vec3 = [0, 0, 0];
const ONE: Vec3 = [1, 1, 1];
const UP: Vec3 = [0, 0, 1];
const UPRIGHT: Quat = [0, 0, 0, 1];

function body(json: Json): BodyDef {
  const bounds = json.bounds ? object(json.bounds, "bounds") : null;
  return {
    name: text(json, "name"),
    motion: text(json, "motion", "free") as BodyDef["motion"],
    jointed: false,
    mass: typeof json.mass === "number" ? json.mass : null,
    center: numbers(json, "center", ZERO),
    colour: json.colour ? numbers(json, "colour", ZERO) : null,
    shapes: list(json, "shapes").map((shape) => ({
      shape: text(shape, "shape") as ShapeDef["shape"],
      radius: number(shape, "radius", 0),
      tube: number(shape, "tube", 0),
      half: numbers(shape, "half", ZERO),
      half_height: number(shape, "half_height", 0),
      half_angle: number(shape, "half_angle", 0),
      position: numbers(shape, "position", ZERO),
      orientation: numbers(shape, "orientation", UPRIGHT),
    })),
    meshes: list(json, "meshes").map((mesh) => ({
      mesh: number(mesh, "mesh", 0),
      position: numbers(mesh, "position", ZERO),
      orientation: numbers(mesh, "orientation", UPRIGHT),
      scale: numbers(mesh, "scale", ONE),
    })),
    bounds: bounds && { min: numbers(bounds, "min", ZERO), max: numbers(bounds, "max", ZERO) },
  };
}

/** Reads a head; what is absent gets its default, what is wrong is refused. */
export function parseHead(value: unknown): Head {
  const json = object(value, "head");
  const resolution = object(json.resolution, "resolution");
  const step = (key: string): number => {
    const r = number(resolution, key, 0);
    return r > 0 ? r : bad(`no resolution of ${key}`);
  };
  const bodies = list(json, "bodies").map(body);
  const joints = list(json, "joints").map((j) => ({
    name: text(j, "name"),
    kind: text(j, "kind"),
    body: required(j, "body", bodies.length),
    position: numbers(j, "position", ZERO),
    axis: numbers(j, "axis", UP),
    axes: list(j, "axes").map((a) => ({ body: bodyOrWorld(a, bodies.length), direction: numbers(a, "direction", UP) })),
  }));
  for (const joint of joints) bodies[joint.body].jointed = true;
  const parameters = json.parameters ? object(json.parameters, "parameters") : {};
  return {
    name: text(json, "name"),
    title: text(json, "title") || text(json, "name"),
    description: text(json, "description"),
    version: text(json, "version"),
    hash: text(json, "hash"),
    period: number(json, "period", 0.04),
    duration: number(json, "duration", 0),
    gravity: numbers(json, "gravity", ZERO),
    integrator: text(json, "integrator"),
    parameters: Object.entries(parameters).map(([name, v]) => [name, String(v)]),
    resolution: { length: step("length"), quaternion: step("quaternion"), force: step("force"), depth: step("depth") },
    bodies,
    curves: list(json, "curves").map((c) => ({ name: text(c, "name"), radius: number(c, "radius", 0.01) })),
    fields: list(json, "fields").map((f) => ({
      name: text(f, "name"),
      kind: text(f, "kind", "terrain"),
      origin: numbers(f, "origin", [0, 0] as [number, number]),
      spacing: numbers(f, "spacing", [1, 1] as [number, number]),
      count: numbers(f, "count", [0, 0] as [number, number]),
    })),
    joints,
    loops: list(json, "loops").map((l) => ({
      name: text(l, "name"),
      kind: text(l, "kind"),
      driven: l.driven === true,
      attached: l.attached !== false,
      points: list(l, "points").map((p) => ({ body: bodyOrWorld(p, bodies.length), position: numbers(p, "position", ZERO) })),
      axis: l.axis ? numbers(l, "axis", UP) : null,
    })),
    gaps: list(json, "gaps").map((g) => ({ a: required(g, "a", bodies.length), b: required(g, "b", bodies.length) })),
    views: list(json, "views").map((v) => ({
      name: text(v, "name"),
      eye: numbers(v, "eye", ONE),
      target: numbers(v, "target", ZERO),
      follow: index(v, "follow", bodies.length),
      from: index(v, "from", bodies.length),
    })),
    signals: list(json, "signals").map((s) => ({ name: text(s, "name"), unit: text(s, "unit"), description: text(s, "description") })),
    plots: Array.isArray(json.plots) ? json.plots.map((names) => (Array.isArray(names) ? names.map(String) : bad("a wrong list of plots"))) : [],
  };
}
