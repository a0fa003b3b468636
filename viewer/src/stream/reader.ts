import { StreamError } from "./errors";

/** Reads numbers from bytes; running over the end is damage, never garbage. */
export class Reader {
  private at = 0;
  private readonly view: DataView;

  constructor(private readonly bytes: Uint8Array) {
    this.view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  }

  /** Bytes not read yet. */
  get left(): number {
    return this.bytes.length - this.at;
  }

  private take(count: number): number {
    const start = this.at;
    if (count > this.left) throw new StreamError("damaged", "a record is shorter than it says");
    this.at += count;
    return start;
  }

  u32(): number {
    return this.view.getUint32(this.take(4), true);
  }

  f64(): number {
    return this.view.getFloat64(this.take(8), true);
  }

  f32s(count: number): Float32Array {
    return new Float32Array(this.copy(count * 4));
  }

  f64s(count: number): Float64Array {
    return new Float64Array(this.copy(count * 8));
  }

  u32s(count: number): Uint32Array {
    return new Uint32Array(this.copy(count * 4));
  }

  u8s(count: number): Uint8Array {
    return new Uint8Array(this.copy(count));
  }

  // A copy is aligned, which a view into a record is not. Every machine that runs a browser today is little-endian.
  private copy(bytes: number): ArrayBuffer {
    const start = this.take(bytes);
    return this.bytes.slice(start, start + bytes).buffer as ArrayBuffer;
  }

  /** A whole number ≥ 0. Exact up to 2⁵³: beyond 28 bits it is put together by multiplication, since shifts have 32. */
  varint(): number {
    const bytes = this.bytes;
    let value = 0;
    let scale = 1;
    for (let i = this.at; i < bytes.length; i++) {
      const byte = bytes[i];
      if (byte < 0x80) {
        this.at = i + 1;
        return value + byte * scale;
      }
      value += (byte & 0x7f) * scale;
      scale *= 128;
      if (scale > 2 ** 63) throw new StreamError("damaged", "a number in a record is too long");
    }
    throw new StreamError("damaged", "a record is shorter than it says");
  }

  /** A signed whole number, zigzag. */
  signed(): number {
    const value = this.varint();
    // Halving is exact for the sizes that occur; the parity tells the sign.
    return value % 2 === 0 ? value / 2 : -(value + 1) / 2;
  }

  /** A count of things of at least `size` bytes each, so that damage cannot ask for all memory. */
  count(size: number, of: string): number {
    const count = this.varint();
    if (count * size > this.left) throw new StreamError("damaged", `a record claims ${count} ${of}, more than it has room for`);
    return count;
  }
}
