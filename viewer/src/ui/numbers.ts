/** Live numbers of bodies and contacts. */
import { Euler, Quaternion, Vector3 } from "three";
import { poseAt } from "../model/pose";
import type { Run } from "../model/run";
import { CONTACT, Contact, SLIDING } from "../stream/frames";
import { outlineOf } from "../stream/patches";
import { figure, motionText, quantity } from "./format";

export type Row = [name: string, value: string];

const [p, q, a, b] = [new Vector3(), new Quaternion(), new Vector3(), new Vector3()];
const [qa, qb] = [new Quaternion(), new Quaternion()];

function triple(v: Vector3, unit: string): string {
  return `${figure(v.x, 4)}, ${figure(v.y, 4)}, ${figure(v.z, 4)} ${unit}`;
}

/** Speed of a body [m/s]: from its recorded velocity, else from the frames around the time. */
function speed(run: Run, body: number, time: number): { text: string; turning: string } {
  const name = run.head?.bodies[body].name ?? "";
  const parts = ["x", "y", "z"].map((k) => run.signal(`${name}.velocity.${k}`)?.at(time) ?? null);
  const recorded = parts.every((v) => v !== null) ? Math.hypot(...(parts as number[])) : null;
  const frames = run.frames;
  const bodies = run.head?.bodies.length ?? 0;
  if (!frames || frames.count < 2) return { text: quantity(recorded, "m/s", 4), turning: "–" };
  const n = Math.min(frames.numberAt(time), frames.count - 2);
  const [first, second] = [frames.frame(n), frames.frame(n + 1)];
  const dt = frames.timeOf(n + 1) - frames.timeOf(n);
  const both = poseAt({ before: first, after: first, u: 0, number: n }, bodies, body, a, qa) && poseAt({ before: second, after: second, u: 0, number: n }, bodies, body, b, qb);
  if (!both) return { text: "–", turning: "–" };
  return { text: quantity(recorded ?? a.distanceTo(b) / dt, "m/s", 4), turning: quantity(qa.normalize().angleTo(qb.normalize()) / dt, "rad/s", 3) };
}

export function bodyRows(run: Run, body: number, time: number): Row[] {
  const instant = run.frames?.at(time);
  const def = run.head?.bodies[body];
  if (!instant || !def || !run.head) return [];
  const rows: Row[] = [["motion", motionText(def)]];
  if (def.mass !== null) rows.push(["mass", quantity(def.mass, "kg", 4)]);
  if (!poseAt(instant, run.head.bodies.length, body, p, q)) return [...rows, ["state", "absent now"]];
  const angles = new Euler().setFromQuaternion(q.normalize(), "ZYX");
  const degrees = [angles.x, angles.y, angles.z].map((r) => figure((r * 180) / Math.PI, 4));
  rows.push(["position", triple(p, "m")], ["roll, pitch, yaw", `${degrees.join(", ")} °`]);
  if (def.motion !== "fixed") {
    const moving = speed(run, body, time);
    rows.push(["speed", moving.text], ["turning", moving.turning]);
  }
  const { block, index } = instant.before;
  const total = new Vector3();
  let [count, deepest] = [0, 0];
  for (let c = block.contactStarts[index]; c < block.contactStarts[index + 1]; c++) {
    const i = c * CONTACT;
    const isA = block.contacts[i] === body;
    if (!isA && block.contacts[i + 1] !== body) continue;
    count++;
    deepest = Math.max(deepest, block.contacts[i + Contact.DEPTH]);
    for (const at of [Contact.NORMAL, Contact.FRICTION]) total.addScaledVector(a.fromArray(block.contacts, i + at), isA ? 1 : -1);
  }
  rows.push(["contacts", String(count)]);
  if (count > 0) rows.push(["contact force", quantity(total.length(), "N", 4)], ["deepest", quantity(deepest, "m", 3)]);
  return rows;
}

/** An area in the unit in which it reads best. */
export function areaText(area: number): string {
  const [factor, unit] = area >= 0.1 ? [1, "m²"] : area >= 1e-5 ? [1e-4, "cm²"] : [1e-6, "mm²"];
  return `${figure(area / factor, 3)} ${unit}`;
}

/** Of the `nth` contact of two bodies. */
export function contactRows(run: Run, bodyA: number, bodyB: number, nth: number, time: number): Row[] {
  const instant = run.frames?.at(time);
  if (!instant || !run.head) return [];
  const { block, index } = instant.before;
  const data = block.contacts;
  let [i, left] = [-1, nth];
  for (let c = block.contactStarts[index]; c < block.contactStarts[index + 1] && i < 0; c++) {
    if (data[c * CONTACT] === bodyA && data[c * CONTACT + 1] === bodyB && left-- === 0) i = c * CONTACT;
  }
  if (i < 0) return [["state", "not in contact now"]];
  const [normal, friction] = [a.fromArray(data, i + Contact.NORMAL).length(), b.fromArray(data, i + Contact.FRICTION).length()];
  const outline = outlineOf(block, i / CONTACT);
  const radius = data[i + Contact.PATCH];
  const patch: Row[] = [];
  if (outline && outline.pressure !== null) patch.push(["greatest pressure", quantity(outline.pressure, "Pa", 3)]);
  else if (outline) patch.push(["greatest depth", quantity(outline.depth, "m", 3)]);
  if (outline) patch.push(["patch area", areaText(Math.PI * radius * radius)]);
  const rows: Row[] = [
    ["state", data[i + Contact.FLAGS] & SLIDING ? "sliding" : "sticking"],
    ["normal force", quantity(normal, "N", 4)],
    ...patch,
    ["friction force", quantity(friction, "N", 4)],
    ["friction / normal", normal > 0 ? figure(friction / normal, 3) : "–"],
    ["depth", quantity(data[i + Contact.DEPTH], "m", 3)],
    ["point", triple(p.fromArray(data, i + Contact.POINT), "m")],
  ];
  if (!outline && radius > 0) rows.push(["patch radius", quantity(radius, "m", 3)]);
  return rows;
}
