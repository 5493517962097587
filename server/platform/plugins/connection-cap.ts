import proxyAddr from '@fastify/proxy-addr';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import type { Config } from '#server/platform/config.ts';
import { tooManyRequests } from '#server/platform/http/errors.ts';
import { toNetwork } from '#server/platform/http/rate-limiter.ts';

/** Counts by key, and drops keys whose count returns to zero. */
class Tally {
  readonly #counts = new Map<string, number>();

  /** @returns a function that takes this one back; calling it again has no effect */
  add(key: string): () => void {
    this.#counts.set(key, this.of(key) + 1);
    let isReleased = false;
    return () => {
      if (isReleased) return;
      isReleased = true;
      const left = this.of(key) - 1;
      if (left > 0) this.#counts.set(key, left);
      else this.#counts.delete(key);
    };
  }

  of(key: string): number {
    return this.#counts.get(key) ?? 0;
  }
}

const buildTrustCheck = (trustProxy: Config['trustProxy']): ((address: string) => boolean) => {
  if (typeof trustProxy === 'boolean') return () => trustProxy;
  const isTrusted = proxyAddr.compile(trustProxy);
  return (address) => isTrusted(address, 0);
};

/**
 * Limits the connections of each network. Connections of a trusted proxy carry the requests of many clients, so behind one the
 * concurrent requests of each client are limited instead.
 */
export function capConnections(
  app: FastifyInstance,
  { connectionsPerAddress: max, trustProxy }: Pick<Config, 'connectionsPerAddress' | 'trustProxy'>,
): void {
  const isProxy = buildTrustCheck(trustProxy);
  const connections = new Tally();
  const requests = new Tally();
  const counted = new WeakSet<Socket>();
  app.server.on('connection', (socket) => {
    const address = socket.remoteAddress ?? '';
    // A connection whose upgrade was declined is emitted a second time.
    if (counted.has(socket) || isProxy(address)) return;
    const network = toNetwork(address);
    if (connections.of(network) >= max) {
      app.log.info({ ip: address }, 'a connection beyond the limit was closed');
      socket.destroy();
      return;
    }
    counted.add(socket);
    socket.once('close', connections.add(network));
  });
  app.addHook('onRequest', async (request, reply) => {
    const network = toNetwork(request.ip);
    if (requests.of(network) >= max) throw tooManyRequests(5);
    const release = requests.add(network);
    // Whichever comes first: the response is sent, or the client disconnects.
    reply.raw.once('finish', release);
    reply.raw.once('close', release);
  });
}
