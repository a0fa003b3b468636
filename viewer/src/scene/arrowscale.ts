/** How long arrows are: chosen once from the forces of the run, so that arrows can be compared over time. */
import type { FrameStore } from "../model/frames";
import { CONTACT, Contact } from "../stream/frames";

/** Frames looked at. */
const SAMPLES = 400;

/**
 * A force that is typical of the large ones [N]: the 90th percentile over frames.
 * The greatest would be an impact's, beside which resting contacts could not be seen.
 */
export function typicalForce(frames: FrameStore): number {
  const forces: number[] = [];
  const step = Math.max(1, Math.floor(frames.count / SAMPLES));
  for (let number = 0; number < frames.count; number += step) {
    const { block, index } = frames.frame(number);
    let greatest = 0;
    for (let c = block.contactStarts[index]; c < block.contactStarts[index + 1]; c++) {
      const i = c * CONTACT + Contact.NORMAL;
      greatest = Math.max(greatest, Math.hypot(block.contacts[i], block.contacts[i + 1], block.contacts[i + 2]));
    }
    if (greatest > 0) forces.push(greatest);
  }
  forces.sort((a, b) => a - b);
  return forces[Math.floor(0.9 * (forces.length - 1))] ?? 0;
}
