/**
 * A server of live news in a process of its own, for `fan-out.ts`: `ours` is the embedded endpoint as the app runs it, `bare` what
 * anybody would write first on `ws`. Does what it is told over the channel to its parent.
 */
import http from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { setImmediate as nextTurn, setTimeout as wait } from 'node:timers/promises';
import { WebSocketServer, type WebSocket } from 'ws';
import { openEmbedded } from '#server/platform/live/embedded.ts';
import { APP_KEY, channelOf, type Order, type Report } from './fan-out-words.ts';

/** Between two rounds, as the news of a busy minute comes. */
const PACE_MS = 50;
/** More than that waits for nobody who reads. */
const KEEPING_UP_BYTES = 200_000;
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
const told = (report: Report) => process.send?.(report);
/** What waits for each line, bytes, the most first. */
const backlogs = () => [...lines].map((line) => line.writableLength).sort((one, other) => other - one);

const work: Record<Order['do'], (order: Order) => Promise<Report>> = {
  /** Something to every channel, again and again. @returns processor time in it */
  rounds: async ({ count, channels, text }) => {
    const before = process.cpuUsage();
    for (let round = 0; round < count; round += 1) {
      const startedAt = performance.now();
      // All of it is there to be told from then on: one that is slow at the first makes the last ones late.
      const at = String(process.hrtime.bigint());
      for (let n = 0; n < channels; n += 1) publish(channelOf(n), { at, text });
      await wait(Math.max(0, PACE_MS - (performance.now() - startedAt)));
    }
    const { user, system } = process.cpuUsage(before);
    return { value: user + system };
  },
  /** Into one channel, as fast as those take it who read. @returns the most that waited for one socket, bytes */
  flood: async ({ count, text }) => {
    let most = 0;
    const all = lines.size;
    // The one that does not read is not waited for; once it was dropped all are.
    const keepUp = () => (backlogs()[lines.size === all ? 1 : 0] ?? 0) <= KEEPING_UP_BYTES;
    for (let n = 0; n < count; n += 1) {
      publish(channelOf(0), { at: '0', text });
      most = Math.max(most, backlogs()[0] ?? 0);
      if (n % 20 !== 0) continue;
      do await nextTurn();
      while (!keepUp());
    }
    return { value: most };
  },
  /** @returns bytes in use */
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
  void work[order.do](order).then(told);
});
process.on('disconnect', () => process.exit(0));
server.listen(0, '127.0.0.1', () => told({ value: (server.address() as AddressInfo).port }));
