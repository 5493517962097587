import type Pusher from 'pusher';
import type { Log } from '#server/platform/log.ts';
import type { Broadcaster, Broadcast } from './broadcaster.ts';
import type { Owner } from './hub.ts';

/** Remembers which session each socket of the service belongs to. */
export interface SocketRegistry {
  /** Ties a socket to the first session that asks. @returns false where it belongs to another one, or the session is over */
  claim(socketId: string, owner: Owner): Promise<boolean>;
}

/** A service that speaks the Pusher protocol: the hosted one by its cluster, or one of the operator's by its host. */
export interface ServiceSettings {
  appId: string;
  key: string;
  secret: string;
  cluster: string;
  host?: string;
  port?: number;
  tls: boolean;
  /** Where this server calls it, should that be elsewhere than where devices find it: an origin. */
  apiUrl?: string;
}

/** Where the calls go, in the words of the client. */
function reachOf({ cluster, host, port, tls, apiUrl }: ServiceSettings) {
  if (apiUrl !== undefined) {
    const { protocol, hostname, port: apiPort } = new URL(apiUrl);
    const useTLS = protocol === 'https:';
    return { host: hostname, port: apiPort === '' ? (useTLS ? '443' : '80') : apiPort, useTLS };
  }
  if (host === undefined) return { cluster, useTLS: tls };
  return { host, useTLS: tls, ...(port !== undefined && { port: String(port) }) };
}

/** The service takes that many events in one call. */
const BATCH = 10;
/** Shorter than a transaction may stand idle, and than the server may take to stop. */
const PATIENCE_MS = 4000;
/** The call itself is not liked: it will not be liked any better later. */
const UNWANTED = new Set([400, 404, 413, 422]);

interface Event {
  channel: string;
  name: string;
  data: unknown;
  socket_id?: string;
}

const eventsOf = (notes: readonly Broadcast[]): Event[] =>
  notes.flatMap((note) => {
    if (note.kind !== 'event') return [];
    const { channels, event: name, data, except } = note;
    return channels.map((channel) => ({ channel, name, data, ...(except !== undefined && { socket_id: except }) }));
  });

function batchesOf<T>(list: readonly T[]): T[][] {
  const count = Math.ceil(list.length / BATCH);
  return Array.from({ length: count }, (_, n) => list.slice(n * BATCH, (n + 1) * BATCH));
}

/** All of it is tried; what failed is thrown. */
async function all(work: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/**
 * Live news through a service beside this server. It knows people, not their sessions: who signs out of one is ended everywhere, and
 * their other devices come back.
 */
export async function openService(settings: ServiceSettings, log: Log, sockets: SocketRegistry): Promise<Broadcaster> {
  const { default: Sdk } = await import('pusher');
  const { appId, key, secret, cluster, host = `ws-${cluster}.pusher.com`, port, tls } = settings;
  const pusher: Pusher = new Sdk({
    appId,
    key,
    secret,
    timeout: PATIENCE_MS,
    ...reachOf(settings),
  });

  /** What the service does not take, such as an event it finds too large, must not hold up the others for good. */
  const orLeave = async (what: string, call: () => Promise<unknown>, instead?: () => Promise<void>) => {
    try {
      await call();
    } catch (error) {
      const { status } = error as { status?: number };
      if (status === undefined || !UNWANTED.has(status)) throw error;
      if (instead) await instead();
      else log.warn({ status, what }, 'the service does not take this');
    }
  };
  // The client writes the data into what it is given.
  const trigger = (events: readonly Event[]) => pusher.triggerBatch(events.map((event) => ({ ...event })));
  const send = (batch: readonly Event[]) =>
    orLeave(
      'a batch',
      () => trigger(batch),
      () => all(batch.map((event) => orLeave(event.name, () => trigger([event])))),
    );

  return {
    address: { key, cluster, host, port: port ?? (tls ? 443 : 80), tls },
    publish: async (notes) => {
      await all(batchesOf(eventsOf(notes)).map(send));
      const gone = new Set(notes.flatMap((note) => (note.kind === 'event' ? [] : [note.userId])));
      await all([...gone].map((id) => orLeave('the end of sockets', () => pusher.terminateUserConnections(id))));
    },
    authorize: async ({ socketId, channel, owner, member, mayListen }) => {
      if (!(await sockets.claim(socketId, owner)) || !(await mayListen())) return null;
      return pusher.authorizeChannel(socketId, channel, member);
    },
    authenticate: async (socketId, owner, isSignedIn) => {
      if (!(await sockets.claim(socketId, owner)) || !(await isSignedIn())) return null;
      return pusher.authenticateUser(socketId, { id: owner.userId });
    },
    close: () => Promise.resolve(),
  };
}
