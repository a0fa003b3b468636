/** The records that are JSON beside the head: events, the state of a live run. */

export interface RunEvent {
  time: number;
  kind: string;
  label: string;
  bodies: string[];
  /** The loop that it is about, if it is about one. */
  loop: string;
}

export interface LiveState {
  state: "running" | "paused" | "ended" | "failed";
  time: number;
  duration: number;
  /** null: as fast as it goes. */
  speed: number | null;
  real_time_factor: number | null;
  message: string | null;
}

export function parseEvents(value: unknown): RunEvent[] {
  if (!Array.isArray(value)) return [];
  return value
    .filter((event) => typeof event?.time === "number" && Number.isFinite(event.time))
    .map((event) => ({
      time: event.time,
      kind: String(event.kind ?? "event"),
      label: String(event.label ?? wordsOf(event)),
      bodies: Array.isArray(event.bodies) ? event.bodies.map(String) : [],
      loop: String(event.loop ?? ""),
    }));
}

/** Words for an event without any: its kind, and whatever names it carries. */
function wordsOf(event: Record<string, unknown>): string {
  const kind = String(event.kind ?? "event").replaceAll("_", " ");
  const names = Object.entries(event).filter(([key]) => key !== "kind").flatMap(([, value]) => value).filter((value) => typeof value === "string");
  return names.length > 0 ? `${kind}: ${names.join(", ")}` : kind;
}

export function parseState(value: unknown): LiveState {
  const json = (value ?? {}) as Partial<LiveState>;
  const states = ["running", "paused", "ended", "failed"] as const;
  return {
    state: states.find((s) => s === json.state) ?? "running",
    time: Number(json.time ?? 0),
    duration: Number(json.duration ?? 0),
    speed: typeof json.speed === "number" ? json.speed : null,
    real_time_factor: typeof json.real_time_factor === "number" ? json.real_time_factor : null,
    message: typeof json.message === "string" ? json.message : null,
  };
}
