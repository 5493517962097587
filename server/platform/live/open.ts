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

/** Live updates, as the rest of the server uses them. */
export interface Live extends Pick<Broadcaster, 'address' | 'authorize' | 'authenticate'> {
  /** The channels of the embedded endpoint; null where a service has them. */
  readonly hub: Hub | null;
  readonly credentials: Credentials;
  /** Something was committed that is to be told. */
  wake(): void;
  /** Sends what is left and lets go of all sockets. */
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

/** Those that were set, or the installation's own. */
async function credentialsOf({ pusher: { key, secret } }: Config, db: Db): Promise<Credentials> {
  if (key !== undefined && secret !== undefined) return { key, secret };
  const [made] = await db.select().from(installation);
  if (made === undefined) throw new Error('The installation has no row');
  return { key: made.pusherKey, secret: made.pusherSecret };
}

/** Opens what the settings say: a service, or the endpoint of this server. */
export async function openLive({ config, db, listen, clock, log, server, ...web }: LiveParts): Promise<Live> {
  const { appId, service, clientEvents, api, signInFirst } = config.pusher;
  const { key, secret } = await credentialsOf(config, db);
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
