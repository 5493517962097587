import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import WebSocket from 'ws';
import { APP_KEY, getChannel, type Order, type Report } from './fan-out-messages.ts';
import { atLeast, atMost, type Figure, paired, percentile, ratioAtMost, spread } from './figures.ts';

const SOCKETS = 1000;
const CHANNELS = 100;
/** A typical chat message. */
const TEXT = 'x'.repeat(300);
const WARM_ROUNDS = 20;
/** The subscribers of one channel, one of which does not read. */
const FLOOD = { listeners: 6, count: 10_000, text: 'x'.repeat(4000) };

const KINDS = ['ours', 'bare'] as const;
type Kind = (typeof KINDS)[number];

interface Cost {
  cpu: number;
  delay: number;
  memory: number;
}

interface Running {
  port: number;
  tell: (order: Partial<Order> & Pick<Order, 'do'>) => Promise<number>;
  stop: () => Promise<void>;
}

async function startServer(kind: Kind): Promise<Running> {
  const script = new URL('fan-out-server.ts', import.meta.url).pathname;
  const child: ChildProcess = spawn(process.execPath, ['--expose-gc', '--import', 'tsx', script, kind], {
    stdio: ['ignore', 'inherit', 'inherit', 'ipc'],
  });
  const report = async () => ((await once(child, 'message')) as [Report])[0].value;
  const port = await report();
  return {
    port,
    tell: (order) => {
      child.send({ count: 0, channels: CHANNELS, text: TEXT, ...order });
      return report();
    },
    stop: async () => {
      const gone = once(child, 'exit');
      child.disconnect();
      await gone;
    },
  };
}

