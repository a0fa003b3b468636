/** Cuts a stream of bytes, arriving in pieces of any size, into records. */
import { crc32 } from "./crc32";
import { StreamError } from "./errors";

export const MAGIC = "FENDERFR";
export const VERSION = 2;
const PREAMBLE = 12;
const HEADER = 8;
const TRAILER = 4;
/** A longer record is damage: the writer cuts far earlier. */
const LONGEST = 1 << 30;

export interface RawRecord {
  kind: string;
  /** The payload is deflated. */
  packed: boolean;
  payload: Uint8Array;
}

export class RecordSplitter {
  private buffer = new Uint8Array(0);
  /** Part of `buffer` that holds bytes. */
  private filled = 0;
  private at = 0;
  private begun = false;
  private failed: StreamError | null = null;

  /**
   * Takes more bytes and returns the records that are now whole.
   * After damage it stays silent: where the next record begins is not known any more.
   */
  push(bytes: Uint8Array): { records: RawRecord[]; error: StreamError | null } {
    const records: RawRecord[] = [];
    if (this.failed) return { records, error: null };
    this.append(bytes);
    try {
      if (!this.begun && !this.begin()) return { records, error: null };
      for (let record = this.next(); record; record = this.next()) records.push(record);
    } catch (error) {
      if (!(error instanceof StreamError)) throw error;
      this.failed = error;
    }
    return { records, error: this.failed };
  }

  /** Says that no more bytes come: what is left over is a record cut short. */
  end(): StreamError | null {
    if (this.failed) return null;
    if (!this.begun) {
      if (this.filled === 0) return new StreamError("empty", "the recording is empty");
      return MAGIC.startsWith(ascii(this.buffer.subarray(0, Math.min(8, this.filled))))
        ? new StreamError("cut", "it ends before it begins")
        : this.foreign();
    }
    return this.at < this.filled ? new StreamError("cut", "it ends inside a record") : null;
  }

  private append(bytes: Uint8Array): void {
    if (this.at === this.filled && bytes.length > 0) {
      // Nothing pending (the usual case): look at the caller's bytes without copying them.
      this.buffer = bytes as Uint8Array<ArrayBuffer>;
      this.filled = bytes.length;
      this.at = 0;
      return;
    }
    const pending = this.filled - this.at;
    const joined = new Uint8Array(pending + bytes.length);
    joined.set(this.buffer.subarray(this.at, this.filled));
    joined.set(bytes, pending);
    this.buffer = joined;
    this.filled = joined.length;
    this.at = 0;
  }

  private begin(): boolean {
    const start = ascii(this.buffer.subarray(0, Math.min(8, this.filled)));
    if (!MAGIC.startsWith(start)) throw this.foreign();
    if (this.filled < PREAMBLE) return false;
    const version = view(this.buffer, 8).getUint32(0, true);
    if (version > VERSION) throw new StreamError("newer", `It has version ${version} of the format, and this viewer reads version ${VERSION}`);
    if (version < VERSION) throw new StreamError("older", `It has version ${version} of the format, and this viewer reads version ${VERSION}`);
    this.at = PREAMBLE;
    this.begun = true;
    return true;
  }

  private foreign(): StreamError {
    const start = [...this.buffer.subarray(0, Math.min(8, this.filled))].map((b) => b.toString(16).padStart(2, "0")).join(" ");
    return new StreamError("foreign", `it begins with the bytes ${start}, not with “${MAGIC}”`);
  }

  private next(): RawRecord | null {
    if (this.filled - this.at < HEADER) return null;
    const header = view(this.buffer, this.at);
    const length = header.getUint32(4, true);
    const packed = header.getUint8(1);
    if (packed > 1 || header.getUint16(2, true) !== 0 || length > LONGEST) throw new StreamError("damaged", "a record has a header that no Fender writes");
    const whole = HEADER + length + TRAILER;
    if (this.filled - this.at < whole) return null;
    const payload = this.buffer.subarray(this.at + HEADER, this.at + HEADER + length);
    const kind = String.fromCharCode(header.getUint8(0));
    const checksum = view(this.buffer, this.at + HEADER + length).getUint32(0, true);
    if (crc32(payload) !== checksum) throw new StreamError("damaged", `the checksum of a record (${kind}) does not match its contents`);
    this.at += whole;
    return { kind, packed: packed === 1, payload };
  }
}

function view(bytes: Uint8Array, at: number): DataView {
  return new DataView(bytes.buffer, bytes.byteOffset + at, bytes.byteLength - at);
}

function ascii(bytes: Uint8Array): string {
  return String.fromCharCode(...bytes);
}
