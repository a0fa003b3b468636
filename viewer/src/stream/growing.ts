/** Numbers in a typed array that grows by doubling: how many contacts a record has is known only after reading it. */
export class Growing {
  private data = new Float32Array(256);
  length = 0;

  /** Makes room for `count` more and returns where they begin. */
  extend(count: number): number {
    const start = this.length;
    this.length += count;
    if (this.length > this.data.length) {
      const larger = new Float32Array(Math.max(this.length, 2 * this.data.length));
      larger.set(this.data);
      this.data = larger;
    }
    return start;
  }

  set(index: number, value: number): void {
    this.data[index] = value;
  }

  done(): Float32Array {
    return this.data.slice(0, this.length);
  }
}
