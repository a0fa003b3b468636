/** Playing, scrubbing, and the marks of events. */
import type { App } from "../app/app";
import type { RunEvent } from "../stream/texts";
import { h, iconButton, select, setIcon } from "./dom";
import { clusters, countText, markShape } from "./events";
import { timeText } from "./format";

const SPEEDS = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];

export class Timeline {
  readonly element: HTMLElement;
  private readonly track: HTMLElement;
  private readonly fill = h("div", { class: "fill" });
  private readonly known = h("div", { class: "known" });
  /** As wide as the track, so that its place can be given in percent. */
  private readonly rider = h("div", { class: "rider" }, h("div", { class: "thumb" }));
  private readonly marks = h("div", { class: "marks" });
  private readonly now = h("span", { class: "now" });
  private readonly total = h("span", { class: "total" });
  private readonly speed: HTMLSelectElement;

  constructor(private readonly app: App) {
    const { clock } = app;
    const play = iconButton("play", "Play (space)", () => clock.toggle(), { class: "icon primary" });
    clock.playing.watch((on) => setIcon(play, on ? "pause" : "play", on ? "Pause (space)" : "Play (space)"));
    const loop = iconButton("loop", "Loop (l)", () => clock.loop.set(!clock.loop.get()));
    clock.loop.watch((on) => loop.setAttribute("aria-pressed", String(on)));
    this.speed = select("Speed of the replay", SPEEDS.map((s) => [String(s), `${s}×`]), (value) => clock.speed.set(Number(value)));
    clock.speed.watch((value) => {
      this.speed.value = String(value);
    });
    this.track = h("div", { class: "track", role: "slider", tabindex: 0, "aria-label": "Time", "aria-valuemin": 0 },
      h("div", { class: "rail" }, this.known, this.fill), this.marks, this.rider);
    this.element = h("footer", { class: "timeline" },
      h("div", { class: "transport" },
        iconButton("toStart", "To the start (home)", () => clock.seek(clock.start)),
        iconButton("stepBack", "One frame back (left)", () => clock.step(-1)),
        play,
        iconButton("stepForward", "One frame on (right)", () => clock.step(1)),
        iconButton("toEnd", "To the end (end)", () => clock.seek(clock.end)),
        loop, this.speed),
      h("div", { class: "clock" }, this.now, this.total),
      this.track);
    this.track.addEventListener("pointerdown", (event) => this.scrub(event));
    new ResizeObserver(() => this.showEvents()).observe(this.track);
    clock.changed.on(() => this.showPlace());
    clock.readable(() => this.showTime());
  }

  /** End of the axis: how long the run will be, or has become [s]. */
  private get length(): number {
    const { head } = this.app.runs[0];
    const others = this.app.runs.map((run) => run.frames?.end ?? 0);
    return Math.max(head?.duration ?? 0, ...others, 1e-9);
  }

  private get origin(): number {
    return Math.min(0, this.app.clock.start);
  }

  private fraction(time: number): number {
    return Math.min(Math.max((time - this.origin) / (this.length - this.origin), 0), 1);
  }

  private scrub(event: PointerEvent): void {
    if (event.button !== 0 || (event.target as Element).closest(".mark")) return;
    const move = (e: PointerEvent): void => {
      const box = this.track.getBoundingClientRect();
      // On a frame, so that what is shown is what was recorded.
      this.app.clock.seek(this.origin + ((e.clientX - box.left) / box.width) * (this.length - this.origin), true);
    };
    const done = (): void => {
      this.track.removeEventListener("pointermove", move);
      this.track.removeEventListener("pointerup", done);
      this.track.removeEventListener("pointercancel", done);
    };
    this.app.clock.playing.set(false);
    this.track.setPointerCapture(event.pointerId);
    this.track.addEventListener("pointermove", move);
    this.track.addEventListener("pointerup", done);
    this.track.addEventListener("pointercancel", done);
    this.track.focus();
    move(event);
  }

  /** Only moved and stretched, never painted anew. */
  private showPlace(): void {
    const at = this.fraction(this.app.clock.time);
    this.rider.style.transform = `translateX(${100 * at}%)`;
    this.fill.style.transform = `scaleX(${at})`;
    this.known.style.transform = `scaleX(${this.fraction(this.app.clock.end)})`;
  }

  showTime(): void {
    const { clock, runs } = this.app;
    const period = runs[0].head?.period ?? 0.04;
    this.showPlace();
    this.now.textContent = timeText(clock.time, period);
    this.total.textContent = ` / ${timeText(this.length, period)} s`;
    this.track.setAttribute("aria-valuemax", String(this.length));
    this.track.setAttribute("aria-valuenow", String(clock.time));
    this.track.setAttribute("aria-valuetext", `${timeText(clock.time, period)} seconds`);
  }

  /** Lays the marks out for the width that the track has, which is noted for tests. */
  showEvents(): void {
    const width = this.track.clientWidth;
    const { events } = this.app.runs[0];
    if (width === 0) return;
    const em = Number.parseFloat(getComputedStyle(document.documentElement).fontSize);
    const widths = this.countWidths();
    // Numbers need a gap to be told apart.
    const markWidth = (count: number): number => (count > 1 ? widths(countText(count)) + 0.45 * em : 0.8 * em);
    this.marks.replaceChildren(...clusters(events, (time) => this.fraction(time) * width, markWidth).map((group) => this.mark(group)));
    this.marks.dataset.width = String(width);
    this.showTime();
  }

  /** How wide counts are as they are drawn [px], by their characters: the font decides, not a guess. */
  private countWidths(): (text: string) => number {
    const ruler = h("div", { class: "mark mark-ruler" }, ...[..."0123456789+"].map((character) => h("span", {}, character)));
    this.marks.append(ruler);
    const widths = new Map([...ruler.children].map((span) => [span.textContent, span.getBoundingClientRect().width]));
    ruler.remove();
    return (text) => [...text].reduce((sum, character) => sum + (widths.get(character) ?? 0), 0);
  }

  private mark(group: RunEvent[]): HTMLElement {
    const [first] = group;
    const lines = group.slice(0, 6).map((e) => `${Number(e.time.toPrecision(6))} s  ${e.label}`);
    if (group.length > lines.length) lines.push(`and ${group.length - lines.length} more`);
    const button = h("button", {
      type: "button", class: "mark", tabindex: -1, title: lines.join("\n"), "aria-label": lines[0], "data-kind": first.kind,
      style: `left:${100 * this.fraction(first.time)}%`, click: () => this.app.clock.seek(first.time),
    });
    button.innerHTML = markShape(group);
    return button;
  }

  /** Goes to the next event, or the one before. */
  jump(direction: 1 | -1): void {
    const { clock, runs } = this.app;
    const times = runs[0].events.map((e) => e.time);
    const slack = 1e-9 * (1 + clock.time);
    const to = direction > 0 ? times.find((t) => t > clock.time + slack) : times.findLast((t) => t < clock.time - slack);
    if (to !== undefined) clock.seek(to);
  }
}
