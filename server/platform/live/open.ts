import type { IncomingMessage, Server } from 'node:http';
import type { Config } from '#server/platform/config.ts';
import type { Database, Db } from '#server/platform/db/connect.ts';
import { LIVE_OUTBOX_CHANNEL } from '#server/platform/db/change-log.ts';
import { installation } from '#server/platform/db/schema.ts';
import type { Clock } from '#server/platform/clock.ts';
import type { Log } from '#server/platform/log.ts';
import type { Broadcaster } from './broadcaster.ts';
import type { Credentials } from './channels.ts';
import type { Hub } from './hub.ts';
import { openEmbedded } from './embedded.ts';
import { Publisher } from './publisher.ts';
import { openService } from './service.ts';
import { createSocketRegistry } from './socket-registry.ts';

/** The interface of live updates for the rest of the server. */
export interface Live extends Pick<Broadcaster, 'address' | 'authorize' | 'authenticate'> {
  /** The hub of the embedded endpoint; null when a service delivers live updates. */
  readonly hub: Hub | null;
  readonly credentials: Credentials;
  /** Signals that a write with live events may have been committed. */
  wake(): void;
  /** Sends the remaining events and closes all sockets. */
  close(): Promise<void>;
}

interface LiveParts {
  config: Config;
  db: Db;
  listen?: Database['listen'] | undefined;
  clock: Clock;
  log: Log;
  server: Server;
  isAllowed: (origin: string, request: IncomingMessage) => boolean;
  addressOf: (request: IncomingMessage) => string;
}

/** The configured credentials, or those generated for this installation. */
async function getCredentials({ pusher: { key, secret } }: Config, db: Db): Promise<Credentials> {
  if (key !== undefined && secret !== undefined) return { key, secret };
  const [generated] = await db.select().from(installation);
  if (generated === undefined) throw new Error('The installation has no row');
  return { key: generated.pusherKey, secret: generated.pusherSecret };
}

/** Opens live updates as configured: through a service, or through the endpoint of this server. */
export async function openLive({ config, db, listen, clock, log, server, ...web }: LiveParts): Promise<Live> {
  const { appId, service, clientEvents, api, signInFirst } = config.pusher;
  const { key, secret } = await getCredentials(config, db);
  const embedded =
    service === undefined
      ? openEmbedded({ credentials: { key, secret }, server, clientEvents, api, signInFirst, log, ...web })
      : null;
  const sockets = createSocketRegistry(db, clock);
  const broadcaster = embedded ?? (await openService({ ...service!, appId, key, secret }, log, sockets));
  const publisher = new Publisher({ db, broadcaster, clock, log });
  const stopListening = await listen?.(LIVE_OUTBOX_CHANNEL, () => publisher.wake());
  return {
    address: broadcaster.address,
    hub: embedded?.hub ?? null,
    credentials: { key, secret },
    wake: () => publisher.wake(),
    authorize: (admission) => broadcaster.authorize(admission),
    authenticate: (socketId, owner, isSignedIn) => broadcaster.authenticate(socketId, owner, isSignedIn),
    close: async () => {
      await stopListening?.();
      await publisher.close();
      await broadcaster.close();
    },
  };
}
