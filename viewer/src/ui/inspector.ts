/** The card of what was clicked, and the tip of what the pointer is over. */
import type { App } from "../app/app";
import { h, iconButton } from "./dom";
import { bodyRows, contactRows, type Row } from "./numbers";
import type { Picked } from "../scene/view3d";

/** The pointer may rest this long before a tip comes; picking at every move would cost frames [ms]. */
const PAUSE = 60;

function facts(rows: Row[]): HTMLElement {
  return h("dl", { class: "facts" }, ...rows.flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value)]));
}

export class Inspector {
  readonly card = h("aside", { class: "card inspector", "aria-label": "Selected", hidden: true });
  readonly tip = h("div", { class: "tip", role: "status", hidden: true });
  private timer = 0;

  constructor(private readonly app: App, private readonly viewport: HTMLElement) {
    viewport.append(this.card, this.tip);
    app.selection.watch((picked) => {
      app.view?.select(picked?.kind === "body" ? picked.body : -1);
      this.update();
    });
    app.clock.readable(() => this.update());
    this.listen();
  }

  private listen(): void {
    const canvas = this.app.view?.canvas;
    if (!canvas) return;
    let pressed: PointerEvent | null = null;
    canvas.addEventListener("pointermove", (event) => {
      this.tip.hidden = true;
      window.clearTimeout(this.timer);
      if (event.buttons === 0) this.timer = window.setTimeout(() => this.hover(event), PAUSE);
    });
    canvas.addEventListener("pointerleave", () => {
      window.clearTimeout(this.timer);
      this.tip.hidden = true;
    });
    canvas.addEventListener("pointerdown", (event) => {
      pressed = event;
    });
    canvas.addEventListener("pointerup", (event) => {
      // A click, not the end of a drag.
      if (pressed && event.button === 0 && Math.hypot(event.clientX - pressed.clientX, event.clientY - pressed.clientY) < 4) {
        this.app.selection.set(this.pick(event));
      }
      pressed = null;
    });
  }

  private pick(event: PointerEvent): Picked | null {
    const box = this.viewport.getBoundingClientRect();
    return this.app.view?.pick(event.clientX - box.left, event.clientY - box.top) ?? null;
  }

  private describe(picked: Picked): { name: string; rows: Row[] } {
    const [run] = this.app.runs;
    const { time } = this.app.clock;
    if (picked.kind === "body") return { name: run.head?.bodies[picked.body]?.name ?? "", rows: bodyRows(run, picked.body, time) };
    const name = (body: number): string => run.head?.bodies[body]?.name ?? "";
    return { name: `${name(picked.a)} on ${name(picked.b)}`, rows: contactRows(run, picked.a, picked.b, picked.nth, time) };
  }

  private hover(event: PointerEvent): void {
    const picked = this.pick(event);
    this.tip.hidden = picked === null;
    if (!picked) return;
    const { name, rows } = this.describe(picked);
    this.tip.replaceChildren(h("strong", {}, name), facts(rows.slice(0, 6)));
    const box = this.viewport.getBoundingClientRect();
    const x = Math.min(event.clientX - box.left + 14, box.width - this.tip.offsetWidth - 6);
    const y = Math.min(event.clientY - box.top + 14, box.height - this.tip.offsetHeight - 6);
    this.tip.style.transform = `translate(${Math.max(6, x)}px, ${Math.max(6, y)}px)`;
  }

  private update(): void {
    const picked = this.app.selection.get();
    this.card.hidden = picked === null;
    if (!picked) return;
    const { name, rows } = this.describe(picked);
    const close = iconButton("close", "Close", () => this.app.selection.set(null));
    const focused = this.card.contains(document.activeElement);
    const { view } = this.app;
    const actions = picked.kind === "body" && view
      ? [h("div", { class: "actions" },
        h("button", { type: "button", click: () => view.follow(picked.body) }, "Follow"),
        h("button", { type: "button", click: () => view.lookFrom(picked.body) }, "Look from"))]
      : [];
    // While focus is inside, only the numbers are renewed, so that it stays.
    if (focused) this.card.querySelector(".facts")?.replaceWith(facts(rows));
    else this.card.replaceChildren(h("header", {}, h("strong", {}, name), close), facts(rows), ...actions);
  }
}
