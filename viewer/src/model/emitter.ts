/** The smallest thing that tells others of changes. */
export class Emitter<Event> {
  private readonly listeners = new Set<(event: Event) => void>();

  on(listener: (event: Event) => void): () => void {
    this.listeners.add(listener);
    return () => this.listeners.delete(listener);
  }

  emit(event: Event): void {
    for (const listener of [...this.listeners]) listener(event);
  }
}

/** A value that tells when it changes. */
export class Value<T> {
  private readonly changes = new Emitter<T>();

  constructor(private current: T) {}

  get(): T {
    return this.current;
  }

  set(value: T): void {
    if (Object.is(value, this.current)) return;
    this.current = value;
    this.changes.emit(value);
  }

  /** Calls now and at each change. */
  watch(listener: (value: T) => void): () => void {
    listener(this.current);
    return this.changes.on(listener);
  }
}
