import type { ServerOptions } from './platform/deps.ts';
import { deleteOldNetworks } from './features/account/known-devices.ts';
import { finishRemovals } from './features/account/finish-removal.ts';
import { endExpiredSessions } from './features/account/store.ts';
import { clearStagingFolder } from './features/media/spool.ts';
import { deleteOldNotifications } from './features/notifications/store.ts';
import { prepareInsights } from './read-models/insights/store.ts';
import { deleteUnusedTerms } from './read-models/search/indexer.ts';
import { deleteOldResponses, deleteOldTombstones, trimOldMessages } from './read-models/sync/retention.ts';
import { sweepFiles } from './features/uploads/sweep.ts';
import type { Job } from './platform/jobs.ts';
import { deleteIdleSockets } from './platform/live/socket-registry.ts';

/** Upper bound on the duration of a request. */
const MAX_REQUEST_MS = 60 * 60_000;

/** Periodic jobs. Each runs in steps that hold locks for at most a second, and can be interrupted between steps. */
export function cleanupJobs({
  config,
  db,
  storage,
  clock,
}: Pick<ServerOptions, 'config' | 'db' | 'storage' | 'clock'>): Job[] {
  return [
    { name: 'forget tombstones', run: (now) => deleteOldTombstones(db, now) },
    { name: 'finish account deletions', run: () => finishRemovals(db) },
    { name: 'trim feeds', run: (now) => trimOldMessages(db, now) },
    { name: 'forget answers', run: (now) => deleteOldResponses(db, now) },
    { name: 'forget old notifications', run: (now) => deleteOldNotifications(db, now) },
    { name: 'prepare insights', run: (now) => prepareInsights(db, now) },
    { name: 'end expired sessions', run: (now) => endExpiredSessions(db, now) },
    { name: 'forget networks', run: (now) => deleteOldNetworks(db, now) },
    { name: 'forget sockets', run: (now) => deleteIdleSockets(db, now) },
    { name: 'forget words of the search', run: () => deleteUnusedTerms(db) },
    // Also runs at every start, to remove what a crash left behind.
    { name: 'sweep files', runsOnEveryNode: true, run: () => sweepFiles({ db, storage, clock }) },
    {
      name: 'clear passing files',
      runsOnEveryNode: true,
      run: (now) => clearStagingFolder(config.dataDir, new Date(now.getTime() - MAX_REQUEST_MS)),
    },
  ];
}
