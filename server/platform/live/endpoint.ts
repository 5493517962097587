import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Log } from '#server/platform/log.ts';
import { isWebSocket, serveWithoutUpgrade } from '#server/platform/plugins/other-upgrades.ts';
import type { Credentials } from './channels.ts';
import { frame } from './frames.ts';
import { toNetwork } from '#server/platform/http/rate-limiter.ts';
import { type Hub, NOT_ALLOWED } from './hub.ts';
import { closeSocket, SocketConnection } from './connection.ts';

/** Of a frame, either way. */
const FRAME_BYTES = 100_000;
/** Seconds without a frame after which a socket is asked whether it is there; told to clients, who ask by themselves. */
const ACTIVITY_S = 120;
const PONG_MS = 30_000;
const LOOK_EVERY_MS = 10_000;
/** Between two sockets that are let go of: a few go at once. */
const LONGEST_PAUSE_MS = 10;
/** Of a household or a set behind one address; an IPv6 network of 64 bits counts as one. */
const SOCKETS_OF_A_NETWORK = 2000;
/** A socket that neither subscribed nor signed in by then is closed. */
const UNUSED_MS = 30_000;
/** Of a message: a flood of empty ones would not count as frames. */
const FRAGMENTS = 100;
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
  flooding: 4100,
  unused: 4100,
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

/** Why a client is not let in. Told by a close code: that is what makes it stay away or come back. */
interface Refusal {
  code: number;
  reason: string;
}

/** What is wrong with the address it asks for; null where it is right. */
function findRefusal(url: URL, key: string): Refusal | null {
  const path = /^\/app\/([^/]+)$/.exec(url.pathname);
  if (path === null) return { code: CODE.noPath, reason: 'No such path' };
  if (path[1] !== key) return { code: CODE.noApp, reason: 'No such app' };
  const version = url.searchParams.get('protocol');
  if (version === null || version === '') return { code: CODE.noVersion, reason: 'The protocol is not named' };
  if (!/^\d+$/.test(version)) return { code: CODE.badVersion, reason: 'The protocol is no number' };
  if (Number(version) !== PROTOCOL) return { code: CODE.otherVersion, reason: `Protocol ${PROTOCOL} is spoken here` };
  return null;
}

/** Apart, so that a line does not hold on to the request it came with. */
function cutWhenBroken(line: Duplex): void {
  line.on('error', () => line.destroy());
}

/** The sockets of the Pusher protocol 7, beside the API on one port: `GET /app/{key}`. */
export class Endpoint {
  readonly #options: EndpointOptions;
  readonly #lines = new Set<SocketConnection>();
  readonly #ofNetwork = new Map<string, number>();
  readonly #sockets = new WebSocketServer({
    noServer: true,
    maxPayload: FRAME_BYTES,
    maxFragments: FRAGMENTS,
    perMessageDeflate: false,
  });
  readonly #looking: NodeJS.Timeout;
  readonly #now: () => number;
  #isClosing = false;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#looking = setInterval(() => this.checkSockets(), LOOK_EVERY_MS);
    this.#looking.unref();
  }

  /** Takes the upgrades of this server. */
  attach(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, line: Duplex, head: Buffer) => {
      if (!isWebSocket(request)) return serveWithoutUpgrade(server, request, line, head);
      cutWhenBroken(line);
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
    const closed = lines.map(({ socket }) => new Promise((resolve) => socket.once('close', resolve)));
    for (const [index, line] of lines.entries()) {
      line.end(CODE.goingAway, 'The server stops');
      const due = pause * (index + 1) - (performance.now() - startedAt);
      if (due > 4 && index < lines.length - 1) await new Promise((resolve) => setTimeout(resolve, due));
    }
    await Promise.all(closed);
    this.#sockets.close();
  }

  #admit(socket: WebSocket, wire: Duplex, request: IncomingMessage, url: URL): void {
    const { hub, addressOf, log } = this.#options;
    // Without a listener an error of one socket would end the process.
    socket.on('error', (error) => log.debug({ err: error }, 'a socket failed'));
    const network = toNetwork(addressOf(request));
    const refusal = this.#refusalOf(request, url, network);
    if (refusal === null) return this.#serve(new SocketConnection(socket, wire, hub, this.#now()), network);
    const { code, reason } = refusal;
    socket.send(frame('pusher:error', { data: { code, message: reason } }));
    closeSocket(socket, code, reason);
  }

  #refusalOf(request: IncomingMessage, url: URL, network: string): Refusal | null {
    const { credentials, hub, isAllowed } = this.#options;
    const { origin } = request.headers;
    const misfit = findRefusal(url, credentials.key);
    if (misfit !== null) return misfit;
    if (origin !== undefined && !isAllowed(origin, request)) return { code: NOT_ALLOWED, reason: 'Not from this page' };
    if (this.#isClosing) return { code: CODE.goingAway, reason: 'The server stops' };
    const isFull = hub.size >= SOCKETS || (this.#ofNetwork.get(network) ?? 0) >= SOCKETS_OF_A_NETWORK;
    return isFull ? { code: CODE.full, reason: 'Too many sockets' } : null;
  }

  #serve(line: SocketConnection, network: string): void {
    const { hub } = this.#options;
    const { socket } = line;
    this.#lines.add(line);
    this.#ofNetwork.set(network, (this.#ofNetwork.get(network) ?? 0) + 1);
    hub.join(line);
    const hear = () => {
      if (line.countFrame(this.#now())) return true;
      if (line.isOpen()) line.end(CODE.flooding, 'Too many frames');
      return false;
    };
    socket.on('pong', hear);
    socket.on('ping', hear);
    socket.on('message', (data: Buffer, isBinary) => {
      if (!hear()) return;
      if (isBinary) line.end(1003, 'Frames are text');
      else hub.receive(line, data.toString('utf8'));
    });
    socket.on('close', () => {
      hub.leave(line);
      this.#lines.delete(line);
      const left = (this.#ofNetwork.get(network) ?? 1) - 1;
      if (left > 0) this.#ofNetwork.set(network, left);
      else this.#ofNetwork.delete(network);
    });
    line.send(frame('pusher:connection_established', { data: { socket_id: line.id, activity_timeout: ACTIVITY_S } }));
  }

  /** Pings sockets that are silent, and closes those that do not answer or are of no use. Done every ten seconds. */
  checkSockets(): void {
    const now = this.#now();
    const { hub } = this.#options;
    for (const line of this.#lines) {
      if (!line.wasUsed) {
        line.wasUsed = hub.isInUse(line.id);
        if (!line.wasUsed && now - line.openedAt >= UNUSED_MS && line.isOpen())
          line.end(CODE.unused, 'Nothing subscribed');
      }
      if (line.pingedAt !== null) {
        if (now - line.pingedAt >= PONG_MS) line.end(CODE.silent, 'No answer');
      } else if (now - line.lastFrameAt >= ACTIVITY_S * 1000) {
        line.pingedAt = now;
        // Browsers answer this one by themselves, also for a page that sleeps.
        line.socket.ping();
      }
    }
  }
}
