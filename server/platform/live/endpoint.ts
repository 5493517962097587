import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { WebSocketServer, type WebSocket } from 'ws';
import type { Log } from '#server/platform/log.ts';
import { isWebSocket, serveWithoutUpgrade } from '#server/platform/plugins/other-upgrades.ts';
import type { Credentials } from './channels.ts';
import { frame } from './frames.ts';
import { toNetwork } from '#server/platform/http/rate-limiter.ts';
import { describeFailure } from '#server/platform/jobs/failure.ts';
import { toLoggableAddress } from '#server/platform/plugins/request-log.ts';
import { type Hub, NOT_ALLOWED } from './hub.ts';
import { closeSocket, SocketConnection } from './connection.ts';

/** Of a frame, in either direction. */
const MAX_FRAME_BYTES = 100_000;
/** A socket that is silent for this long, in seconds, is pinged. Clients are told this value and ping by themselves. */
const ACTIVITY_TIMEOUT_S = 120;
const PONG_TIMEOUT_MS = 30_000;
const CHECK_INTERVAL_MS = 10_000;
/** Maximum delay between two closing sockets at shutdown. */
const MAX_CLOSE_DELAY_MS = 10;
/** Limit per network: an IPv4 address or an IPv6 /64 prefix, which a household or a film set shares. */
const MAX_SOCKETS_PER_NETWORK = 2000;
/** A socket that has neither subscribed nor signed in after this time is closed. */
const UNUSED_TIMEOUT_MS = 30_000;
/** Per message: empty fragments do not count as frames, so a flood of them needs its own limit. */
const MAX_FRAGMENTS = 100;
const MAX_SOCKETS = 50_000;
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
  /** Whether pages of this origin may connect. A client without an origin is not a page. */
  isAllowed: (origin: string, request: IncomingMessage) => boolean;
  /** Client address of a request, behind trusted proxies. */
  addressOf: (request: IncomingMessage) => string;
  /** Monotonic clock, in milliseconds. */
  now?: () => number;
  /** Time over which sockets close at shutdown, in milliseconds, so that clients do not all reconnect at once. */
  spreadMs: number;
}

/** Why a connection is refused. The close code tells the client whether to reconnect. */
interface Refusal {
  code: number;
  reason: string;
}

/** The error in the requested URL; null when it is valid. */
function checkUrl(url: URL, key: string): Refusal | null {
  const path = /^\/app\/([^/]+)$/.exec(url.pathname);
  if (path === null) return { code: CODE.noPath, reason: 'No such path' };
  if (path[1] !== key) return { code: CODE.noApp, reason: 'No such app' };
  const version = url.searchParams.get('protocol');
  if (version === null || version === '') return { code: CODE.noVersion, reason: 'Missing protocol version' };
  if (!/^\d+$/.test(version)) return { code: CODE.badVersion, reason: 'Invalid protocol version' };
  if (Number(version) !== PROTOCOL)
    return { code: CODE.otherVersion, reason: `Only protocol ${PROTOCOL} is supported` };
  return null;
}

/** A separate function, so that the listener's closure does not retain the upgrade request. */
function destroyOnError(stream: Duplex): void {
  stream.on('error', () => stream.destroy());
}

