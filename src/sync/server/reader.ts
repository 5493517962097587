import type { AccountDb } from '#db/database.ts';
import { reportReadCursors } from '../pull/history.ts';
import { pullChanges } from '../pull/pull.ts';
import type { PullResult } from '../pull/result.ts';
import type { Ports } from '../ports.ts';
import { type ApiLevel, getKnownApi, learnApi } from './learn.ts';

type ReadPorts = Pick<Ports, 'transport' | 'clock'>;

/** How one kind of server is read: the other half of `ServerAdapter`, for pages. The worker only sends. */
export interface ServerReader {
  /** Brings the mirror up to what the server has. */
  pull(db: AccountDb, ports: ReadPorts): Promise<PullResult>;
  /** Reads one conversation again: whether that succeeded, or null where the server sends its news by itself. */
  pullConversation(db: AccountDb, ports: ReadPorts, id: string): Promise<boolean | null>;
  /** Reports how far conversations are read and have arrived here. */
  reportReadCursors(db: AccountDb, ports: ReadPorts): Promise<void>;
}

const READERS: Record<ApiLevel, ServerReader> = {
  full: { pull: pullChanges, pullConversation: () => Promise.resolve(null), reportReadCursors },
  basic: {
    // Our own server has no use for this code, so a page fetches it only when it meets a basic one.
    pull: async (db, ports) => (await import('./basic/pull-lists.ts')).pullLists(db, ports),
    async pullConversation(db, ports, id) {
      const result = await (await import('./basic/pull-chats.ts')).pullConversation(db, ports, id);
      return result && result === 'done';
    },
    // It has no call that takes read receipts.
    reportReadCursors: () => Promise.resolve(),
  },
};

/** The reader of this account's server, asking what it offers; null while nobody answers. */
export async function connectReader(db: AccountDb, ports: Pick<Ports, 'transport'>): Promise<ServerReader | null> {
  const level = await learnApi(db, ports);
  return level && READERS[level];
}

/** The reader as this device last knew it, without asking. */
export async function getKnownReader(db: AccountDb): Promise<ServerReader | null> {
  const level = await getKnownApi(db);
  return level && READERS[level];
}
