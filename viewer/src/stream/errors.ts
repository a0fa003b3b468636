/** Why a stream cannot be read, or only in part. */

export type StreamFault =
  /** The first bytes are not those of a stream. */
  | "foreign"
  /** Written by a later program. */
  | "newer"
  /** Written by an earlier program. */
  | "older"
  /** Ends inside a record. */
  | "cut"
  /** A checksum differs, or a record says what cannot be. */
  | "damaged"
  /** Nothing was there at all. */
  | "empty";

export class StreamError extends Error {
  constructor(readonly fault: StreamFault, detail: string) {
    super(detail);
    this.name = "StreamError";
  }
}

/** What to tell a person. `until` is the last time that could be read [s]. */
export function explain(error: StreamError, until: number | null): { title: string; text: string } {
  const shown = until === null ? "Nothing of it can be shown." : `What came before, up to t = ${Number(until.toPrecision(6))} s, is shown.`;
  switch (error.fault) {
    case "foreign":
      return { title: "Not a Fender stream", text: `The data in this page or file is something else: ${error.message}.` };
    case "newer":
      return { title: "Written by a newer Fender", text: `${error.message}. Open it with the version of Fender that wrote it.` };
    case "older":
      return { title: "Written by an older Fender", text: `${error.message}. Run the scenario again to see it here.` };
    case "cut":
      return { title: until === null ? "The recording is cut short" : `Cut short at t = ${Number(until.toPrecision(6))} s`, text: `The recording ends in the middle of a record. ${shown}` };
    case "damaged":
      return { title: "The recording is damaged", text: `${sentence(error.message)} ${shown}` };
    case "empty":
      return { title: "Nothing to show", text: `${sentence(error.message)}` };
  }
}

function sentence(text: string): string {
  return `${text.charAt(0).toUpperCase()}${text.slice(1)}.`;
}
