import type Pusher from 'pusher';
import type { Broadcaster, LiveAddress, LiveNote } from './broadcaster.ts';

/** A service that speaks the Pusher protocol: the hosted one by its cluster, or one of the operator's by its host. */
export interface ServiceSettings {
  appId: string;
  key: string;
  secret: string;
  cluster: string;
  host?: string;
  port?: number;
  tls: boolean;
}

/** The service takes that many events in one call. */
const BATCH = 10;
const PATIENCE_MS = 10_000;

function* batchesOf<T>(list: readonly T[]): Generator<T[]> {
  for (let at = 0; at < list.length; at += BATCH) yield list.slice(at, at + BATCH);
}

type EventNote = Extract<LiveNote, { kind: 'event' }>;

/** Live news through a service beside this server. What it offers no call for (ending one session's sockets) ends with the person's. */
export async function openService(settings: ServiceSettings): Promise<Broadcaster> {
  const { default: Sdk } = await import('pusher');
  const { appId, key, secret, cluster, host, port, tls } = settings;
  const pusher: Pusher = new Sdk({
    appId,
    key,
    secret,
    useTLS: tls,
    timeout: PATIENCE_MS,
    ...(host === undefined ? { cluster } : { host, ...(port !== undefined && { port: String(port) }) }),
  });
  const address: LiveAddress = {
    key,
    cluster,
    host: host ?? null,
    port: host === undefined ? null : (port ?? (tls ? 443 : 80)),
    tls,
  };
  const publishEvents = async (notes: readonly EventNote[]) => {
    const events = notes.flatMap(({ channels, event, data, except }) =>
      channels.map((channel) => ({ channel, name: event, data, ...(except !== undefined && { socket_id: except }) })),
    );
    for (const batch of batchesOf(events)) await pusher.triggerBatch(batch);
  };
  return {
    address,
    publish: async (notes) => {
      await publishEvents(notes.filter((note) => note.kind === 'event'));
      for (const note of notes) if (note.kind === 'sent out') await pusher.terminateUserConnections(note.userId);
    },
    authorize: async ({ socketId, channel, member, mayListen }) =>
      (await mayListen()) ? pusher.authorizeChannel(socketId, channel, member) : null,
    close: () => Promise.resolve(),
  };
}
