import { randomInt } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Hub, Peer } from './hub.ts';

/** What may wait for a socket that does not read; then it is dropped, and what it missed it pulls when it is back. */
const BACKLOG_BYTES = 1024 * 1024;
/** How long a close may take before the line is cut. */
const CLOSING_MS = 2000;

/** Closes a socket, and cuts it where the other side does not close its end. */
export function closeSocket(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  const cut = setTimeout(() => socket.terminate(), CLOSING_MS);
  cut.unref();
  socket.once('close', () => clearTimeout(cut));
}

/** One socket and what it came over. There are thousands of them, so each holds little. */
export class Line implements Peer {
  readonly id = `${randomInt(1, 2 ** 47)}.${randomInt(1, 2 ** 47)}`;
  readonly socket: WebSocket;
  readonly #wire: Duplex;
  readonly #hub: Hub;
  /** Milliseconds of the endpoint's clock. */
  heardAt: number;
  askedAt: number | null = null;

  constructor(socket: WebSocket, wire: Duplex, hub: Hub, now: number) {
    this.socket = socket;
    this.#wire = wire;
    this.#hub = hub;
    this.heardAt = now;
  }

  hear(now: number): void {
    this.heardAt = now;
    this.askedAt = null;
  }

  isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  send(frame: string): void {
    if (this.#mayTakeMore()) this.socket.send(frame);
  }

  /** Past the library, which would make the head of the frame anew for each. It writes whole frames too, and at once. */
  deliver(wire: Buffer): void {
    if (this.#mayTakeMore()) this.#wire.write(wire);
  }

  end(code: number, reason: string): void {
    // At once, not when the other side has answered: nothing more is for it.
    this.#hub.leave(this);
    closeSocket(this.socket, code, reason);
  }

  #mayTakeMore(): boolean {
    if (!this.isOpen()) return false;
    if (this.#wire.writableLength <= BACKLOG_BYTES) return true;
    this.#hub.leave(this);
    this.socket.terminate();
    return false;
  }
}
