/** One run: what its stream has said so far. */
import { StreamDecoder } from "../stream/decoder";
import type { StreamError } from "../stream/errors";
import type { Head } from "../stream/head";
import type { MeshData } from "../stream/mesh";
import type { LiveState, RunEvent } from "../stream/texts";
import { Emitter } from "./emitter";
import { FrameStore } from "./frames";
import { Series } from "./series";
import { parseSummary, type Summary } from "./summary";

export type Change = "head" | "mesh" | "frames" | "samples" | "events" | "summary" | "state" | "error" | "loaded";

export class Run {
  head: Head | null = null;
  frames: FrameStore | null = null;
  readonly meshes = new Map<number, MeshData>();
  series: Series[] = [];
  private names = new Map<string, number>();
  events: RunEvent[] = [];
  summary: Partial<Summary> | null = null;
  state: LiveState | null = null;
  error: StreamError | null = null;
  readonly changed = new Emitter<Change>();
  private decoder!: StreamDecoder;
  private ended = false;

  /** `place`: 0 for the run itself, 1… for those shown beside it. */
  constructor(readonly place: number, private readonly givenName: string) {
    this.restart();
  }

  get name(): string {
    return this.givenName || this.head?.name || `run ${this.place + 1}`;
  }

  /** Makes ready for a stream from its beginning; what is shown stays until its head comes. */
  restart(): void {
    this.ended = false;
    this.decoder = new StreamDecoder({
      head: (head) => this.begin(head),
      mesh: (mesh) => {
        this.meshes.set(mesh.index, mesh);
        this.changed.emit("mesh");
      },
      frames: (record, patches) => this.frames?.offer(record, patches),
      samples: (block) => {
        block.signals.forEach((signal, i) => this.series[signal].add(block.times, block.values[i]));
        this.changed.emit("samples");
      },
      events: (events) => {
        this.events.push(...events);
        this.changed.emit("events");
      },
      summary: (summary) => {
        this.summary = parseSummary(summary);
        this.changed.emit("summary");
      },
      state: (state) => {
        this.state = state;
        this.changed.emit("state");
      },
    });
  }

  private begin(head: Head): void {
    this.head = head;
    this.frames = new FrameStore(head);
    this.meshes.clear();
    this.series = head.signals.map(() => new Series());
    this.names = new Map(head.signals.map((signal, i) => [signal.name, i]));
    this.events = [];
    this.summary = null;
    this.error = null;
    this.changed.emit("head");
  }

  /** More of the stream. */
  push(bytes: Uint8Array): void {
    this.fail(this.decoder.push(bytes));
  }

  /** No more of the stream comes. */
  end(): void {
    this.ended = true;
    this.fail(this.decoder.end());
  }

  /** Decodes frames that arrived, for at most this long [ms]; says whether more wait. */
  pump(budget: number): boolean {
    const frames = this.frames;
    if (!frames || frames.waiting === 0) return false;
    frames.pump(performance.now() + budget);
    if (frames.error) this.fail(frames.error);
    this.changed.emit("frames");
    if (frames.waiting > 0) return true;
    if (this.ended) this.changed.emit("loaded");
    return false;
  }

  private fail(error: StreamError | null): void {
    if (!error || this.error) return;
    this.error = error;
    this.changed.emit("error");
  }

  signalIndex(name: string): number | undefined {
    return this.names.get(name);
  }

  signal(name: string): Series | null {
    const index = this.names.get(name);
    return index === undefined ? null : this.series[index];
  }

  /** The largest value of all signals in the unit of a signal: beside it, much smaller ones are rounding. Numbers without a unit stand alone. */
  scaleOf(name: string): number {
    const index = this.names.get(name);
    const unit = index === undefined ? undefined : this.head?.signals[index].unit;
    if (index === undefined || unit === "1" || unit === "") return 0;
    return this.series.reduce((scale, series, i) => (this.head?.signals[i].unit === unit ? Math.max(scale, series.largest) : scale), 0);
  }

  /** Body's number by name, −1 if there is none. */
  body(name: string): number {
    return this.head?.bodies.findIndex((body) => body.name === name) ?? -1;
  }
}
