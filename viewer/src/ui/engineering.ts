/** Units with prefixes, as engineers write them: kN, MJ, µm. The same rule as in crates/fender-run/src/plot/engineering.rs. */

/** Units that go with large and small prefixes, and those that only go with small ones (nobody writes Mm or ks). */
const BOTH = ["N", "J", "W", "Pa", "N·m", "N/m", "N·s", "N·s/m"];
const SMALL = ["m", "s", "m/s"];
const LARGE_PREFIXES: [number, string][] = [[1e9, "G"], [1e6, "M"], [1e3, "k"]];
const SMALL_PREFIXES: [number, string][] = [[1e-6, "µ"], [1e-9, "n"]];

export interface Scaled {
  /** What one of the unit is in SI. */
  factor: number;
  unit: string;
}

/** The unit in which a quantity of a size reads best. From a thousandth up to a thousand it stays as it is. */
export function scaledUnit(unit: string, size: number): Scaled {
  const plain = { factor: 1, unit };
  const large = BOTH.includes(unit);
  if (!(size > 0) || !Number.isFinite(size) || !(large || SMALL.includes(unit))) return plain;
  const known = (factor: number, prefix: string): Scaled => ({ factor, unit: prefix + unit });
  const prefixes = size >= 1 ? (large ? LARGE_PREFIXES : []) : size < 1e-3 ? SMALL_PREFIXES : [];
  const found = prefixes.find(([factor]) => size >= factor);
  return found ? known(...found) : plain;
}
