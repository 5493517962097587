import { randomInt } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Hub, Peer } from './hub.ts';

/** What may wait for a socket that does not read; then it is dropped, and what it missed it pulls when it is back. */
const BACKLOG_BYTES = 1024 * 1024;
/** Frames a socket may send at once, as after a reconnection, and in each second from then on. */
const FRAME_BURST = 300;
const FRAMES_PER_SECOND = 50;
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
export class SocketConnection implements Peer {
  readonly id = `${randomInt(1, 2 ** 47)}.${randomInt(1, 2 ** 47)}`;
  readonly socket: WebSocket;
  readonly #wire: Duplex;
  readonly #hub: Hub;
  /** Milliseconds of the endpoint's clock. */
  lastFrameAt: number;
  readonly openedAt: number;
  pingedAt: number | null = null;
  /** Whether it ever subscribed to something or signed in, as far as was looked. */
  wasUsed = false;
  /** Frames it may send now. */
  #allowance = FRAME_BURST;

  constructor(socket: WebSocket, wire: Duplex, hub: Hub, now: number) {
    this.socket = socket;
    this.#wire = wire;
    this.#hub = hub;
    this.lastFrameAt = now;
    this.openedAt = now;
  }

  /** Counts a frame of the other side. @returns false where it sends too many */
  countFrame(now: number): boolean {
    const refilled = this.#allowance + ((now - this.lastFrameAt) / 1000) * FRAMES_PER_SECOND;
    this.#allowance = Math.min(FRAME_BURST, refilled) - 1;
    this.lastFrameAt = now;
    this.pingedAt = null;
    return this.#allowance >= 0;
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
