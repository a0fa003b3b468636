/** Controls of a live run: they steer the computation; the timeline below replays what it has made. */
import type { App } from "../app/app";
import { h, iconButton, select, setIcon } from "../ui/dom";
import { figure } from "../ui/format";
import type { Connection } from "./connection";

const SPEEDS = [0.1, 0.25, 0.5, 1, 2, 5, 10];
const FAST = "fast";

export class LiveControls {
  readonly element: HTMLElement;
  private readonly state = h("span", { class: "live-state", role: "status" });
  private readonly run: HTMLButtonElement;
  private readonly step: HTMLButtonElement;
  private readonly speed: HTMLSelectElement;
  private readonly goLive: HTMLButtonElement;
  connected = false;

  constructor(private readonly app: App, connection: Connection) {
    this.run = iconButton("pause", "Pause the run (r)", () => this.toggle(connection));
    this.step = iconButton("stepForward", "Compute one step, then pause (n)", () => {
      connection.send({ command: "step" });
      app.clock.follow();
    });
    this.speed = select("Speed of the run", [...SPEEDS.map((s): [string, string] => [String(s), `${s}×`]), [FAST, "as fast as it goes"]], (value) =>
      connection.send({ command: "speed", value: value === FAST ? null : Number(value) }));
    const restart = iconButton("restart", "Start the run again", () => {
      connection.send({ command: "restart" });
      app.clock.follow();
    });
    this.goLive = iconButton("live", "Show the newest frame as it comes (g)", () => app.clock.follow());
    this.goLive.classList.add("with-text");
    this.goLive.append("Go live");
    app.clock.newest.watch((on) => this.goLive.setAttribute("aria-pressed", String(on)));
    this.element = h("div", { class: "live-bar", role: "toolbar", "aria-label": "Live run" },
      h("span", { class: "label" }, "Live run"), this.run, this.step, restart, this.speed, this.state, h("span", { class: "spring" }), this.goLive);
    this.update();
  }

  /** Pauses or resumes the computation. */
  toggle(connection: Connection): void {
    connection.send({ command: this.app.runs[0].state?.state === "paused" ? "resume" : "pause" });
  }

  update(): void {
    const state = this.app.runs[0].state;
    const word = this.connected ? state?.state ?? "waiting" : "not connected";
    const paused = state?.state === "paused";
    const over = state?.state === "ended" || state?.state === "failed";
    setIcon(this.run, paused ? "play" : "pause", paused ? "Resume the run (r)" : "Pause the run (r)");
    this.run.disabled = this.step.disabled = !this.connected || over;
    this.element.dataset.state = word;
    if (state && document.activeElement !== this.speed) this.speed.value = state.speed === null ? FAST : String(state.speed);
    const factor = state?.real_time_factor && word === "running" ? `, ${figure(state.real_time_factor, 3)}× real time` : "";
    this.state.textContent = state ? `${word} at ${figure(state.time, 6)} of ${figure(state.duration)} s${factor}` : word;
  }
}
