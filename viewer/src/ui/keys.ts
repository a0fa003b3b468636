/** Keys that work everywhere in the page. */
import type { App } from "../app/app";

export interface Actions {
  follow(): void;
  fit(): void;
  help(): void;
  side(): void;
  jump(direction: 1 | -1): void;
  live: { toggle(): void; step(): void; go(): void } | null;
}

/** For the help: keys and what they do. */
export const KEYS: [string, string][] = [
  ["space", "play or pause"],
  ["← →", "one frame back or on"],
  ["shift ← →", "ten frames back or on"],
  ["home, end", "to the start, to the end"],
  ["[ ]", "to the event before, after"],
  ["↑ ↓", "faster, slower"],
  ["l", "loop"],
  ["f", "follow the selected body, or let go"],
  ["v", "show everything"],
  ["ctrl ← → ↑ ↓", "turn the view"],
  ["+ −", "zoom the view"],
  ["p", "show or hide the side panel"],
  ["escape", "close, deselect"],
  ["?", "this help"],
];
export const LIVE_KEYS: [string, string][] = [["r", "pause or resume the live run"], ["n", "one step of the live run"], ["g", "go live"]];

const TURN = Math.PI / 24;

export function listenKeys(app: App, actions: Actions): void {
  document.addEventListener("keydown", (event) => {
    const target = event.target as HTMLElement;
    // Fields and menus need their keys themselves.
    if (target.matches("input:not([type=checkbox]), select, textarea") || target.closest(".popover, dialog")) return;
    if (event.altKey || event.metaKey) return;
    // Space and enter press the focused button.
    if (event.key === " " && target.matches("button, input")) return;
    if (handle(app, actions, event)) event.preventDefault();
  });
}

function handle(app: App, actions: Actions, event: KeyboardEvent): boolean {
  const { clock, view } = app;
  if (event.ctrlKey) {
    const turns: Record<string, [number, number]> = { ArrowLeft: [-TURN, 0], ArrowRight: [TURN, 0], ArrowUp: [0, TURN], ArrowDown: [0, -TURN] };
    const turn = turns[event.key];
    if (!turn || !view) return false;
    view.rig.nudge(turn[0], turn[1], 1);
    return true;
  }
  const by = event.shiftKey ? 10 : 1;
  const speed = (direction: number): void => {
    const speeds = [0.01, 0.02, 0.05, 0.1, 0.25, 0.5, 1, 2, 5, 10];
    const at = speeds.indexOf(clock.speed.get());
    clock.speed.set(speeds[Math.min(Math.max(at + direction, 0), speeds.length - 1)]);
  };
  const acts: Record<string, () => void> = {
    " ": () => clock.toggle(),
    ArrowLeft: () => clock.step(-by),
    ArrowRight: () => clock.step(by),
    ArrowUp: () => speed(1),
    ArrowDown: () => speed(-1),
    Home: () => clock.seek(clock.start),
    End: () => clock.seek(clock.end),
    "[": () => actions.jump(-1),
    "]": () => actions.jump(1),
    l: () => clock.loop.set(!clock.loop.get()),
    f: actions.follow,
    v: actions.fit,
    p: actions.side,
    "?": actions.help,
    "+": () => view?.rig.nudge(0, 0, 1 / 1.15),
    "=": () => view?.rig.nudge(0, 0, 1 / 1.15),
    "-": () => view?.rig.nudge(0, 0, 1.15),
    Escape: () => app.selection.set(null),
  };
  if (actions.live) Object.assign(acts, { r: actions.live.toggle, n: actions.live.step, g: actions.live.go });
  const act = acts[event.key.length === 1 ? event.key.toLowerCase() : event.key];
  act?.();
  return act !== undefined;
}
