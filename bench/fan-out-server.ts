/**
 * A live server in its own process for `fan-out.ts`. `ours` is the embedded endpoint of the app, `bare` a minimal
 * implementation with `ws`. It receives commands from its parent over the process channel.
 */
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { WebSocketServer, type WebSocket } from 'ws';
import { openEmbedded } from '#server/platform/live/embedded.ts';
import { APP_KEY, getChannel, type Order, type Report } from './fan-out-messages.ts';

/** Pause between two rounds, like the events of a busy minute. */
const PACE_MS = 50;
/** A socket that reads never has more unsent bytes than this. */
const MAX_BACKLOG_BYTES = 200_000;
const EVENT = 'App\\Events\\MessageSent';

type Publish = (channel: string, data: object) => void;

const silent = {
  debug: () => {},
  info: () => {},
  warn: () => {},
  error: (...words: unknown[]) => console.error(...words),
};

function openOurs(server: http.Server): Publish {
  const { publish } = openEmbedded({
    credentials: { key: APP_KEY, secret: 'bench' },
    server,
    clientEvents: false,
    api: true,
    signInFirst: false,
    log: silent,
    isAllowed: () => true,
    addressOf: (request) => request.socket.remoteAddress ?? '',
  });
  return (channel, data) => void publish([{ kind: 'event', channels: [channel], event: EVENT, data }]);
}

function openBare(server: http.Server): Publish {
  const channels = new Map<string, Set<WebSocket>>();
  new WebSocketServer({ server, perMessageDeflate: false }).on('connection', (socket) => {
    socket.on('message', (text: Buffer) => {
      const { data } = JSON.parse(text.toString()) as { data: { channel: string } };
      const listening = channels.get(data.channel) ?? new Set();
      channels.set(data.channel, listening.add(socket));
      socket.on('close', () => listening.delete(socket));
      socket.send(JSON.stringify({ event: 'pusher_internal:subscription_succeeded', channel: data.channel }));
    });
  });
  return (channel, data) => {
    const text = JSON.stringify({ event: EVENT, channel, data: JSON.stringify(data) });
    for (const socket of channels.get(channel) ?? []) socket.send(text);
  };
}

const server = http.createServer();
const lines = new Set<Socket>();
server.on('connection', (line) => {
  lines.add(line);
  line.once('close', () => lines.delete(line));
});
const publish = process.argv[2] === 'ours' ? openOurs(server) : openBare(server);
const report = (result: Report) => process.send?.(result);
/** Unsent bytes of each socket, the largest first. */
const backlogs = () => [...lines].map((line) => line.writableLength).sort((one, other) => other - one);

const work: Record<Order['do'], (order: Order) => Promise<Report>> = {
  /** Publishes one event per channel and round. @returns the processor time */
  rounds: async ({ count, channels, text }) => {
    const before = process.cpuUsage();
    for (let round = 0; round < count; round += 1) {
      const startedAt = performance.now();
      // The round has one timestamp: a slow delivery of the first events delays the last ones.
      const at = String(process.hrtime.bigint());
      for (let n = 0; n < channels; n += 1) publish(getChannel(n), { at, text });
      await wait(Math.max(0, PACE_MS - (performance.now() - startedAt)));
    }
    const { user, system } = process.cpuUsage(before);
    return { value: user + system };
  },
  /** Publishes to one channel as fast as the reading sockets receive. @returns the largest backlog of a socket in bytes */
  flood: async ({ count, text }) => {
    let maxBacklog = 0;
    const all = lines.size;
    // Does not wait for the socket that does not read. After it is dropped, waits for all.
    const keepUp = () => (backlogs()[lines.size === all ? 1 : 0] ?? 0) <= MAX_BACKLOG_BYTES;
    for (let n = 0; n < count; n += 1) {
      publish(getChannel(0), { at: '0', text });
      maxBacklog = Math.max(maxBacklog, backlogs()[0] ?? 0);
      if (n % 20 !== 0) continue;
      do await nextTurn();
      while (!keepUp());
    }
    return { value: maxBacklog };
  },
  /** Returns the memory in use in bytes. */
  memory: async () => {
    for (let n = 0; n < 3; n += 1) {
      globalThis.gc?.();
      await wait(50);
    }
    const { heapUsed, external } = process.memoryUsage();
    return { value: heapUsed + external };
  },
};

process.on('message', (order: Order) => {
  void work[order.do](order).then(report);
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => report({ value: (server.address() as AddressInfo).port }));
