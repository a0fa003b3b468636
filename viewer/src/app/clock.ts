/** The time that everything shows, and how it runs. */
import { Emitter, Value } from "../model/emitter";
import type { FrameStore } from "../model/frames";

/** Time between two changes of text while the time runs [ms]. */
const READABLE = 100;

export class Clock {
  private now = 0;
  readonly playing = new Value(false);
  readonly speed = new Value(1);
  readonly loop = new Value(true);
  /** Stays at the newest frame (live runs). */
  readonly newest = new Value(false);
  readonly changed = new Emitter<number>();
  frames: FrameStore | null = null;

  get time(): number {
    return this.now;
  }

  get start(): number {
    return this.frames?.start ?? 0;
  }

  get end(): number {
    return this.frames?.end ?? 0;
  }

  /** Goes to a time; `snap`: to the frame nearest to it. */
  seek(time: number, snap = false): void {
    this.newest.set(false);
    this.go(time, snap);
  }

  private go(time: number, snap: boolean): void {
    if (!Number.isFinite(time)) return;
    let to = Math.min(Math.max(time, this.start), Math.max(this.end, this.start));
    if (snap && this.frames && this.frames.count > 0) to = this.frames.timeOf(this.frames.nearest(to));
    this.now = to;
    this.changed.emit(to);
  }

  toggle(): void {
    if (this.playing.get()) return this.playing.set(false);
    // At the end, playing means from the beginning.
    if (this.now >= this.end) this.seek(this.start);
    this.newest.set(false);
    this.playing.set(true);
  }

  /** Goes on by whole frames. */
  step(frames: number): void {
    if (!this.frames || this.frames.count === 0) return;
    this.playing.set(false);
    const here = this.frames.numberAt(this.now);
    // Between two frames, back means the one before.
    const between = frames < 0 && this.now - this.frames.timeOf(here) > 1e-9 * (1 + this.now) ? 1 : 0;
    const to = Math.min(Math.max(here + frames + between, 0), this.frames.count - 1);
    this.seek(this.frames.timeOf(to));
  }

  /**
   * Calls with the time whenever it changes, but ten times a second at most while it runs: numbers that change faster cannot be read,
   * and painting text is what costs most where the processor draws.
   */
  readable(listener: (time: number) => void): void {
    let last = 0;
    this.changed.on((time) => {
      const now = performance.now();
      const running = this.playing.get() || this.newest.get();
      if (running && now - last < READABLE) return;
      last = now;
      listener(time);
    });
    this.playing.watch((on) => {
      if (!on) listener(this.now);
    });
  }

  /** Real time went on by this much [s]. */
  tick(elapsed: number): void {
    if (this.newest.get()) {
      if (this.now !== this.end) this.go(this.end, false);
      return;
    }
    if (!this.playing.get()) return;
    const next = this.now + elapsed * this.speed.get();
    if (next < this.end) return this.go(next, false);
    if (this.loop.get() && this.end > this.start) return this.go(this.start + ((next - this.start) % (this.end - this.start)), false);
    this.go(this.end, false);
    this.playing.set(false);
  }

  follow(): void {
    this.playing.set(false);
    this.newest.set(true);
  }
}
