/** The help: keys, mouse, what the marks mean. */
import { h } from "./dom";
import { KEYS, LIVE_KEYS } from "./keys";

export function helpDialog(live: boolean): HTMLDialogElement {
  const rows = (pairs: [string, string][]) => h("dl", { class: "facts keys" }, ...pairs.flatMap(([key, what]) => [h("dt", {}, key), h("dd", {}, what)]));
  const dialog = h("dialog", { class: "help", "aria-label": "Help" },
    h("h2", {}, "Keys and mouse"),
    h("div", { class: "columns" },
      h("div", {}, rows([...KEYS, ...(live ? LIVE_KEYS : [])])),
      h("div", {},
        rows([
          ["drag", "turn the view"],
          ["right drag", "move the view"],
          ["wheel", "zoom"],
          ["click", "name and numbers of a body or contact"],
          ["click in a plot", "go to that time"],
          ["drag in a plot", "zoom in time; double click: back"],
        ]),
        h("p", {}, "Contacts: a filled blue dot sticks, an open orange ring slides. The plain arrow is the normal force, the coloured one friction, both on the moving body."),
        h("p", {}, "Timeline: ▼ touch, △ release, ◇ slip, ● several kinds close together; the number counts events that share a mark."))),
    h("form", { method: "dialog" }, h("button", { class: "primary-button" }, "Close")));
  dialog.addEventListener("click", (event) => {
    if (event.target === dialog) dialog.close();
  });
  return dialog;
}