/** Serves the Pusher protocol 7 on the port of the API: `GET /app/{key}`. */
export class Endpoint {
  readonly #options: EndpointOptions;
  readonly #connections = new Set<SocketConnection>();
  readonly #countsByNetwork = new Map<string, number>();
  readonly #server = new WebSocketServer({
    noServer: true,
    maxPayload: MAX_FRAME_BYTES,
    maxFragments: MAX_FRAGMENTS,
    perMessageDeflate: false,
  });
  readonly #checkTimer: NodeJS.Timeout;
  readonly #now: () => number;
  #isClosing = false;

  constructor(options: EndpointOptions) {
    this.#options = options;
    this.#now = options.now ?? (() => performance.now());
    this.#checkTimer = setInterval(() => this.checkSockets(), CHECK_INTERVAL_MS);
    this.#checkTimer.unref();
  }

  /** Handles the upgrade requests of this server. */
  attach(server: Server): void {
    server.on('upgrade', (request: IncomingMessage, stream: Duplex, head: Buffer) => {
      if (!isWebSocket(request)) return serveWithoutUpgrade(server, request, stream, head);
      destroyOnError(stream);
      const url = URL.canParse(request.url ?? '', 'http://socket') ? new URL(request.url ?? '', 'http://socket') : null;
      if (!url?.pathname.startsWith('/app/')) {
        stream.end('HTTP/1.1 404 Not Found\r\nConnection: close\r\nContent-Length: 0\r\n\r\n');
        return;
      }
      this.#server.handleUpgrade(request, stream, head, (socket) => this.#admit(socket, stream, request, url));
    });
  }

  /** Closes all sockets one after the other. Clients reconnect to whichever server listens next. */
  async close(): Promise<void> {
    this.#isClosing = true;
    clearInterval(this.#checkTimer);
    const connections = [...this.#connections];
    const delayMs = Math.min(MAX_CLOSE_DELAY_MS, this.#options.spreadMs / connections.length);
    const startedAt = performance.now();
    const closed = connections.map(({ socket }) => new Promise((resolve) => socket.once('close', resolve)));
    for (const [index, connection] of connections.entries()) {
      connection.end(CODE.goingAway, 'The server stops');
      const dueMs = delayMs * (index + 1) - (performance.now() - startedAt);
      if (dueMs > 4 && index < connections.length - 1) await new Promise((resolve) => setTimeout(resolve, dueMs));
    }
    await Promise.all(closed);
    this.#server.close();
  }

  #admit(socket: WebSocket, stream: Duplex, request: IncomingMessage, url: URL): void {
    const { hub, addressOf, log } = this.#options;
    // Without a listener, an error of one socket would crash the process.
    socket.on('error', (error) => log.debug(describeFailure(error), 'a socket failed'));
    const network = toNetwork(addressOf(request));
    const refusal = this.#refusalOf(request, url, network);
    if (refusal === null) return this.#serve(new SocketConnection(socket, stream, hub, this.#now()), network);
    const { code, reason } = refusal;
    log.info({ code, reason, ip: toLoggableAddress(addressOf(request)) }, 'a socket was refused');
    socket.send(frame('pusher:error', { data: { code, message: reason } }));
    closeSocket(socket, code, reason);
  }

  #refusalOf(request: IncomingMessage, url: URL, network: string): Refusal | null {
    const { credentials, hub, isAllowed } = this.#options;
    const { origin } = request.headers;
    const urlError = checkUrl(url, credentials.key);
    if (urlError !== null) return urlError;
    if (origin !== undefined && !isAllowed(origin, request)) return { code: NOT_ALLOWED, reason: 'Not from this page' };
    if (this.#isClosing) return { code: CODE.goingAway, reason: 'The server stops' };
    const isFull = hub.size >= MAX_SOCKETS || (this.#countsByNetwork.get(network) ?? 0) >= MAX_SOCKETS_PER_NETWORK;
    return isFull ? { code: CODE.full, reason: 'Too many sockets' } : null;
  }

  #serve(connection: SocketConnection, network: string): void {
    const { hub } = this.#options;
    const { socket } = connection;
    this.#connections.add(connection);
    this.#countsByNetwork.set(network, (this.#countsByNetwork.get(network) ?? 0) + 1);
    hub.join(connection);
    const countFrame = () => {
      if (connection.countFrame(this.#now())) return true;
      if (connection.isOpen()) connection.end(CODE.flooding, 'Too many frames');
      return false;
    };
    socket.on('pong', countFrame);
    socket.on('ping', countFrame);
    socket.on('message', (data: Buffer, isBinary) => {
      if (!countFrame()) return;
      if (isBinary) connection.end(1003, 'Only text frames are supported');
      else hub.receive(connection, data.toString('utf8'));
    });
    socket.on('close', () => {
      hub.leave(connection);
      this.#connections.delete(connection);
      const left = (this.#countsByNetwork.get(network) ?? 1) - 1;
      if (left > 0) this.#countsByNetwork.set(network, left);
      else this.#countsByNetwork.delete(network);
    });
    connection.send(
      frame('pusher:connection_established', {
        data: { socket_id: connection.id, activity_timeout: ACTIVITY_TIMEOUT_S },
      }),
    );
  }

  /** Pings silent sockets, and closes those that do not respond or were never used. Runs every ten seconds. */
  checkSockets(): void {
    const now = this.#now();
    const { hub } = this.#options;
    for (const connection of this.#connections) {
      if (!connection.wasUsed) {
        connection.wasUsed = hub.isInUse(connection.id);
        if (!connection.wasUsed && now - connection.openedAt >= UNUSED_TIMEOUT_MS && connection.isOpen())
          connection.end(CODE.unused, 'Nothing subscribed');
      }
      if (connection.pingedAt !== null) {
        if (now - connection.pingedAt >= PONG_TIMEOUT_MS) connection.end(CODE.silent, 'No answer');
      } else if (now - connection.lastFrameAt >= ACTIVITY_TIMEOUT_S * 1000) {
        connection.pingedAt = now;
        // Browsers answer protocol-level pings by themselves, also for a suspended page.
        connection.socket.ping();
      }
    }
  }
}
