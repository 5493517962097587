import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Endpoint } from '#server/platform/live/endpoint.ts';
import { Hub } from '#server/platform/live/hub.ts';
import { CREDENTIALS, LiveClient } from './live-client.ts';
import { quietLog } from './quiet.ts';

/** The endpoint alone on its own port, with a manual clock. */
export interface StandaloneEndpoint {
  hub: Hub;
  endpoint: Endpoint;
  port: number;
  /** Moves the clock forward and runs the check that runs every ten seconds in production. */
  advance: (seconds: number) => void;
  open: (options?: ConstructorParameters<typeof LiveClient>[2]) => LiveClient;
  close: () => Promise<void>;
}

export async function openStandaloneEndpoint({
  spreadMs = 100,
  addressOf = (request: http.IncomingMessage) => request.socket.remoteAddress ?? '',
  privateChannelsFor = 'any' as 'any' | 'signedIn',
} = {}): Promise<StandaloneEndpoint> {
  const server = http.createServer();
  let nowMs = 0;
  const now = () => nowMs;
  const hub = new Hub({ ...CREDENTIALS, clientEvents: true, publicChannels: true, privateChannelsFor, now });
  const endpoint = new Endpoint({
    credentials: CREDENTIALS,
    hub,
    log: quietLog,
    isAllowed: () => true,
    addressOf,
    now,
    spreadMs,
  });
  endpoint.attach(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const opened: LiveClient[] = [];
  return {
    hub,
    endpoint,
    port,
    advance: (seconds) => {
      nowMs += seconds * 1000;
      endpoint.checkSockets();
    },
    open: (options) => {
      const client = new LiveClient(port, undefined, options);
      opened.push(client);
      return client;
    },
    close: async () => {
      for (const client of opened) client.end();
      await endpoint.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
