import { randomInt } from 'node:crypto';
import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Log } from '#server/deps.ts';
import type { Credentials } from './channels.ts';
import { type Hub, NOT_ALLOWED, type Peer } from './hub.ts';

/** Of a frame, either way. */
const FRAME_BYTES = 100_000;
/** What may wait for a socket that does not read; then it is dropped, and what it missed it pulls when it is back. */
const BACKLOG_BYTES = 1024 * 1024;
/** Seconds without a frame after which a socket is asked whether it is there; told to clients, who ask by themselves. */
const ACTIVITY_S = 120;
const PONG_MS = 30_000;
const LOOK_EVERY_MS = 10_000;
/** How long a close may take before the line is cut. */
const CLOSING_MS = 2000;
/** Between two sockets that are let go of: a few go at once. */
const LONGEST_PAUSE_MS = 10;
const SOCKETS_OF_AN_ADDRESS = 2000;
const SOCKETS = 50_000;
const PROTOCOL = 7;

/** Close codes of the protocol. */
const CODE = {
  noApp: 4001,
  noPath: 4005,
  badVersion: 4006,
  otherVersion: 4007,
  noVersion: 4008,
  full: 4100,
  silent: 4201,
  goingAway: 1001,
};

interface EndpointOptions {
  credentials: Credentials;
  hub: Hub;
  log: Log;
  /** Whether pages of this origin may connect; who names none is no page. */
  isAllowed: (origin: string, request: IncomingMessage) => boolean;
  /** Where a request comes from, proxies aside. */
  addressOf: (request: IncomingMessage) => string;
  /** Milliseconds, ever rising. */
  now?: () => number;
  /** How long sockets are let go of when the server stops, milliseconds: they would all be back at once. */
  spreadMs: number;
}

interface Line {
  socket: WebSocket;
  /** Milliseconds of the endpoint's clock. */
  heardAt: number;
  askedAt: number | null;
}

/** Why a client is not let in, or null. Told by a close code: that is what makes it stay away or come back. */
function refusalOf(url: URL, key: string): { code: number; reason: string } | null {
  const path = /^\/app\/([^/]+)$/.exec(url.pathname);
  if (path === null) return { code: CODE.noPath, reason: 'No such path' };
  if (path[1] !== key) return { code: CODE.noApp, reason: 'No such app' };
  const version = url.searchParams.get('protocol');
  if (version === null || version === '') return { code: CODE.noVersion, reason: 'The protocol is not named' };
  if (!/^\d+$/.test(version)) return { code: CODE.badVersion, reason: 'The protocol is no number' };
  if (Number(version) !== PROTOCOL) return { code: CODE.otherVersion, reason: `Protocol ${PROTOCOL} is spoken here` };
  return null;
}

const newSocketId = () => `${randomInt(1, 2 ** 47)}.${randomInt(1, 2 ** 47)}`;

