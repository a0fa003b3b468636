/** The websocket of a live run: comes back on its own after the server went away. */

/** First and longest pause before trying again [ms]. */
const FIRST = 1000;
const LONGEST = 10_000;

export type Command =
  | { command: "pause" | "resume" | "step" | "restart" }
  | { command: "speed"; value: number | null };

export interface ConnectionEvents {
  /** A connection stands: a stream begins anew. */
  opened(): void;
  data(bytes: Uint8Array): void;
  /** It is gone; the next try is in so many milliseconds. */
  lost(retry: number): void;
}

export class Connection {
  private socket: WebSocket | null = null;
  private pause = FIRST;

  constructor(private readonly url: string, private readonly events: ConnectionEvents) {}

  connect(): void {
    const socket = new WebSocket(this.url);
    socket.binaryType = "arraybuffer";
    this.socket = socket;
    socket.onopen = () => {
      this.pause = FIRST;
      this.events.opened();
    };
    socket.onmessage = (event: MessageEvent<ArrayBuffer | string>) => {
      if (event.data instanceof ArrayBuffer) this.events.data(new Uint8Array(event.data));
    };
    // An error is always followed by a close.
    socket.onclose = () => {
      this.socket = null;
      const retry = this.pause;
      this.pause = Math.min(2 * retry, LONGEST);
      this.events.lost(retry);
      setTimeout(() => this.connect(), retry);
    };
  }

  get connected(): boolean {
    return this.socket?.readyState === WebSocket.OPEN;
  }

  send(command: Command): void {
    if (this.connected) this.socket?.send(JSON.stringify(command));
  }
}
