/** Marks of events on the timeline: kinds by form, crowds as one mark. */
import type { RunEvent } from "../stream/texts";

/** What is told of a crowd. */
export function countText(count: number): string {
  return count > 99 ? "99+" : String(count);
}

/** Events whose marks would overlap share one, at the first of them. `width` [px] is that of the mark of so many. Events are in order of time. */
export function clusters(events: RunEvent[], position: (time: number) => number, width: (count: number) => number): RunEvent[][] {
  const groups: RunEvent[][] = [];
  for (const event of events) {
    groups.push([event]);
    // A crowd has a number, which takes room: one that grows may reach the one before it.
    while (groups.length > 1) {
      const [before, last] = groups.slice(-2);
      if (position(last[0].time) - position(before[0].time) >= (width(before.length) + width(last.length)) / 2) break;
      for (const later of last) before.push(later);
      groups.pop();
    }
  }
  return groups;
}

/** The parts that a recording says it has. */
export function chapters(events: RunEvent[]): RunEvent[] {
  return events.filter((event) => event.kind === "chapter");
}

/** The part that a time belongs to. */
export function chapterAt(events: RunEvent[], time: number): RunEvent | undefined {
  const slack = 1e-9 * (1 + Math.abs(time));
  return events.findLast((event) => event.kind === "chapter" && event.time <= time + slack);
}

/** A filled triangle for a touch, a hollow one for a release, a diamond for sliding, a square for the rest; a number for a crowd. */
export function markShape(group: RunEvent[]): string {
  const kinds = new Set(group.map((e) => e.kind));
  const shape = (): string => {
    if (kinds.size > 1) return '<circle cx="6" cy="6" r="4.2" class="solid"/>';
    switch (group[0].kind) {
      case "touch":
        return '<path d="M1.5 2h9L6 10.5z" class="solid"/>';
      case "release":
        return '<path d="M1.5 10 6 2l4.500 8z" class="hollow"/>';
      case "slip":
        return '<path d="M6 1 11 6 6 11 1 6z" class="hollow slip"/>';
      case "stick":
        return '<path d="M6 1 11 6 6 11 1 6z" class="solid"/>';
      default:
        return '<rect x="2" y="2" width="8" height="8" class="solid other"/>';
    }
  };
  return `<svg viewBox="0 0 12 12" aria-hidden="true">${shape()}</svg>${group.length > 1 ? `<span>${countText(group.length)}</span>` : ""}`;
}
