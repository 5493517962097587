import type { IncomingMessage, Server } from 'node:http';
import type { Log } from '#server/platform/log.ts';
import type { Broadcaster, LiveAddress } from './broadcaster.ts';
import { channelSignature, userSignature, type Credentials } from './channels.ts';
import { Endpoint } from './endpoint.ts';
import { Hub } from './hub.ts';

/** Sockets close over this time at shutdown, before the API drains. */
const SPREAD_MS = 5000;

interface EmbeddedOptions {
  credentials: Credentials;
  server: Server;
  clientEvents: boolean;
  /** Whether other programs may publish through the protocol's HTTP API. */
  api: boolean;
  /** Whether sockets must sign in before they subscribe to private channels; for an endpoint that serves other nodes. */
  signInFirst: boolean;
  log: Log;
  isAllowed: (origin: string, request: IncomingMessage) => boolean;
  addressOf: (request: IncomingMessage) => string;
}

export interface Embedded extends Broadcaster {
  readonly hub: Hub;
}

/** The Pusher protocol on the server's own port. It only delivers what this process publishes. */
export function openEmbedded(options: EmbeddedOptions): Embedded {
  const { credentials, server, clientEvents, api, signInFirst } = options;
  const hub = new Hub({
    ...credentials,
    clientEvents,
    // This server and its nodes only publish to private channels.
    publicChannels: api && !signInFirst,
    privateChannelsFor: signInFirst ? 'signedIn' : api ? 'any' : 'claimed',
  });
  const endpoint = new Endpoint({ ...options, credentials, hub, spreadMs: SPREAD_MS });
  endpoint.attach(server);
  // Clients of this protocol need a cluster even when the host is given.
  const address: LiveAddress = { key: credentials.key, cluster: 'ap2', host: null, port: null, tls: null };
  return {
    hub,
    address,
    isInProcess: true,
    publish: async (broadcasts) => {
      for (const broadcast of broadcasts) {
        if (broadcast.kind === 'event') hub.publish({ ...broadcast, data: JSON.stringify(broadcast.data) });
        else if (broadcast.kind === 'signed out') hub.endSession(broadcast.sessionId);
        else hub.revoke(broadcast.userId, broadcast.channel);
      }
      return Promise.resolve();
    },
    authorize: async ({ socketId, channel, owner, member, mayListen }) => {
      // This order matters: a user who is revoked while `mayListen` runs must not be let in by its result.
      if (!hub.claim(socketId, owner)) return null;
      hub.clearRevocation(socketId, channel);
      if (!(await mayListen()) || hub.isRevoked(socketId, channel)) return null;
      const data = member && JSON.stringify(member);
      const auth = channelSignature(credentials, socketId, channel, data);
      return data === undefined ? { auth } : { auth, channel_data: data };
    },
    authenticate: async (socketId, owner, isSignedIn) => {
      // This order matters: a session that ends after `isSignedIn` was called finds the socket that it must close.
      if (!hub.claim(socketId, owner) || !(await isSignedIn())) return null;
      const data = JSON.stringify({ id: owner.userId });
      return { auth: userSignature(credentials, socketId, data), user_data: data };
    },
    close: () => endpoint.close(),
  };
}
