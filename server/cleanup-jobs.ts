import type { ServerOptions } from './platform/deps.ts';
import { deleteOldNetworks } from './features/account/known-devices.ts';
import { endExpiredSessions } from './features/account/store.ts';
import { clearStagingFolder } from './features/media/spool.ts';
import { deleteOldNotifications } from './features/notifications/store.ts';
import { deleteUnusedTerms } from './read-models/search/indexer.ts';
import { deleteOldResponses, deleteOldTombstones } from './read-models/sync/store.ts';
import { sweepFiles } from './features/uploads/sweep.ts';
import type { Job } from './platform/jobs.ts';
import { deleteIdleSockets } from './platform/live/socket-registry.ts';

/** No call takes as long as this, ms. */
const MAX_REQUEST_MS = 60 * 60_000;

/** What a server lets go of in time. Each goes in steps of a second or less, and bears being cut off between two of them. */
export function cleanupJobs({
  config,
  db,
  storage,
  clock,
}: Pick<ServerOptions, 'config' | 'db' | 'storage' | 'clock'>): Job[] {
  return [
    { name: 'forget tombstones', run: (now) => deleteOldTombstones(db, now) },
    { name: 'forget answers', run: (now) => deleteOldResponses(db, now) },
    { name: 'forget old notifications', run: (now) => deleteOldNotifications(db, now) },
    { name: 'end expired sessions', run: (now) => endExpiredSessions(db, now) },
    { name: 'forget networks', run: (now) => deleteOldNetworks(db, now) },
    { name: 'forget sockets', run: (now) => deleteIdleSockets(db, now) },
    { name: 'forget words of the search', run: () => deleteUnusedTerms(db) },
    // Also at every start, for what a crash left lying.
    { name: 'sweep files', runsOnEveryNode: true, run: () => sweepFiles({ db, storage, clock }) },
    {
      name: 'clear passing files',
      runsOnEveryNode: true,
      run: (now) => clearStagingFolder(config.dataDir, new Date(now.getTime() - MAX_REQUEST_MS)),
    },
  ];
}
