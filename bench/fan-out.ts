import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import WebSocket from 'ws';
import { APP_KEY, channelOf, type Order, type Report } from './fan-out-words.ts';
import { atLeast, atMost, type Figure, paired, percentile, ratioAtMost, spread } from './figures.ts';

const SOCKETS = 1000;
const CHANNELS = 100;
/** A message of chat, as it goes out. */
const TEXT = 'x'.repeat(300);
const WARM_ROUNDS = 20;
/** Of those that listen to one channel, one does not read. */
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

/** A socket that listens to one channel. */
async function listen(port: number, channel: string): Promise<WebSocket> {
  const socket = new WebSocket(`ws://127.0.0.1:${port}/app/${APP_KEY}?protocol=7`, { perMessageDeflate: false });
  await once(socket, 'open');
  const isLetIn = new Promise<void>((resolve) => {
    const look = (frame: Buffer) => {
      if (!frame.includes('subscription_succeeded')) return;
      socket.off('message', look);
      resolve();
    };
    socket.on('message', look);
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

/** Notes how long each piece of news was on its way, milliseconds. */
function clock(sockets: readonly WebSocket[]) {
  const delays: number[] = [];
  const hear = (frame: Buffer) => {
    const at = /at[\\":]+(\d+)/.exec(frame.toString('latin1'))?.[1] ?? '';
    delays.push(Number(process.hrtime.bigint() - BigInt(at)) / 1e6);
  };
  for (const socket of sockets) socket.on('message', hear);
  return delays;
}

/** Everything that was sent before has arrived when an answer has, on each. @throws where one is not there any more */
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

/** A server with all of its sockets, warm. */
async function gather(kind: Kind) {
  const server = await startServer(kind);
  const before = await server.tell({ do: 'memory' });
  const sockets = await listenAll(server.port, SOCKETS, (n) => channelOf(n % CHANNELS));
  const memory = ((await server.tell({ do: 'memory' })) - before) / SOCKETS;
  await server.tell({ do: 'rounds', count: WARM_ROUNDS });
  await settle(sockets);
  return { server, sockets, memory, delays: clock(sockets), spent: 0 };
}

/**
 * Costs of both: microseconds of the server's processor a delivery, p99 of the way in milliseconds, bytes for a socket that listens.
 * Round by round they take turns, so that a slow moment of the machine weighs on both.
 */
async function measureCrowds(rounds: number): Promise<Record<Kind, Cost>> {
  const crowds = { ours: await gather('ours'), bare: await gather('bare') };
  for (let round = 0; round < rounds; round += 1) {
    for (const kind of round % 2 === 0 ? KINDS : [...KINDS].reverse()) {
      crowds[kind].spent += await crowds[kind].server.tell({ do: 'rounds', count: 1 });
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
  return { ours: await costOf(crowds.ours), bare: await costOf(crowds.bare) };
}

/** One of those that listen stops reading. @returns the most that waited for it, MB, and what the others got, % */
async function measureSlow(kind: Kind) {
  const server = await startServer(kind);
  const [slow, ...others] = await listenAll(server.port, FLOOD.listeners, () => channelOf(0));
  slow!.pause();
  let got = 0;
  for (const socket of others) socket.on('message', () => (got += 1));
  const most = await server.tell({ do: 'flood', count: FLOOD.count, text: FLOOD.text });
  await settle(others);
  close([slow!, ...others]);
  await server.stop();
  return { most: most / 1_000_000, got: (got / (FLOOD.count * others.length)) * 100 };
}

/** Live news to many sockets, against the few lines on `ws` that anybody would write first, in the same run. */
export async function measureFanOut({ runs, rounds }: { runs: number; rounds: number }): Promise<Figure[]> {
  const costs: Record<Kind, Cost>[] = [];
  const slow: Record<Kind, Awaited<ReturnType<typeof measureSlow>>[]> = { ours: [], bare: [] };
  for (let run = 0; run < runs; run += 1) {
    costs.push(await measureCrowds(rounds));
    for (const kind of KINDS) slow[kind].push(await measureSlow(kind));
  }
  const crowd = (name: string, unit: Figure['unit'], of: keyof Cost, bar?: Figure['bar'], share = 1): Figure => ({
    part: `Live news to ${SOCKETS} sockets, ${CHANNELS} channels of ${SOCKETS / CHANNELS}`,
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
      name: 'waits for it at most',
      unit: 'MB',
      ...paired(
        slow.ours.map(({ most }) => most),
        { name: 'bare ws', runs: slow.bare.map(({ most }) => most) },
      ),
      // A megabyte, and the one event that goes over it.
      bar: atMost(1.1),
    },
    {
      part,
      name: 'of it all reaches the others',
      unit: '%',
      value: spread(slow.ours.map(({ got }) => got)),
      bar: atLeast(100),
    },
  ];
}
