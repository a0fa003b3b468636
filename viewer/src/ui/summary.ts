/** The summary: what was run, and how it went. */
import type { App } from "../app/app";
import { type CableFigures, type Extreme, type Outcome, type SignalExtreme, type Summary, verdict } from "../model/summary";
import { h } from "./dom";
import { chapters } from "./events";
import { bodiesText, figure, known, quantity } from "./format";

const SIGN = { met: "✓", missed: "✗", "not reached": "○" } as const;

function asked(o: Outcome): string {
  const given = (value: number | null | undefined, word: string): string[] =>
    value === null || value === undefined ? [] : [`${word}${quantity(value, o.unit)}`];
  const bounds = [...given(o.above, "above "), ...given(o.below, "below ")].join(" and ");
  return [...given(o.asked, ""), ...given(o.tolerance, "± "), bounds].filter(Boolean).join(" ");
}

/** What an outcome is told beside: its value is rounding if it is next to nothing of that. */
function scaleOf(o: Outcome): number {
  return Math.max(...[o.asked, o.tolerance, o.above, o.below].map((number) => Math.abs(number ?? 0)));
}

function outcome(o: Outcome): HTMLElement {
  const word = verdict(o);
  return h("li", { class: `outcome ${word.replace(" ", "-")}` },
    h("span", { class: "sign", "aria-hidden": "true" }, SIGN[word]),
    h("div", {},
      h("div", { class: "what" }, o.what, h("span", { class: "word" }, word)),
      h("div", { class: "numbers" }, `asked ${asked(o)}, got ${quantity(known(o.got, scaleOf(o)), o.unit, 7)}`),
      o.why ? h("div", { class: "why" }, o.why) : null));
}

const place = (e: Extreme): string => `at ${quantity(e.at, "m", 4)}, ${quantity(e.time, "s", 4)}`;

/** A few of many names. */
const few = (names: string[]): string => names.slice(0, 4).join(", ") + (names.length > 4 ? ` and ${names.length - 4} more` : "");

/** Part of the largest tension below which the smallest is none: no method integrates more exactly. */
const LEAST_TOLD = 1e-6;

/** The figures of a cable, name and value. */
export function cableRows(cable: CableFigures): [string, string | null][] {
  const { largest_tension: most, smallest_tension: least, largest_curvature: bent, utilisation: used, bend_utilisation: bend } = cable;
  const percent = (part: number): string => `${figure(100 * part, 3)} %`;
  return [
    ["length", quantity(cable.length, "m")],
    ["largest tension", most ? `${quantity(most.value, "N", 4)} ${place(most)}` : null],
    ["by that at the start", cable.dynamic_amplification ? `${figure(cable.dynamic_amplification, 4)}×` : "not told: slack or unloaded then"],
    ["of the breaking load", used ? percent(used.value) : null],
    ["smallest tension", least ? `${quantity(Math.abs(least.value) < LEAST_TOLD * (most?.value ?? 0) ? 0 : least.value, "N", 4)} ${place(least)}` : null],
    ["largest curvature", bent && bent.value > 0 ? `${quantity(bent.value, "1/m", 4)} ${place(bent)}` : null],
    ["of what it may be bent to", bend ? percent(bend.value) : null],
    ["slack", cable.slack_share ? `${percent(cable.slack_share)} of the time, taut again ${cable.snaps}×` : null],
  ];
}

function table(rows: [string, string | null | undefined][]): HTMLElement {
  return h("dl", { class: "facts" }, ...rows.filter(([, value]) => value).flatMap(([name, value]) => [h("dt", {}, name), h("dd", {}, value ?? "")]));
}

function section(title: string, ...content: (HTMLElement | null)[]): HTMLElement {
  return h("section", { class: "block" }, h("h3", {}, title), ...content);
}

function extreme(found: SignalExtreme | null | undefined, unit: string): string | null {
  return found ? `${quantity(found.value, unit, 4)} at ${quantity(found.time, "s", 4)} (${found.signal})` : null;
}

/** The residual, unless it is only rounding beside the energies of the run. */
export function residual(s: Partial<Summary>): string | null {
  if (s.energy_residual === null || s.energy_residual === undefined) return null;
  const told = known(s.energy_residual, s.energy_scale ?? 0);
  if (told === 0) return "0 J but for rounding";
  return `${quantity(told, "J", 4)} (${figure(100 * (s.relative_energy_residual ?? 0), 3)} % of the energies turned over)`;
}

