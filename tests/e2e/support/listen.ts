import { once } from 'node:events';
import type { Server } from 'node:net';

/** Starts a server of a test on a port of its own. @returns its number */
export async function listen(server: Server): Promise<number> {
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('No port to be had');
  return address.port;
}
