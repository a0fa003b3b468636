/** A box that opens at a button and closes on Escape or a click elsewhere. */
import { h } from "./dom";

let open: { close(): void; anchor: HTMLElement } | null = null;

export function closePopover(): void {
  open?.close();
}

export function popoverOpen(): boolean {
  return open !== null;
}

/** Opens a box at a button, or closes it if it is open there. */
export function popover(anchor: HTMLElement, label: string, content: HTMLElement): void {
  const again = open?.anchor === anchor;
  open?.close();
  if (again) return;
  const box = h("div", { class: "popover", role: "dialog", "aria-label": label, tabindex: -1 }, content);
  document.body.append(box);
  const at = anchor.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = box;
  const margin = 8;
  box.style.left = `${Math.max(margin, Math.min(at.left, window.innerWidth - width - margin))}px`;
  const below = at.bottom + 4;
  box.style.top = `${below + height + margin <= window.innerHeight ? below : Math.max(margin, at.top - height - 4)}px`;
  anchor.setAttribute("aria-expanded", "true");

  const outside = (event: Event): void => {
    if (!box.contains(event.target as Node) && !anchor.contains(event.target as Node)) close();
  };
  const key = (event: KeyboardEvent): void => {
    if (event.key !== "Escape") return;
    event.stopPropagation();
    close();
    anchor.focus();
  };
  const close = (): void => {
    box.remove();
    anchor.setAttribute("aria-expanded", "false");
    document.removeEventListener("pointerdown", outside, true);
    document.removeEventListener("keydown", key, true);
    open = null;
  };
  document.addEventListener("pointerdown", outside, true);
  document.addEventListener("keydown", key, true);
  open = { close, anchor };
  (box.querySelector<HTMLElement>("input, button, select, [tabindex='0']") ?? box).focus();
}

/** A list of things to do. */
export function menu(anchor: HTMLElement, label: string, items: [text: string, act: () => void][]): void {
  const buttons = items.map(([text, act]) => h("button", { type: "button", role: "menuitem", click: () => {
    closePopover();
    act();
  } }, text));
  popover(anchor, label, h("div", { class: "menu", role: "menu" }, ...buttons));
}
