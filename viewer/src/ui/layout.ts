/** The frame of the page: header, viewport, side panel with tabs, room for the timeline. */
import { recall, remember } from "../app/memory";
import { theme, toggleTheme } from "../app/theme";
import { h, iconButton, setIcon } from "./dom";

export type Tab = "plots" | "summary" | "scene";
const TABS: [Tab, string][] = [["plots", "Plots"], ["summary", "Summary"], ["scene", "Scene"]];

export class Layout {
  readonly viewport = h("main", { class: "viewport" });
  readonly title = h("h1", {});
  readonly badges = h("div", { class: "badges" });
  readonly messages = h("div", { class: "messages", "aria-live": "polite" });
  readonly bottom = h("div", { class: "bottom" });
  private readonly side: HTMLElement;
  private readonly panels = new Map<Tab, HTMLElement>();
  private readonly tabs = new Map<Tab, HTMLButtonElement>();
  private readonly root: HTMLElement;

  constructor(app: HTMLElement, help: () => void) {
    const dark = iconButton("moon", "Dark", toggleTheme);
    theme.watch((value) => setIcon(dark, value === "dark" ? "sun" : "moon", value === "dark" ? "Light colours" : "Dark colours"));
    const fold = iconButton("panel", "Show or hide the side panel (p)", () => this.toggleSide());
    const header = h("header", { class: "top" }, logo(), this.title, this.badges, h("span", { class: "spring" }), fold, dark, iconButton("help", "Help (?)", help));
    const strip = h("div", { class: "tabs", role: "tablist" });
    this.side = h("aside", { class: "side", "aria-label": "Plots, summary and scene" }, strip);
    for (const [tab, text] of TABS) {
      const panel = h("div", { class: `panel ${tab}-panel`, role: "tabpanel", id: `panel-${tab}`, "aria-label": text, hidden: true });
      const button = h("button", { type: "button", role: "tab", id: `tab-${tab}`, "aria-controls": `panel-${tab}`, click: () => this.open(tab) }, text);
      strip.append(button);
      this.side.append(panel);
      this.panels.set(tab, panel);
      this.tabs.set(tab, button);
    }
    strip.addEventListener("keydown", (event) => this.tabKey(event));
    this.root = h("div", { class: "app" }, header, this.viewport, this.splitter(), this.side, this.bottom);
    this.viewport.append(this.messages);
    app.replaceChildren(this.root);
    this.setWidth(Number(recall("side")) || 0.42);
    this.open("plots");
  }

  /** Puts a part into its panel. */
  fill(tab: Tab, element: HTMLElement): void {
    this.panels.get(tab)?.replaceChildren(element);
  }

  open(tab: Tab): void {
    for (const [name, panel] of this.panels) {
      const on = name === tab;
      panel.hidden = !on;
      this.tabs.get(name)?.setAttribute("aria-selected", String(on));
      this.tabs.get(name)?.setAttribute("tabindex", on ? "0" : "-1");
    }
    this.root.classList.remove("folded");
  }

  private tabKey(event: KeyboardEvent): void {
    const step = event.key === "ArrowRight" ? 1 : event.key === "ArrowLeft" ? -1 : 0;
    if (step === 0) return;
    event.stopPropagation();
    event.preventDefault();
    const at = TABS.findIndex(([tab]) => this.tabs.get(tab)?.getAttribute("aria-selected") === "true");
    const [to] = TABS[(at + step + TABS.length) % TABS.length];
    this.open(to);
    this.tabs.get(to)?.focus();
  }

  toggleSide(): void {
    this.root.classList.toggle("folded");
  }

  private setWidth(share: number): void {
    const kept = Math.min(Math.max(share, 0.2), 0.75);
    this.root.style.setProperty("--side", `${(100 * kept).toFixed(2)}vw`);
    this.root.dataset.side = String(kept);
    remember("side", String(kept));
  }

  private splitter(): HTMLElement {
    const bar = h("div", { class: "splitter", role: "separator", tabindex: 0, "aria-orientation": "vertical", "aria-label": "Width of the side panel" });
    bar.addEventListener("pointerdown", (down) => {
      bar.setPointerCapture(down.pointerId);
      const move = (event: PointerEvent): void => this.setWidth(1 - event.clientX / window.innerWidth);
      bar.addEventListener("pointermove", move);
      bar.addEventListener("pointerup", () => bar.removeEventListener("pointermove", move), { once: true });
    });
    bar.addEventListener("keydown", (event) => {
      const by = event.key === "ArrowLeft" ? 0.02 : event.key === "ArrowRight" ? -0.02 : 0;
      if (by === 0) return;
      event.preventDefault();
      event.stopPropagation();
      this.setWidth(Number(this.root.dataset.side) + by);
    });
    return bar;
  }

  /** A message that stays until closed; the same key replaces. */
  message(key: string, kind: "error" | "warn" | "info", title: string, text: string): void {
    this.clear(key);
    const close = iconButton("close", "Close the message", () => this.clear(key));
    const box = h("div", { class: `message ${kind}`, role: kind === "error" ? "alert" : "status", "data-key": key },
      h("span", { class: "sign", "aria-hidden": "true" }, kind === "info" ? "i" : "!"), h("div", {}, h("strong", {}, title), h("p", {}, text)), close);
    this.messages.append(box);
  }

  clear(key: string): void {
    this.messages.querySelector(`[data-key="${key}"]`)?.remove();
  }

  note(text: string): void {
    this.message("note", "info", text, "");
    setTimeout(() => this.clear("note"), 6000);
  }
}

function logo(): HTMLElement {
  const mark = h("span", { class: "logo", "aria-label": "Fender" });
  mark.innerHTML = '<svg viewBox="0 0 20 20" aria-hidden="true"><rect x="2" y="2" width="16" height="16" rx="4" fill="var(--accent)"/><circle cx="8.200" cy="11.800" r="3.600" fill="#fff"/><path d="M12.500 3.500v13" stroke="#fff" stroke-width="2"/></svg><span>Fender</span>';
  return mark;
}
