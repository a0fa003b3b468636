/** How long arrows are: chosen once from the forces and bodies of the run, so that arrows can be compared over time. */
import type { FrameStore } from "../model/frames";
import { CONTACT, Contact } from "../stream/frames";
import type { BodyDef } from "../stream/head";

/** Frames looked at. */
const SAMPLES = 400;
/** Length of a typical arrow by the size of what touches, and its least and greatest part of the size of the scene. */
const BODIES = 1.2;
const LEAST = 0.1;
const GREATEST = 0.35;
/** Longest arrow of all by the size of the scene: an impact's must not leave the picture. */
export const LONGEST = 0.7;

export interface ArrowScale {
  /**
   * A force that is typical of the large ones [N]: the 90th percentile over frames.
   * The greatest would be an impact's, beside which resting contacts could not be seen.
   */
  force: number;
  /** Size of a typical body that touches another [m]; 0 if none is known. */
  body: number;
}

/** Looks at the contacts of a run. */
export function arrowScale(frames: FrameStore, bodies: BodyDef[]): ArrowScale {
  const forces: number[] = [];
  const touching = new Set<number>();
  const step = Math.max(1, Math.floor(frames.count / SAMPLES));
  for (let number = 0; number < frames.count; number += step) {
    const { block, index } = frames.frame(number);
    let greatest = 0;
    for (let c = block.contactStarts[index]; c < block.contactStarts[index + 1]; c++) {
      const i = c * CONTACT + Contact.NORMAL;
      greatest = Math.max(greatest, Math.hypot(block.contacts[i], block.contacts[i + 1], block.contacts[i + 2]));
      touching.add(block.contacts[c * CONTACT + Contact.A]).add(block.contacts[c * CONTACT + Contact.B]);
    }
    if (greatest > 0) forces.push(greatest);
  }
  forces.sort((a, b) => a - b);
  const sizes = [...touching].flatMap((body) => sizeOf(bodies[body])).sort((a, b) => a - b);
  return { force: forces[Math.floor(0.9 * (forces.length - 1))] ?? 0, body: sizes[Math.floor(sizes.length / 2)] ?? 0 };
}

/** Diagonal of a body that moves; what is fixed may be a floor of any size. */
function sizeOf(body: BodyDef): number[] {
  if (body.motion === "fixed" || !body.bounds) return [];
  const { min, max } = body.bounds;
  return [Math.hypot(max[0] - min[0], max[1] - min[1], max[2] - min[2])];
}

/** Length of the arrow of a typical force [m] in a scene of a size [m]: as large as what touches, if that can be seen. */
export function typicalLength({ body }: ArrowScale, size: number): number {
  return Math.min(Math.max(BODIES * body, LEAST * size), GREATEST * size);
}
