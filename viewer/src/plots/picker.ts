/** Choosing signals by name, with search. */
import type { Run } from "../model/run";
import { h } from "../ui/dom";

/** More would only be scrolled past. */
const MOST = 150;

/** All words must be in the name, its unit or its description, in any order. */
export function search(run: Run, words: string): { name: string; unit: string; description: string }[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean);
  return (run.head?.signals ?? []).filter((signal) => {
    const text = `${signal.name} ${signal.unit} ${signal.description}`.toLowerCase();
    return wanted.every((word) => text.includes(word));
  });
}

/** A box with a search field and check boxes. `changed` gets the names chosen, in the order of choosing. */
export function signalPicker(run: Run, chosen: string[], changed: (names: string[]) => void): HTMLElement {
  let names = [...chosen];
  const list = h("div", { class: "picker-list", role: "group", "aria-label": "Signals" });
  const fill = (): void => {
    const found = search(run, field.value);
    const rows = found.slice(0, MOST).map((signal) => {
      const box = h("input", { type: "checkbox", change: () => {
        names = box.checked ? [...names, signal.name] : names.filter((name) => name !== signal.name);
        changed(names);
      } });
      box.checked = names.includes(signal.name);
      return h("label", { class: "picker-row", title: signal.description }, box, h("span", {}, signal.name), h("span", { class: "unit" }, signal.unit === "1" ? "" : signal.unit));
    });
    const left = found.length - rows.length;
    list.replaceChildren(...rows, ...(found.length === 0 ? [h("p", { class: "hint" }, "No recorded signal has all these words.")] : []),
      ...(left > 0 ? [h("p", { class: "hint" }, `${left} more: type to narrow down.`)] : []));
  };
  const field = h("input", { type: "search", placeholder: "Search signals", "aria-label": "Search signals", input: fill });
  fill();
  return h("div", { class: "picker" }, field, list);
}
