import { randomInt } from 'node:crypto';
import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import type { Hub } from './hub.ts';
import type { Peer } from './peer.ts';

/** A socket that does not read is dropped when more than this waits for it. It pulls what it missed when it reconnects. */
const MAX_BACKLOG_BYTES = 1024 * 1024;
/** Token bucket of received frames: the burst that a socket may send, as after a reconnection, and the refill rate. */
const FRAME_BURST = 300;
const FRAMES_PER_SECOND = 50;
/** How long the closing handshake may take before the connection is cut. */
const CLOSE_TIMEOUT_MS = 2000;

/** Closes a socket, and terminates it when the client does not complete the closing handshake. */
export function closeSocket(socket: WebSocket, code: number, reason: string): void {
  socket.close(code, reason);
  const terminateTimer = setTimeout(() => socket.terminate(), CLOSE_TIMEOUT_MS);
  terminateTimer.unref();
  socket.once('close', () => clearTimeout(terminateTimer));
}

/** One socket and its TCP stream. There are thousands of these, so each holds little state. */
export class SocketConnection implements Peer {
  readonly id = `${randomInt(1, 2 ** 47)}.${randomInt(1, 2 ** 47)}`;
  readonly socket: WebSocket;
  readonly #stream: Duplex;
  readonly #hub: Hub;
  /** In milliseconds of the endpoint's clock. */
  lastFrameAt: number;
  readonly openedAt: number;
  pingedAt: number | null = null;
  /** Whether it had subscribed or signed in at the last check. */
  wasUsed = false;
  /** Frames that it may send now. */
  #tokens = FRAME_BURST;

  constructor(socket: WebSocket, stream: Duplex, hub: Hub, now: number) {
    this.socket = socket;
    this.#stream = stream;
    this.#hub = hub;
    this.lastFrameAt = now;
    this.openedAt = now;
  }

  /** Counts a received frame. @returns false when the client sends too many */
  countFrame(now: number): boolean {
    const refilled = this.#tokens + ((now - this.lastFrameAt) / 1000) * FRAMES_PER_SECOND;
    this.#tokens = Math.min(FRAME_BURST, refilled) - 1;
    this.lastFrameAt = now;
    this.pingedAt = null;
    return this.#tokens >= 0;
  }

  isOpen(): boolean {
    return this.socket.readyState === this.socket.OPEN;
  }

  send(frame: string): void {
    if (this.#canSend()) this.socket.send(frame);
  }

  /** Bypasses the library, which would build the frame header again for each socket. It also writes whole frames at once. */
  deliver(wire: Buffer): void {
    if (this.#canSend()) this.#stream.write(wire);
  }

  end(code: number, reason: string): void {
    // Leave immediately instead of after the closing handshake, so that no more events are sent to it.
    this.#hub.leave(this);
    closeSocket(this.socket, code, reason);
  }

  #canSend(): boolean {
    if (!this.isOpen()) return false;
    if (this.#stream.writableLength <= MAX_BACKLOG_BYTES) return true;
    this.#hub.leave(this);
    this.socket.terminate();
    return false;
  }
}
