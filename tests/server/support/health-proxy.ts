import { EventEmitter, once } from 'node:events';
import http from 'node:http';
import net from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';

const ASK_INTERVAL_MS = 200;
const ASK_TIMEOUT_MS = 1000;

/** A proxy like the one of deploy/Caddyfile: it asks its nodes for /readyz, and sends each request to the next one that is ready. */
export interface HealthProxy {
  url: string;
  /** Puts a node in the place of an earlier one of this name. */
  set: (name: string, url: string) => void;
  /** Resolves when the proxy thinks so about a node. */
  waitFor: (name: string, isReady: boolean) => Promise<void>;
  close: () => Promise<void>;
}

interface Node {
  url: string;
  isReady: boolean;
}

export async function openHealthProxy(): Promise<HealthProxy> {
  const nodes = new Map<string, Node>();
  const agent = new http.Agent({ keepAlive: true });
  let turn = 0;
  const asking = new EventEmitter();

  const isReady = async ({ url }: Node) => {
    const signal = AbortSignal.timeout(ASK_TIMEOUT_MS);
    return (await fetch(`${url}/readyz`, { signal }).catch(() => null))?.ok === true;
  };
  const askAll = async () => {
    for (const node of nodes.values()) node.isReady = await isReady(node);
    asking.emit('done');
  };
  const timer = setInterval(() => void askAll(), ASK_INTERVAL_MS);

  const server = http.createServer((request, response) => {
    const ready = [...nodes.values()].filter((node) => node.isReady);
    const node = ready[turn++ % ready.length];
    if (node === undefined) return void response.writeHead(502).end('{}');
    const { url: path, method, headers } = request;
    const { port } = new URL(node.url);
    const passed = http.request({ agent, host: '127.0.0.1', port, path, method, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 502, answer.headers);
      answer.pipe(response);
    });
    // No retries: an operator's proxy may have none either.
    passed.on('error', () => response.writeHead(502).end('{}'));
    request.pipe(passed);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));

  return {
    url: `http://127.0.0.1:${(server.address() as net.AddressInfo).port}`,
    set: (name, url) => nodes.set(name, { url, isReady: false }),
    waitFor: async (name, wanted) => {
      while (nodes.get(name)?.isReady !== wanted) await once(asking, 'done');
    },
    close: async () => {
      clearInterval(timer);
      agent.destroy();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

const DIAL_INTERVAL_MS = 250;
const DIAL_TIMEOUT_MS = 12_000;

/** The part of that proxy for sockets: a connection waits while nothing listens at its target. */
export async function openHoldingProxy(): Promise<{
  port: number;
  target: { port: number };
  close: () => Promise<void>;
}> {
  const target = { port: 0 };
  const streams = new Set<net.Socket>();
  const keep = (stream: net.Socket) => {
    streams.add(stream);
    stream.on('error', () => stream.destroy());
    stream.on('close', () => streams.delete(stream));
  };
  const dial = async (client: net.Socket) => {
    for (const startedAt = performance.now(); performance.now() - startedAt < DIAL_TIMEOUT_MS;) {
      const found = net.connect(target.port, '127.0.0.1');
      const isConnected = await once(found, 'connect').then(
        () => true,
        () => false,
      );
      if (isConnected) {
        keep(found);
        found.on('close', () => client.destroy());
        client.on('close', () => found.destroy());
        client.pipe(found).pipe(client);
        return;
      }
      await wait(DIAL_INTERVAL_MS);
    }
    client.destroy();
  };
  const server = net.createServer((client) => {
    keep(client);
    void dial(client);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as net.AddressInfo).port,
    target,
    close: async () => {
      for (const stream of streams) stream.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
