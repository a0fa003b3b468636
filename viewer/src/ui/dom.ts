/** Making elements in one expression. */

type Attributes = Record<string, string | number | boolean | EventListener | ((event: never) => void) | undefined>;
type Child = Node | string | null | false | undefined;

export function h<K extends keyof HTMLElementTagNameMap>(tag: K, attributes: Attributes = {}, ...children: Child[]): HTMLElementTagNameMap[K] {
  const element = document.createElement(tag);
  for (const [key, value] of Object.entries(attributes)) {
    if (typeof value === "function") element.addEventListener(key, value as EventListener);
    else if (value === true) element.setAttribute(key, "");
    else if (value !== undefined && value !== false) element.setAttribute(key, String(value));
  }
  element.append(...children.filter((child): child is Node | string => child !== null && child !== false && child !== undefined));
  return element;
}

/** A button that shows an icon and is named by its label. */
export function iconButton(icon: string, label: string, click: () => void, extra: Attributes = {}): HTMLButtonElement {
  const button = h("button", { type: "button", class: "icon", title: label, "aria-label": label, click, ...extra });
  button.innerHTML = icons[icon as keyof typeof icons];
  return button;
}

/** Changes the icon and label of a button made by `iconButton`. */
export function setIcon(button: HTMLButtonElement, icon: keyof typeof icons, label: string): void {
  if (button.dataset.icon === icon) return;
  button.dataset.icon = icon;
  button.innerHTML = icons[icon];
  button.title = label;
  button.setAttribute("aria-label", label);
}

/** A choice among texts. */
export function select(label: string, options: [value: string, text: string][], change: (value: string) => void, extra: Attributes = {}): HTMLSelectElement {
  const element = h("select", { "aria-label": label, title: label, change: () => change(element.value), ...extra },
    ...options.map(([value, text]) => h("option", { value }, text)));
  return element;
}

const svg = (body: string): string => `<svg viewBox="0 0 16 16" aria-hidden="true" fill="none" stroke="currentColor" stroke-width="1.5" stroke-linecap="round" stroke-linejoin="round">${body}</svg>`;
const filled = (d: string): string => svg(`<path d="${d}" fill="currentColor" stroke="none"/>`);

export const icons = {
  play: filled("M4 2.5v11l9-5.5z"),
  pause: filled("M3.5 2.5h3v11h-3zM9.5 2.5h3v11h-3z"),
  stepForward: filled("M3 3v10l6-5zM10 3h2.5v10H10z"),
  stepBack: filled("M13 3v10L7 8zM3.5 3H6v10H3.5z"),
  toStart: filled("M2.5 3h2v10h-2zM13.5 3v10L9 8zM9 3v10L4.5 8z"),
  toEnd: filled("M11.5 3h2v10h-2zM2.5 3v10L7 8zM7 3v10l4.5-5z"),
  loop: svg('<path d="M3 7a4 4 0 0 1 4-3h5M12 4l-2-2M12 4l-2 2M13 9a4 4 0 0 1-4 3H4M4 12l2-2M4 12l2 2"/>'),
  restart: svg('<path d="M13 8a5 5 0 1 1-1.5-3.5M12 1.5v3.2H8.8"/>'),
  fit: svg('<path d="M2 5.5V2h3.5M10.5 2H14v3.5M14 10.5V14h-3.5M5.5 14H2v-3.5"/><circle cx="8" cy="8" r="2.2"/>'),
  layers: svg('<path d="M8 2 14 5.2 8 8.4 2 5.2zM2.5 8.2 8 11.2l5.5-3M2.5 11 8 14l5.5-3"/>'),
  video: svg('<rect x="1.5" y="4" width="9" height="8" rx="1.5"/><path d="m10.5 7 4-2.2v6.4l-4-2.2"/>'),
  camera: svg('<path d="M2 5.5h2.6L6 3.5h4l1.4 2H14v7H2z"/><circle cx="8" cy="8.8" r="2.2"/>'),
  moon: svg('<path d="M13 9.5A5.5 5.5 0 0 1 6.5 3 5.5 5.5 0 1 0 13 9.5z"/>'),
  sun: svg('<circle cx="8" cy="8" r="3"/><path d="M8 1.5v1.2M8 13.3v1.2M1.5 8h1.2M13.3 8h1.2M3.4 3.4l.9.9M11.7 11.7l.9.9M3.4 12.6l.9-.9M11.7 4.3l.9-.9"/>'),
  help: svg('<circle cx="8" cy="8" r="6.2"/><path d="M6.2 6.2a1.9 1.9 0 1 1 2.6 1.9c-.6.3-.8.6-.8 1.3M8 11.6v.1"/>'),
  close: svg('<path d="m4 4 8 8M12 4l-8 8"/>'),
  plus: svg('<path d="M8 3v10M3 8h10"/>'),
  panel: svg('<rect x="2" y="3" width="12" height="10" rx="1.5"/><path d="M9.5 3v10"/>'),
  more: filled("M3.5 6.7a1.3 1.3 0 1 1 0 2.6 1.3 1.3 0 0 1 0-2.6zM8 6.7a1.3 1.3 0 1 1 0 2.6 1.3 1.3 0 0 1 0-2.6zM12.5 6.7a1.3 1.3 0 1 1 0 2.6 1.3 1.3 0 0 1 0-2.6z"),
  zoomOut: svg('<circle cx="7" cy="7" r="4.5"/><path d="m10.5 10.5 3.5 3.5M5 7h4"/>'),
  download: svg('<path d="M8 2v8M4.8 7 8 10.2 11.2 7M2.5 13.5h11"/>'),
  live: svg('<circle cx="8" cy="8" r="2.2" fill="currentColor"/><path d="M4 4a5.6 5.6 0 0 0 0 8M12 4a5.6 5.6 0 0 1 0 8"/>'),
};
