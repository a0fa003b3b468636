/** Poses of bodies between frames. */
import { Quaternion, Vector3 } from "three";
import { POSE } from "../stream/frames";
import type { Instant } from "./frames";

const other = new Quaternion();

/** Writes a body's pose at an instant; false if the body is absent. On a frame the pose is the recorded one, untouched. */
export function poseAt(instant: Instant, bodies: number, body: number, position: Vector3, orientation: Quaternion): boolean {
  const { before, after, u } = instant;
  const row = before.index * bodies + body;
  if (before.block.absent?.[row]) return false;
  const p = before.block.poses;
  const i = row * POSE;
  position.set(p[i], p[i + 1], p[i + 2]);
  orientation.set(p[i + 3], p[i + 4], p[i + 5], p[i + 6]);
  const next = after.index * bodies + body;
  if (u === 0 || after.block.absent?.[next]) return true;
  const q = after.block.poses;
  const j = next * POSE;
  position.set(p[i] + u * (q[j] - p[i]), p[i + 1] + u * (q[j + 1] - p[i + 1]), p[i + 2] + u * (q[j + 2] - p[i + 2]));
  // Rounding leaves quaternions a little off unit length, which slerp does not like.
  orientation.normalize().slerp(other.set(q[j + 3], q[j + 4], q[j + 5], q[j + 6]).normalize(), u);
  return true;
}
