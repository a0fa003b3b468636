/** Light or dark: as the system says until someone chooses. */
import { Value } from "../model/emitter";
import { recall, remember } from "./memory";

export type Theme = "light" | "dark";
export const theme = new Value<Theme>("light");

export function startTheme(): void {
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const chosen = (): Theme => {
    const kept = recall("theme");
    return kept === "light" || kept === "dark" ? kept : system.matches ? "dark" : "light";
  };
  system.addEventListener("change", () => theme.set(chosen()));
  theme.set(chosen());
  theme.watch((value) => {
    document.documentElement.dataset.theme = value;
  });
}

export function toggleTheme(): void {
  const next = theme.get() === "dark" ? "light" : "dark";
  remember("theme", next);
  theme.set(next);
}