/** The sockets of the Pusher protocol 7, beside the API on one port: `GET /app/{key}`. */
export class Endpoint {
  readonly #options: EndpointOptions;
  readonly #lines = new Map<Peer, Line>();
  readonly #ofAddress = new Map<string, number>();
  readonly #sockets = new WebSocketServer({ noServer: true, maxPayload: FRAME_BYTES, perMessageDeflate: false });
  readonly #looking: NodeJS.Timeout;
  readonly #now: () => number;
  #isClosing = false;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#looking = setInterval(() => this.look(), LOOK_EVERY_MS);
    this.#looking.unref();
  }

  /** Takes the upgrades of this server. */
  listenTo(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, line: Duplex, head: Buffer) => {
      line.on('error', () => line.destroy());
      const url = URL.canParse(request.url ?? '', 'http://socket') ? new URL(request.url ?? '', 'http://socket') : null;
      if (!url?.pathname.startsWith('/app/')) {
        line.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      this.#sockets.handleUpgrade(request, line, head, (socket) => this.#admit(socket, line, request, url));
    });
  }

  /** Lets go of all sockets one after the other; they come back to whoever listens then. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#looking);
    const lines = [...this.#lines];
    const pause = Math.min(LONGEST_PAUSE_MS, this.#options.spreadMs / lines.length);
    const startedAt = performance.now();
    const closed = lines.map(([, { socket }]) => new Promise((resolve) => socket.once('close', resolve)));
    for (const [index, [peer]] of lines.entries()) {
      peer.end(CODE.goingAway, 'The server stops');
      const due = pause * (index + 1) - (performance.now() - startedAt);
      if (due > 4 && index < lines.length - 1) await new Promise((resolve) => setTimeout(resolve, due));
    }
    await Promise.all(closed);
    this.#sockets.close();
  }

  #admit(socket: WebSocket, wire: Duplex, request: IncomingMessage, url: URL): void {
    const { credentials, hub, isAllowed, addressOf, log } = this.#options;
    // Without a listener an error of one socket would end the process.
    socket.on('error', (error) => log.debug({ err: error }, 'a socket failed'));
    const { origin } = request.headers;
    const address = addressOf(request);
    const count = this.#ofAddress.get(address) ?? 0;
    const refusal =
      refusalOf(url, credentials.key) ??
      (origin !== undefined && !isAllowed(origin, request)
        ? { code: NOT_ALLOWED, reason: 'Not from this page' }
        : null) ??
      (this.#isClosing ? { code: CODE.goingAway, reason: 'The server stops' } : null) ??
      (count >= SOCKETS_OF_AN_ADDRESS || hub.size >= SOCKETS ? { code: CODE.full, reason: 'Too many sockets' } : null);
    if (refusal !== null) {
      const data = JSON.stringify({ code: refusal.code, message: refusal.reason });
      socket.send(JSON.stringify({ event: 'pusher:error', data }));
      this.#end(socket, refusal.code, refusal.reason);
      return;
    }
    const peer = this.#peerOf(socket, wire);
    const line: Line = { socket, heardAt: this.#now(), askedAt: null };
    this.#lines.set(peer, line);
    this.#ofAddress.set(address, count + 1);
    hub.join(peer);
    const hear = () => {
      line.heardAt = this.#now();
      line.askedAt = null;
    };
    socket.on('pong', hear);
    socket.on('ping', hear);
    socket.on('message', (data: Buffer, isBinary) => {
      hear();
      if (isBinary) peer.end(1003, 'Frames are text');
      else hub.receive(peer, data.toString('utf8'));
    });
    socket.on('close', () => {
      hub.leave(peer);
      this.#lines.delete(peer);
      const left = (this.#ofAddress.get(address) ?? 1) - 1;
      if (left > 0) this.#ofAddress.set(address, left);
      else this.#ofAddress.delete(address);
    });
    const data = JSON.stringify({ socket_id: peer.id, activity_timeout: ACTIVITY_S });
    peer.send(JSON.stringify({ event: 'pusher:connection_established', data }));
  }

  #peerOf(socket: WebSocket, wire: Duplex): Peer {
    const peer: Peer = {
      id: newSocketId(),
      isOpen: () => socket.readyState === socket.OPEN,
      send: (frame) => {
        if (mayTakeMore()) socket.send(frame);
      },
      // Past the library, which would make the head of the frame anew for each. It writes whole frames too, and at once.
      deliver: (frame) => {
        if (mayTakeMore()) wire.write(frame);
      },
      end: (code, reason) => {
        // At once, not when the other side has answered: nothing more is for it.
        this.#options.hub.leave(peer);
        this.#end(socket, code, reason);
      },
    };
    const mayTakeMore = () => {
      if (socket.readyState !== socket.OPEN) return false;
      if (wire.writableLength <= BACKLOG_BYTES) return true;
      this.#options.hub.leave(peer);
      socket.terminate();
      return false;
    };
    return peer;
  }

  #end(socket: WebSocket, code: number, reason: string): void {
    socket.close(code, reason);
    const cut = setTimeout(() => socket.terminate(), CLOSING_MS);
    cut.unref();
    socket.once('close', () => clearTimeout(cut));
  }

  /** Asks those who are silent, and lets go of those who do not answer. Done every ten seconds. */
  look(): void {
    const now = this.#now();
    for (const [peer, line] of this.#lines) {
      if (line.askedAt !== null) {
        if (now - line.askedAt >= PONG_MS) peer.end(CODE.silent, 'No answer');
      } else if (now - line.heardAt >= ACTIVITY_S * 1000) {
        line.askedAt = now;
        // Browsers answer this one by themselves, also for a page that sleeps.
        line.socket.ping();
      }
    }
  }
}
