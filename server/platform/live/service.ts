import type Pusher from 'pusher';
import type { Log } from '#server/platform/log.ts';
import type { Broadcaster, Broadcast } from './broadcaster.ts';
import type { Owner } from './peer.ts';

/** Records the session that each socket of the service belongs to. */
export interface SocketRegistry {
  /** Binds a socket to the first session that claims it. @returns false when it belongs to another session, or the session ended */
  claim(socketId: string, owner: Owner): Promise<boolean>;
}

/** A service that speaks the Pusher protocol: the hosted one, by its cluster, or a self-hosted one, by its host. */
export interface ServiceSettings {
  appId: string;
  key: string;
  secret: string;
  cluster: string;
  host?: string;
  port?: number;
  tls: boolean;
  /** Origin of the service's API for this server, when it differs from the host that devices use. */
  apiUrl?: string;
}

/** Connection options of the Pusher SDK. */
function toClientOptions({ cluster, host, port, tls, apiUrl }: ServiceSettings) {
  if (apiUrl !== undefined) {
    const { protocol, hostname, port: apiPort } = new URL(apiUrl);
    const useTLS = protocol === 'https:';
    return { host: hostname, port: apiPort === '' ? (useTLS ? '443' : '80') : apiPort, useTLS };
  }
  if (host === undefined) return { cluster, useTLS: tls };
  return { host, useTLS: tls, ...(port !== undefined && { port: String(port) }) };
}

/** Maximum events per call of the service. */
const BATCH_SIZE = 10;
/** Shorter than the idle timeout of a transaction, and than the shutdown timeout of the server. */
const TIMEOUT_MS = 4000;
/** Statuses of calls that the service rejects for good; a retry cannot succeed. */
const PERMANENT_ERRORS = new Set([400, 404, 413, 422]);

interface Event {
  channel: string;
  name: string;
  data: unknown;
  socket_id?: string;
}

const toEvents = (broadcasts: readonly Broadcast[]): Event[] =>
  broadcasts.flatMap((broadcast) => {
    if (broadcast.kind !== 'event') return [];
    const { channels, event: name, data, except } = broadcast;
    return channels.map((channel) => ({ channel, name, data, ...(except !== undefined && { socket_id: except }) }));
  });

function toBatches<T>(list: readonly T[]): T[][] {
  const count = Math.ceil(list.length / BATCH_SIZE);
  return Array.from({ length: count }, (_, n) => list.slice(n * BATCH_SIZE, (n + 1) * BATCH_SIZE));
}

/** Waits for all of the work, then throws the first error. */
async function allSettledOrThrow(work: readonly Promise<unknown>[]): Promise<void> {
  const failed = (await Promise.allSettled(work)).find(({ status }) => status === 'rejected');
  if (failed?.status === 'rejected') throw failed.reason;
}

/**
 * Live updates through an external service. The service knows users, not sessions: a sign-out closes all sockets of the user, and the
 * user's other devices reconnect.
 */
export async function openService(settings: ServiceSettings, log: Log, sockets: SocketRegistry): Promise<Broadcaster> {
  const { default: Sdk } = await import('pusher');
  const { appId, key, secret, cluster, host = `ws-${cluster}.pusher.com`, port, tls } = settings;
  const pusher: Pusher = new Sdk({
    appId,
    key,
    secret,
    timeout: TIMEOUT_MS,
    ...toClientOptions(settings),
  });

  /** An event that the service rejects, such as one that is too large, must not block the others forever. */
  const orSkip = async (what: string, call: () => Promise<unknown>, fallback?: () => Promise<void>) => {
    try {
      await call();
    } catch (error) {
      const { status } = error as { status?: number };
      if (status === undefined || !PERMANENT_ERRORS.has(status)) throw error;
      if (fallback) await fallback();
      else log.warn({ status, what }, 'the live service rejected a call');
    }
  };
  // The SDK modifies the events that it is given.
  const trigger = (events: readonly Event[]) => pusher.triggerBatch(events.map((event) => ({ ...event })));
  const send = (batch: readonly Event[]) =>
    orSkip(
      'a batch',
      () => trigger(batch),
      () => allSettledOrThrow(batch.map((event) => orSkip(event.name, () => trigger([event])))),
    );

  return {
    address: { key, cluster, host, port: port ?? (tls ? 443 : 80), tls },
    isInProcess: false,
    publish: async (broadcasts) => {
      await allSettledOrThrow(toBatches(toEvents(broadcasts)).map(send));
      const gone = new Set(broadcasts.flatMap((broadcast) => (broadcast.kind === 'event' ? [] : [broadcast.userId])));
      await allSettledOrThrow(
        [...gone].map((id) => orSkip('the end of sockets', () => pusher.terminateUserConnections(id))),
      );
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
