import type { IncomingMessage, ServerResponse } from 'node:http';
import { type Socket, connect } from 'node:net';
import { sendSignInPage } from '../e2e/support/captive-portal.ts';
import {
  type ProxyRequest,
  type HttpProxy,
  forwardRequest,
  readBody,
  startHttpProxy,
} from '../e2e/support/http-proxy.ts';
import type { Prng } from '../sync/simulation/prng.ts';
import { NO_FAULTS, type Fault, GATEWAY_STATUSES, type Target, type FaultRates, drawFault } from './faults.ts';
import type { Trace } from './trace.ts';

/** A network between browsers and server that goes wrong by the faults that a seeded PRNG draws. */
export interface FaultProxy extends HttpProxy {
  /** Changes the fault rates. */
  setFaultRates(faultRates: FaultRates): void;
  /** Delivers all delayed requests; resolves when the server has answered them. */
  drain(): Promise<void>;
  /** Calls back while the server processes the n-th write request from now on. */
  onWrite(n: number, callback: () => void): void;
  requests(): number;
  /** Number of faults by kind, and by the target of the request. */
  getFaultCounts(): ReadonlyMap<Fault | Target, number>;
}

type Answer = Awaited<ReturnType<typeof forwardRequest>>;

/** Longer than the app's request timeout of 15 seconds. */
const AFTER_TIMEOUT_MS = 16_000;
const SPREAD_MS = 3_000;
const PORTAL_MS = { min: 500, spread: 3_000 };
/** A repeated delivery comes at once or up to this much later, when other requests have overtaken it. */
const SECOND_DELIVERY_MS = 4_000;
/** Bytes from the server before a WebSocket is cut: at least enough for the handshake. */
const SOCKET_BYTES = { min: 100, spread: 900 };

const GATEWAY_PAGE = '<!doctype html><title>Gateway</title><h1>The upstream server is not available</h1>';

function getTarget({ url = '', headers }: IncomingMessage): Target {
  if (headers.upgrade !== undefined) return 'live';
  if (url.startsWith('/storage/')) return 'media';
  const isFile = /^\/(assets|icons|screenshots)\/|\.(js|css|html|webmanifest|svg|png|webp|ico|woff2)(\?|$)/.test(url);
  return isFile || headers['sec-fetch-mode'] === 'navigate' ? 'shell' : 'call';
}

const describeRequest = ({ method, url, headers }: IncomingMessage) =>
  `${method} ${url?.replace(/\?protocol=.*/, '')} of the ${headers['user-agent']?.includes('Mobile') ? 'phone' : 'desktop'}`;

/** Timers that can all be ended at once. */
function createTimers() {
  const ends = new Set<() => void>();
  return {
    wait: (ms: number) =>
      new Promise<void>((resolve) => {
        const end = () => {
          clearTimeout(timer);
          ends.delete(end);
          resolve();
        };
        const timer = setTimeout(end, ms);
        ends.add(end);
      }),
    endAll: () => ends.forEach((end) => end()),
  };
}

function forwardResponse({ answer, got }: Answer, outgoing: ServerResponse, method: string, isCut: boolean): void {
  // The browser has given up.
  if (outgoing.destroyed) return;
  const { 'transfer-encoding': _, connection: __, ...headers } = answer.headers;
  const hasBody = got.length > 0 && method !== 'HEAD';
  outgoing.writeHead(answer.statusCode ?? 502, { ...headers, ...(hasBody && { 'content-length': got.length }) });
  if (!isCut) return void outgoing.end(got);
  // The headers announce the full length.
  outgoing.write(got.subarray(0, Math.floor(got.length / 2)), () => outgoing.socket?.resetAndDestroy());
}

