import proxyAddr from '@fastify/proxy-addr';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/platform/config.ts';
import { tooManyRequests } from '#server/platform/http/errors.ts';
import { toNetwork } from '#server/platform/http/rate-limiter.ts';

/** Counts by key, and forgets what fell to nothing. */
class Tally {
  readonly #counts = new Map<string, number>();

  /** @returns takes one back, once */
  add(key: string): () => void {
    this.#counts.set(key, this.of(key) + 1);
    let isBack = false;
    return () => {
      if (isBack) return;
      isBack = true;
      const left = this.of(key) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    };
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}

const trustOf = (trustProxy: Config['trustProxy']): ((address: string) => boolean) => {
  if (typeof trustProxy === 'boolean') return () => trustProxy;
  const isTrusted = proxyAddr.compile(trustProxy);
  return (address) => isTrusted(address, 0);
};

/**
 * Holds each address to so many connections. Those of a trusted proxy carry the requests of many: there the requests under way
 * of each client count.
 */
export function capConnections(
  app: FastifyInstance,
  { connectionsPerAddress: most, trustProxy }: Pick<Config, 'connectionsPerAddress' | 'trustProxy'>,
): void {
  const isProxy = trustOf(trustProxy);
  const connections = new Tally();
  const requests = new Tally();
  const counted = new WeakSet<Socket>();
  app.server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    // One that is read anew from its start comes a second time.
    if (counted.has(socket) || isProxy(address)) return;
    const network = toNetwork(address);
    if (connections.of(network) >= most) {
      socket.destroy();
      return;
    }
    counted.add(socket);
    socket.once('close', connections.add(network));
  });
  app.addHook('onRequest', async (request, reply) => {
    const network = toNetwork(request.ip);
    if (requests.of(network) >= most) throw tooManyRequests(5);
    const giveBack = requests.add(network);
    // Whichever comes: an answer that is out, or a client that has gone.
    reply.raw.once('finish', giveBack);
    reply.raw.once('close', giveBack);
  });
}
