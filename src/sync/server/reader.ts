import type { AccountDb } from '#db/database.ts';
import { reportReadCursors } from '../pull/history.ts';
import { pullChanges } from '../pull/pull.ts';
import type { PullResult } from '../pull/result.ts';
import type { Ports } from '../ports.ts';
import { type ApiLevel, getKnownApi, learnApi } from './learn.ts';

type ReadPorts = Pick<Ports, 'transport' | 'clock'>;

/**
 * Reads from one kind of server; the counterpart of `ServerAdapter`. Only pages use it, because the worker only sends.
 */
export interface ServerReader {
  /** Updates the mirror from the server. */
  pull(db: AccountDb, ports: ReadPorts): Promise<PullResult>;
  /** Reads one conversation again. Returns whether that succeeded, or null when the server pushes new messages. */
  pullConversation(db: AccountDb, ports: ReadPorts, id: string): Promise<boolean | null>;
  /** Reports how far conversations were received and read on this device. */
  reportReadCursors(db: AccountDb, ports: ReadPorts): Promise<void>;
}

const READERS: Record<ApiLevel, ServerReader> = {
  full: { pull: pullChanges, pullConversation: () => Promise.resolve(null), reportReadCursors },
  basic: {
    // Our own server does not need this code, so a page loads it only for a basic one.
    pull: async (db, ports) => (await import('./basic/pull-lists.ts')).pullLists(db, ports),
    async pullConversation(db, ports, id) {
      const result = await (await import('./basic/pull-chats.ts')).pullConversation(db, ports, id);
      return result && result === 'done';
    },
    // The basic API has no endpoint for read receipts.
    reportReadCursors: () => Promise.resolve(),
  },
};

/** Returns the reader of this account's server, asking which API it offers if needed; null until the server answers. */
export async function connectReader(db: AccountDb, ports: Pick<Ports, 'transport'>): Promise<ServerReader | null> {
  const level = await learnApi(db, ports);
  return level && READERS[level];
}

/** Returns the reader that this device last learned, without a request; null when there is none. */
export async function getKnownReader(db: AccountDb): Promise<ServerReader | null> {
  const level = await getKnownApi(db);
  return level && READERS[level];
}
