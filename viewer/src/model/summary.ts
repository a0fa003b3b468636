/** The figures of a run, as in summary.json. Any of them may be missing. */

export interface Outcome {
  what: string;
  unit: string;
  asked: number | null;
  tolerance: number | null;
  above: number | null;
  below: number | null;
  got: number | null;
  met: boolean;
  reached?: boolean;
  why: string;
}

export interface Extreme {
  value: number;
  time: number;
  at: number;
}

/** Extreme of a recorded signal. */
export interface SignalExtreme {
  signal: string;
  value: number;
  time: number;
}

export interface CableFigures {
  name: string;
  length: number;
  nodes: number;
  largest_tension: Extreme | null;
  smallest_tension: Extreme | null;
  largest_curvature: Extreme | null;
  utilisation: Extreme | null;
  bend_utilisation: Extreme | null;
  dynamic_amplification: number | null;
  slack_share: number | null;
  snaps: number;
}

/** Bodies and cables that were taken through the same number of steps and parts of steps. */
export interface IslandSteps {
  members: string[];
  steps: number;
}

export interface Summary {
  version: string;
  scenario: string;
  title: string;
  hash: string;
  ended: string;
  message: string | null;
  time: number;
  duration: number;
  steps: number;
  rejected_steps: number;
  evaluations: number;
  iterations?: number;
  unconverged_steps?: number;
  islands?: IslandSteps[];
  wall_time: number;
  real_time_factor: number | null;
  deepest_penetration: number | null;
  deepest_time: number | null;
  largest_contact_force?: SignalExtreme | null;
  smallest_clearance?: SignalExtreme | null;
  energy_scale?: number | null;
  energy_residual: number | null;
  relative_energy_residual: number | null;
  cables: CableFigures[];
  state_hash: string;
  expectations: Outcome[];
  warnings: string[];
}

export function parseSummary(value: unknown): Partial<Summary> {
  const json = typeof value === "object" && value !== null ? (value as Partial<Summary>) : {};
  const list = <T>(items: unknown): T[] => (Array.isArray(items) ? (items as T[]) : []);
  return { ...json, islands: list<IslandSteps>(json.islands), cables: list<CableFigures>(json.cables), expectations: list<Outcome>(json.expectations), warnings: list<string>(json.warnings).map(String) };
}

export type Verdict = "met" | "missed" | "not reached";

export function verdict(outcome: Outcome): Verdict {
  if (outcome.reached === false) return "not reached";
  return outcome.met ? "met" : "missed";
}
