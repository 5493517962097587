import type { IncomingMessage, Server } from 'node:http';
import type { Log } from '#server/platform/log.ts';
import type { Broadcaster, LiveAddress } from './broadcaster.ts';
import { channelSignature, userSignature, type Credentials } from './channels.ts';
import { Endpoint } from './endpoint.ts';
import { Hub } from './hub.ts';

/** The API has that long to finish what is under way; sockets go before it. */
const SPREAD_MS = 5000;

interface EmbeddedOptions {
  credentials: Credentials;
  server: Server;
  clientEvents: boolean;
  /** Whether other programs publish through this endpoint, by the protocol's HTTP API. */
  api: boolean;
  /** Whether sockets must sign in before they listen to private channels; for an endpoint that serves other nodes. */
  signInFirst: boolean;
  log: Log;
  isAllowed: (origin: string, request: IncomingMessage) => boolean;
  addressOf: (request: IncomingMessage) => string;
}

export interface Embedded extends Broadcaster {
  readonly hub: Hub;
}

/** The Pusher protocol on the server's own port. For one process: what another one publishes is not heard here. */
export function openEmbedded(options: EmbeddedOptions): Embedded {
  const { credentials, server, clientEvents, api, signInFirst } = options;
  const hub = new Hub({
    ...credentials,
    clientEvents,
    // This server and its nodes publish to private channels alone.
    publicChannels: api && !signInFirst,
    privateChannelsFor: signInFirst ? 'signedIn' : api ? 'any' : 'claimed',
  });
  const endpoint = new Endpoint({ ...options, credentials, hub, spreadMs: SPREAD_MS });
  endpoint.attach(server);
  // A client of this protocol has to name a cluster, also where it is told the host.
  const address: LiveAddress = { key: credentials.key, cluster: 'ap2', host: null, port: null, tls: null };
  return {
    hub,
    address,
    publish: async (notes) => {
      for (const note of notes) {
        if (note.kind === 'event') hub.publish({ ...note, data: JSON.stringify(note.data) });
        else if (note.kind === 'signed out') hub.endSession(note.sessionId);
        else hub.revoke(note.userId, note.channel);
      }
      return Promise.resolve();
    },
    authorize: async ({ socketId, channel, owner, member, mayListen }) => {
      // In this order, or somebody who is sent out between question and answer could come in with the answer.
      if (!hub.claim(socketId, owner)) return null;
      hub.reconsider(socketId, channel);
      if (!(await mayListen()) || hub.isRevoked(socketId, channel)) return null;
      const data = member && JSON.stringify(member);
      const auth = channelSignature(credentials, socketId, channel, data);
      return data === undefined ? { auth } : { auth, channel_data: data };
    },
    authenticate: async (socketId, owner, isSignedIn) => {
      // In this order: a session that ends after the question finds the socket it has to close.
      if (!hub.claim(socketId, owner) || !(await isSignedIn())) return null;
      const data = JSON.stringify({ id: owner.userId });
      return { auth: userSignature(credentials, socketId, data), user_data: data };
    },
    close: () => endpoint.close(),
  };
}