/** Stands in front of `port` on this machine. @param prng decides on the requests in the order in which they arrive */
export async function startFaultProxy(port: number, prng: Prng, trace: Trace): Promise<FaultProxy> {
  const struck = new Map<Fault | Target, number>();
  const { wait, endAll } = createTimers();
  const inFlight = new Set<Promise<unknown>>();
  const sockets = new Set<Socket>();
  let faultRates = NO_FAULTS;
  let shellFaults = 0;
  let portalUntil = 0;
  let requests = 0;
  const onWrites: { left: number; callback: () => void }[] = [];

  const countFault = (fault: Fault, target: Target, incoming: IncomingMessage) => {
    for (const each of [fault, target]) struck.set(each, (struck.get(each) ?? 0) + 1);
    trace.note('network', `${fault}: ${describeRequest(incoming)}`);
  };
  const track = <T>(work: Promise<T>): Promise<T> => {
    const settled = work.then(
      () => undefined,
      () => undefined,
    );
    inFlight.add(settled);
    void settled.then(() => inFlight.delete(settled));
    return work;
  };
  const countWrite = ({ method }: ProxyRequest) => {
    if (method === 'GET' || method === 'HEAD') return;
    for (const each of [...onWrites]) {
      each.left -= 1;
      if (each.left > 0) continue;
      onWrites.splice(onWrites.indexOf(each), 1);
      each.callback();
    }
  };
  const deliver = (asked: ProxyRequest): Promise<Answer> => {
    const answer = track(forwardRequest(port, asked));
    countWrite(asked);
    return answer;
  };
  const drawFor = (target: Target): Fault | null => {
    if (target === 'shell' && shellFaults >= faultRates.maxShellFaults) return null;
    const fault = drawFault(prng, target, faultRates);
    if (fault !== null && target === 'shell') shellFaults += 1;
    return fault;
  };
  const startPortal = () => {
    portalUntil = performance.now() + PORTAL_MS.min + prng.int(PORTAL_MS.spread);
    sockets.forEach((socket) => socket.destroy());
  };

  const answerAsGateway = (outgoing: ServerResponse) => {
    const status = prng.pick(GATEWAY_STATUSES);
    outgoing.writeHead(status, { 'content-type': 'text/html', 'retry-after': '3600' }).end(GATEWAY_PAGE);
  };

  /** Handles a request with a fault, or normally if null. */
  const applyFault = async (fault: Fault | null, asked: ProxyRequest, outgoing: ServerResponse): Promise<void> => {
    const pass = async (isCut = false) => forwardResponse(await deliver(asked), outgoing, asked.method, isCut);
    const drop = () => outgoing.socket?.resetAndDestroy();
    switch (fault) {
      case 'request dropped':
        return void drop();
      case 'gateway page':
        return answerAsGateway(outgoing);
      case 'response lost':
        await deliver(asked);
        return void drop();
      case 'response cut':
        return pass(true);
      case 'gateway page after the commit':
        await deliver(asked);
        return answerAsGateway(outgoing);
      case 'late response': {
        const answer = await deliver(asked);
        await track(wait(AFTER_TIMEOUT_MS + prng.int(SPREAD_MS)));
        return forwardResponse(answer, outgoing, asked.method, false);
      }
      case 'late request':
        await track(wait(AFTER_TIMEOUT_MS + prng.int(SPREAD_MS)));
        return pass();
      case 'request duplicated': {
        const first = deliver(asked);
        const ms = prng.chance(0.5) ? 0 : prng.int(SECOND_DELIVERY_MS);
        const second = track((ms === 0 ? Promise.resolve() : wait(ms)).then(() => deliver(asked)));
        const isSecondUsed = ms === 0 && prng.chance(0.5);
        const [used, ignored] = isSecondUsed ? [second, first] : [first, second];
        // The server may be down for the delivery whose response is ignored.
        ignored.catch(() => undefined);
        return forwardResponse(await used, outgoing, asked.method, false);
      }
      case null:
      case 'sign-in page':
      case 'socket refused':
      case 'socket cut':
        return pass();
    }
  };

  const serve = async (incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> => {
    requests += 1;
    const target = getTarget(incoming);
    const { method = 'GET', url: path = '/', headers } = incoming;
    // A browser repeats a request that is lost on a reused connection, but not one that is lost on a new connection.
    outgoing.shouldKeepAlive = prng.chance(0.5);
    // theme.js recovers a page whose code failed to load, so it must load itself.
    const isRecoveryScript = path === '/theme.js';
    if (performance.now() < portalUntil && !isRecoveryScript) {
      countFault('sign-in page', target, incoming);
      return sendSignInPage(outgoing);
    }
    const fault = isRecoveryScript ? null : drawFor(target);
    if (fault !== null) countFault(fault, target, incoming);
    else if (target === 'call')
      outgoing.once('finish', () => trace.note('network', `${outgoing.statusCode}: ${describeRequest(incoming)}`));
    if (fault === 'sign-in page') {
      startPortal();
      return sendSignInPage(outgoing);
    }
    const body = await readBody(incoming);
    await applyFault(fault, { method, path, headers, body }, outgoing);
  };

  const proxy = await startHttpProxy((incoming, outgoing) => {
    outgoing.on('error', () => outgoing.destroy());
    // The server is down or the browser is gone: close the connection.
    track(serve(incoming, outgoing)).catch(() => outgoing.destroy());
  });

  proxy.server.on('upgrade', (incoming: IncomingMessage, client: Socket, head: Buffer) => {
    requests += 1;
    const fault = performance.now() < portalUntil ? 'socket refused' : drawFor('live');
    client.on('error', () => client.destroy());
    if (fault === 'socket refused') {
      countFault(fault, 'live', incoming);
      client.end(`HTTP/1.1 502 Bad Gateway\r\nContent-Type: text/html\r\nConnection: close\r\n\r\n${GATEWAY_PAGE}`);
      return;
    }
    const upstream = connect(port, '127.0.0.1');
    const lines = [`GET ${incoming.url} HTTP/1.1`];
    for (let at = 0; at < incoming.rawHeaders.length; at += 2) {
      lines.push(`${incoming.rawHeaders[at]}: ${incoming.rawHeaders[at + 1]}`);
    }
    upstream.write(`${lines.join('\r\n')}\r\n\r\n`);
    upstream.write(head);
    sockets.add(client);
    client.on('close', () => {
      sockets.delete(client);
      upstream.destroy();
    });
    upstream.on('error', () => upstream.destroy());
    upstream.on('close', () => client.destroy());
    let left = fault === 'socket cut' ? SOCKET_BYTES.min + prng.int(SOCKET_BYTES.spread) : Infinity;
    upstream.on('data', (chunk) => {
      client.write(chunk.subarray(0, left));
      left -= chunk.length;
      if (left > 0) return;
      countFault('socket cut', 'live', incoming);
      client.destroy();
    });
    client.on('data', (chunk) => upstream.write(chunk));
  });

  return {
    url: proxy.url,
    setFaultRates(next) {
      faultRates = next;
      shellFaults = 0;
      if (next === NO_FAULTS) portalUntil = 0;
    },
    async drain() {
      while (inFlight.size > 0) {
        endAll();
        await Promise.all(inFlight);
      }
    },
    onWrite: (n, callback) => void onWrites.push({ left: n, callback }),
    requests: () => requests,
    getFaultCounts: () => struck,
    async close() {
      sockets.forEach((socket) => socket.destroy());
      endAll();
      await proxy.close();
    },
  };
}
