/** Turns a stream into what is in it. Frames stay packed here: whoever shows them unpacks them when they are needed. */
import { inflateSync } from "fflate";
import { StreamError } from "./errors";
import { type Head, parseHead } from "./head";
import { decodeMesh, type MeshData } from "./mesh";
import { type RawRecord, RecordSplitter } from "./records";
import { decodeSamples, type SampleBlock } from "./samples";
import { type LiveState, parseEvents, parseState, type RunEvent } from "./texts";

/** What a decoder calls for each thing that it finds, in the stream's order. */
export interface Sink {
  /** A run begins; everything before is forgotten. */
  head(head: Head): void;
  mesh(mesh: MeshData): void;
  /** With the outlines of their contacts, if they have any. */
  frames(record: RawRecord, patches: RawRecord | null): void;
  samples(samples: SampleBlock): void;
  events(events: RunEvent[]): void;
  summary(summary: unknown): void;
  state(state: LiveState): void;
}

export class StreamDecoder {
  private readonly splitter = new RecordSplitter();
  private current: Head | null = null;
  private failed = false;
  /** Outlines of the frames in the next record. */
  private patches: RawRecord | null = null;

  constructor(private readonly sink: Sink) {}

  /** Reads more bytes. What is wrong is returned once; what came before it has reached the sink. */
  push(bytes: Uint8Array): StreamError | null {
    if (this.failed) return null;
    const { records, error } = this.splitter.push(bytes);
    try {
      for (const record of records) this.take(record);
    } catch (thrown) {
      this.failed = true;
      return asStreamError(thrown);
    }
    if (error) this.failed = true;
    return error;
  }

  /** No more bytes come. */
  end(): StreamError | null {
    if (this.failed) return null;
    const error = this.splitter.end();
    return error ?? (this.current ? null : new StreamError("empty", "the recording has no head"));
  }

  private take(record: RawRecord): void {
    if (record.kind === "H") {
      this.current = parseHead(json(record));
      this.sink.head(this.current);
      return;
    }
    if (!"MFPSEZC".includes(record.kind)) return;
    // The state of a live run may come before its head; nothing else may.
    if (record.kind === "C") return this.sink.state(parseState(json(record)));
    const head = this.current;
    if (!head) throw new StreamError("damaged", `a record (${record.kind}) comes before the head`);
    switch (record.kind) {
      case "M":
        return this.sink.mesh(decodeMesh(unpack(record)));
      case "P":
        this.patches = record;
        return;
      case "F": {
        const patches = this.patches;
        this.patches = null;
        return this.sink.frames(record, patches);
      }
      case "S":
        return this.sink.samples(decodeSamples(unpack(record), head.signals.length));
      case "E":
        return this.sink.events(parseEvents(json(record)));
      case "Z":
        return this.sink.summary(json(record));
    }
  }
}

/** The payload of a record as it was before packing. */
export function unpack(record: RawRecord): Uint8Array {
  if (!record.packed) return record.payload;
  try {
    return inflateSync(record.payload);
  } catch {
    throw new StreamError("damaged", `a record (${record.kind}) cannot be unpacked`);
  }
}

function json(record: RawRecord): unknown {
  const bytes = unpack(record);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes));
  } catch {
    throw new StreamError("damaged", `a record (${record.kind}) is not proper JSON`);
  }
}

/** Damage that a checksum cannot show may surface as any error; it is damage all the same. */
export function asStreamError(error: unknown): StreamError {
  if (error instanceof StreamError) return error;
  return new StreamError("damaged", `a record cannot be understood (${error instanceof Error ? error.message : String(error)})`);
}
