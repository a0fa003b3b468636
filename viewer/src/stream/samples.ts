/** Decodes a record of samples of signals. */
import { StreamError } from "./errors";
import { Reader } from "./reader";

export interface SampleBlock {
  /** Indices of signals. */
  signals: number[];
  times: Float64Array;
  /** One array per signal; NaN where there is no value. */
  values: Float32Array[];
}

export function decodeSamples(payload: Uint8Array, signalCount: number): SampleBlock {
  const reader = new Reader(payload);
  const columns = reader.count(1, "columns");
  const signals: number[] = [];
  for (let c = 0; c < columns; c++) {
    const signal = reader.varint();
    if (signal >= signalCount) throw new StreamError("damaged", `a record of samples names signal ${signal} of ${signalCount}`);
    signals.push(signal);
  }
  const n = reader.count(8 + 4 * columns, "samples");
  const times = reader.f64s(n);
  return { signals, times, values: signals.map(() => reader.f32s(n)) };
}
