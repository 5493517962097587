import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Endpoint } from '#server/platform/live/endpoint.ts';
import { Hub } from '#server/platform/live/hub.ts';
import { CREDENTIALS, Line } from './live-line.ts';
import { quiet } from './quiet.ts';

/** The endpoint alone on its own port, with a manual clock. */
export interface LoneEndpoint {
  hub: Hub;
  endpoint: Endpoint;
  port: number;
  /** Moves the clock forward and runs the check that runs every ten seconds in production. */
  pass: (seconds: number) => void;
  open: (options?: ConstructorParameters<typeof Line>[2]) => Line;
  close: () => Promise<void>;
}

export async function openLoneEndpoint({
  spreadMs = 100,
  addressOf = (request: http.IncomingMessage) => request.socket.remoteAddress ?? '',
  privateChannelsFor = 'any' as 'any' | 'signedIn',
} = {}): Promise<LoneEndpoint> {
  const server = http.createServer();
  let nowMs = 0;
  const now = () => nowMs;
  const hub = new Hub({ ...CREDENTIALS, clientEvents: true, publicChannels: true, privateChannelsFor, now });
  const endpoint = new Endpoint({
    credentials: CREDENTIALS,
    hub,
    log: quiet,
    isAllowed: () => true,
    addressOf,
    now,
    spreadMs,
  });
  endpoint.attach(server);
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const opened: Line[] = [];
  return {
    hub,
    endpoint,
    port,
    pass: (seconds) => {
      nowMs += seconds * 1000;
      endpoint.checkSockets();
    },
    open: (options) => {
      const line = new Line(port, undefined, options);
      opened.push(line);
      return line;
    },
    close: async () => {
      for (const line of opened) line.end();
      await endpoint.close();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
