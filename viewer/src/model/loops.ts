/** Loops: which of them are lines, and when they hold. */
import type { LoopDef } from "../stream/head";
import type { RunEvent } from "../stream/texts";

/** Whether it is a rod, a cylinder or a rope: something to be seen between its points. */
export function isLine(loop: LoopDef): boolean {
  return (loop.kind === "distance" || loop.kind === "rope") && loop.points.length > 1;
}

/** Whether a loop holds at a time, by the events until then that are about it. */
export function holdsAt(loop: LoopDef, events: RunEvent[], time: number): boolean {
  let holds = loop.attached;
  for (const event of events) {
    if (event.time > time) break;
    if (event.loop !== loop.name) continue;
    if (event.kind === "attach") holds = true;
    if (event.kind === "detach" || event.kind === "break") holds = false;
  }
  return holds;
}

/** The events that are about loops; looked for again only when there are more events. */
export class LoopEvents {
  private seen: RunEvent[] = [];
  private length = -1;
  private found: RunEvent[] = [];

  of(events: RunEvent[]): RunEvent[] {
    if (events !== this.seen || events.length !== this.length) {
      this.found = events.filter((event) => event.loop !== "");
      this.seen = events;
      this.length = events.length;
    }
    return this.found;
  }
}
