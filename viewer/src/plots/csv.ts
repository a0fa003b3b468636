/** Curves as a table for other programs: every sample, not only those drawn. */
import type { PlotCurve } from "./curves";

function quoted(text: string): string {
  return /[",\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

export function csv(curves: PlotCurve[], several: boolean): string {
  const times = [...new Set(curves.flatMap((curve) => [...curve.times]))].sort((a, b) => a - b);
  const row = new Map(times.map((time, i) => [time, i]));
  const columns = curves.map((curve) => {
    const column: string[] = new Array(times.length).fill("");
    for (let i = 0; i < curve.times.length; i++) {
      // A stacked curve is drawn on top of others; the table has the signal itself.
      const value = curve.area ? curve.at(curve.times[i]) : curve.values[i];
      if (value !== null && !Number.isNaN(value)) column[row.get(curve.times[i]) as number] = String(Number(value.toPrecision(9)));
    }
    return column;
  });
  const names = curves.map((c) => quoted(`${several ? `${c.run.name}: ` : ""}${c.name}${c.unit && c.unit !== "1" ? ` [${c.unit}]` : ""}`));
  const lines = times.map((time, i) => [String(Number(time.toPrecision(12))), ...columns.map((c) => c[i])].join(","));
  return [["time [s]", ...names].join(","), ...lines].join("\n") + "\n";
}