/** Opens a socket that subscribes to one channel. */
async function listen(port: number, channel: string): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/app/${APP_KEY}?protocol=7`, { perMessageDeflate: false });
  await once(socket, 'open');
  const isLetIn = new Promise<void>((resolve) => {
    const onFrame = (frame: Buffer) => {
      if (!frame.includes('subscription_succeeded')) return;
      socket.off('message', onFrame);
      resolve();
    };
    socket.on('message', onFrame);
  });
  socket.send(JSON.stringify({ event: 'pusher:subscribe', data: { channel } }));
  await isLetIn;
  return socket;
}

async function listenAll(port: number, count: number, channelOfSocket: (n: number) => string): Promise<WebSocket[]> {
  const sockets: WebSocket[] = [];
  for (let n = 0; n < count; n += 50) {
    const some = Array.from({ length: Math.min(50, count - n) }, (_, more) => listen(port, channelOfSocket(n + more)));
    sockets.push(...(await Promise.all(some)));
  }
  return sockets;
}

/** Records the delivery time of each event in milliseconds. */
function clock(sockets: readonly WebSocket[]) {
  const delays: number[] = [];
  const hear = (frame: Buffer) => {
    const at = /at[\\":]+(\d+)/.exec(frame.toString('latin1'))?.[1] ?? '';
    delays.push(Number(process.hrtime.bigint() - BigInt(at)) / 1e6);
  };
  for (const socket of sockets) socket.on('message', hear);
  return delays;
}

/** Waits for a response on each socket: everything sent before has arrived by then. @throws when a socket is closed */
async function settle(sockets: readonly WebSocket[]): Promise<void> {
  await Promise.all(
    sockets.map(async (socket) => {
      const answered = once(socket, 'pong');
      socket.ping();
      const isGone = once(socket, 'close').then(() => Promise.reject(new Error('A socket that reads was dropped')));
      await Promise.race([answered, isGone]);
    }),
  );
}

const close = (sockets: readonly WebSocket[]) => sockets.forEach((socket) => socket.terminate());

/** Opens a warmed-up server with all its sockets. */
async function gather(kind: Kind) {
  const server = await startServer(kind);
  const before = await server.tell({ do: 'memory' });
  const sockets = await listenAll(server.port, SOCKETS, (n) => getChannel(n % CHANNELS));
  const memory = ((await server.tell({ do: 'memory' })) - before) / SOCKETS;
  await server.tell({ do: 'rounds', count: WARM_ROUNDS });
  await settle(sockets);
  return { server, sockets, memory, delays: clock(sockets), spent: 0 };
}

/**
 * Costs of both servers: server processor time per delivery in microseconds, p99 of the delivery time in milliseconds,
 * memory per socket in bytes. The rounds alternate, so that a slow moment of the machine affects both.
 */
async function measureCrowds(rounds: number): Promise<Record<Kind, Cost>> {
  const groups = { ours: await gather('ours'), bare: await gather('bare') };
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of round % 2 === 0 ? KINDS : [...KINDS].reverse()) {
      groups[kind].spent += await groups[kind].server.tell({ do: 'rounds', count: 1 });
    }
  }
  const wanted = rounds * SOCKETS;
  const costOf = async ({ server, sockets, memory, delays, spent }: Awaited<ReturnType<typeof gather>>) => {
    await settle(sockets);
    close(sockets);
    await server.stop();
    if (delays.length !== wanted) throw new Error(`${delays.length} of ${wanted} arrived`);
    return { cpu: spent / wanted, delay: percentile(delays, 0.99), memory };
  };
  return { ours: await costOf(groups.ours), bare: await costOf(groups.bare) };
}

/**
 * Stops reading on one socket. @returns its largest backlog in MB and the share of events that the others received in
 * percent
 */
async function measureSlow(kind: Kind) {
  const server = await startServer(kind);
  const [slow, ...others] = await listenAll(server.port, FLOOD.listeners, () => getChannel(0));
  slow!.pause();
  let got = 0;
  for (const socket of others) socket.on('message', () => (got += 1));
  const maxBacklog = await server.tell({ do: 'flood', count: FLOOD.count, text: FLOOD.text });
  await settle(others);
  close([slow!, ...others]);
  await server.stop();
  return { maxBacklogMb: maxBacklog / 1_000_000, got: (got / (FLOOD.count * others.length)) * 100 };
}

/** Measures live events to many sockets against a minimal implementation with `ws` in the same run. */
export async function measureFanOut({ runs, rounds }: { runs: number; rounds: number }): Promise<Figure[]> {
  const costs: Record<Kind, Cost>[] = [];
  const slow: Record<Kind, Awaited<ReturnType<typeof measureSlow>>[]> = { ours: [], bare: [] };
  for (let run = 0; run < runs; run += 1) {
    costs.push(await measureCrowds(rounds));
    for (const kind of KINDS) slow[kind].push(await measureSlow(kind));
  }
  const crowd = (name: string, unit: Figure['unit'], of: keyof Cost, bar?: Figure['bar'], share = 1): Figure => ({
    part: `Live events to ${SOCKETS} sockets, ${CHANNELS} channels of ${SOCKETS / CHANNELS}`,
    name,
    unit,
    ...paired(
      costs.map(({ ours }) => ours[of] / share),
      { name: 'bare ws', runs: costs.map(({ bare }) => bare[of] / share) },
    ),
    bar,
  });
  const part = `One of ${FLOOD.listeners} does not read, ${FLOOD.count} events of 4 kB`;
  return [
    crowd('processor time of the server for one delivery', 'µs', 'cpu', ratioAtMost(1.1)),
    crowd('from a hundred events at once to arrival, p99', 'ms', 'delay', ratioAtMost(1.1)),
    crowd('memory of a socket that listens', 'KiB', 'memory', undefined, 1024),
    {
      part,
      name: 'largest backlog',
      unit: 'MB',
      ...paired(
        slow.ours.map(({ maxBacklogMb }) => maxBacklogMb),
        { name: 'bare ws', runs: slow.bare.map(({ maxBacklogMb }) => maxBacklogMb) },
      ),
      // One megabyte plus the event that exceeds it.
      bar: atMost(1.1),
    },
    {
      part,
      name: 'received by the others',
      unit: '%',
      value: spread(slow.ours.map(({ got }) => got)),
      bar: atLeast(100),
    },
  ];
}