export class SummaryPanel {
  readonly element = h("div", { class: "summary" });

  constructor(private readonly app: App) {}

  update(): void {
    const [run, ...others] = this.app.runs;
    const { head } = run;
    if (!head) return;
    const s: Partial<Summary> = run.summary ?? {};
    const outcomes = s.expectations ?? [];
    const warnings = s.warnings ?? [];
    const met = outcomes.filter((o) => verdict(o) === "met").length;
    const size = Math.hypot(...head.gravity);
    const parts = chapters(run.events);
    this.element.replaceChildren(
      h("h2", {}, head.title),
      head.description ? h("p", { class: "description" }, head.description) : "",
      s.message ? h("p", { class: "notice warn" }, s.message) : "",
      parts.length > 0 ? section("Shown one after another", h("ul", { class: "chapters" }, ...parts.map((part) =>
        h("li", {}, h("button", { type: "button", class: "small", click: () => this.app.clock.seek(part.time) }, part.label))))) : "",
      run.summary || parts.length > 0 ? "" : h("p", { class: "hint" }, this.app.mode === "live" ? "The figures come when the run ends." : "This recording has no summary: the run did not come to its end."),
      outcomes.length > 0 ? section(`Expectations: ${met} of ${outcomes.length} met`, h("ul", { class: "outcomes" }, ...outcomes.map(outcome))) : "",
      warnings.length > 0 ? section(`Warnings: ${warnings.length}`, h("ul", { class: "warnings" }, ...warnings.map((w) => h("li", {}, h("span", { class: "sign", "aria-hidden": "true" }, "!"), w)))) : "",
      run.summary ? section("How it went", table([
        ["ended", s.ended],
        ["simulated", s.time === undefined ? null : `${figure(s.time)} of ${figure(s.duration)} s`],
        ["deepest penetration", s.deepest_penetration ? `${quantity(s.deepest_penetration, "m")}${s.deepest_time === null ? "" : ` at ${quantity(s.deepest_time, "s")}`}` : null],
        ["largest contact force", extreme(s.largest_contact_force, "N")],
        ["smallest clearance", extreme(s.smallest_clearance, "m")],
        ["energy residual", residual(s)],
        ["steps", s.steps === undefined ? null : `${s.steps.toLocaleString("en")}${s.rejected_steps ? `, ${s.rejected_steps.toLocaleString("en")} rejected` : ""}`],
        ...(s.islands ?? []).filter((island) => island.steps > (s.steps ?? 0)).slice(0, 4).map((island): [string, string] => ["steps with parts", `${island.steps.toLocaleString("en")} for ${few(island.members)}`]),
        ["unconverged steps", s.unconverged_steps ? s.unconverged_steps.toLocaleString("en") : null],
        ["Newton steps", s.iterations ? s.iterations.toLocaleString("en") : null],
        ["mean step", s.steps && s.time ? quantity(s.time / s.steps, "s", 4) : null],
        ["evaluations", s.evaluations?.toLocaleString("en")],
        ["wall time", s.wall_time === undefined ? null : quantity(s.wall_time, "s", 4)],
        ["real-time factor", s.real_time_factor ? `${figure(s.real_time_factor, 4)}×` : null],
      ])) : "",
      ...(s.cables ?? []).map((cable) => section(`Cable ${cable.name}`, table(cableRows(cable)))),
      section("What was run", table([
        ["scenario", head.name],
        ["integrator", head.integrator],
        ["duration", quantity(head.duration, "s")],
        ["gravity", size > 0 ? `${quantity(size, "m/s²")} along (${head.gravity.map((g) => figure(g / size, 3)).join(", ")})` : "none"],
        ["bodies", bodiesText(head.bodies)],
        ["cables", head.curves.length > 0 ? String(head.curves.length) : null],
        ["joints", head.joints.length > 0 ? String(head.joints.length) : null],
        ["loops", head.loops.length > 0 ? String(head.loops.length) : null],
        ["signals", String(head.signals.length)],
        ["events", String(run.events.length)],
        ["frames", run.frames ? `${run.frames.count}, one every ${quantity(head.period, "s")}` : null],
      ])),
      head.parameters.length > 0 ? section("Parameters", table(head.parameters)) : "",
      others.length > 0 ? section("Beside it", table(others.map((other) => [other.name, other.head?.title ?? "not read"]))) : "",
      section("Origin", table([
        ["Fender", head.version],
        ["scenario hash", head.hash || s.hash],
        ["state hash", s.state_hash],
      ])),
    );
  }
}
