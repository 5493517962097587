import type * as dbApplyPending from '#db/apply-pending.ts';
import type * as dbCastingActs from '#db/casting-acts.ts';
import type * as dbMediaBody from '#db/media-body.ts';
import type * as dbQueries from '#db/queries.ts';
import type * as openStorePendingWorkMarker from '#open-store/pending-work-marker.ts';
import type * as openStoreWatch from '#open-store/store-watch.ts';
import type * as syncSendAcknowledge from '#sync/send/acknowledge.ts';
import type * as syncPullMessages from '#sync/pull/messages.ts';
import type * as syncSendClaim from '#sync/send/claim.ts';
import type * as syncSendClassify from '#sync/send/classify.ts';
import type * as syncSendCommit from '#sync/send/commit.ts';
import type * as syncConflictConflict from '#sync/conflict/conflict.ts';
import type * as syncQueueBasis from '#sync/queue/basis.ts';
import type * as syncQueueResolutions from '#sync/queue/resolutions.ts';
import type * as syncEngine from '#sync/engine.ts';
import type * as syncPullHistory from '#sync/pull/history.ts';
import type * as syncConflictMerge from '#sync/conflict/merge.ts';
import type * as syncPullApply from '#sync/pull/apply.ts';
import type * as syncOperations from '#sync/operations/index.ts';
import type * as syncQueueDropFiles from '#sync/queue/drop-files.ts';
import type * as syncQueueOutbox from '#sync/queue/outbox.ts';
import type * as syncSendAttention from '#sync/send/attention.ts';
import type * as syncSendRateLimit from '#sync/send/rate-limit.ts';
import type * as syncQueueActs from '#sync/queue/acts.ts';
import type * as syncQueueAvailability from '#sync/queue/availability.ts';
import type * as syncQueueCreateAll from '#sync/queue/create-all.ts';
import type * as syncQueueConnections from '#sync/queue/connections.ts';
import type * as syncQueueMarkSeen from '#sync/queue/mark-seen.ts';
import type * as syncQueueMessages from '#sync/queue/messages.ts';
import type * as syncQueueToggles from '#sync/queue/toggles.ts';
import type * as syncSealedOpen from '#sync/sealed/open.ts';
import type * as syncQueuePlanner from '#sync/queue/planner.ts';
import type * as syncQueueTapes from '#sync/queue/tapes.ts';
import type * as syncPullPull from '#sync/pull/pull.ts';
import type * as syncSendBuildRowRequest from '#sync/send/build-row-request.ts';
import type * as syncOperationsSentMessage from '#sync/operations/sent-message.ts';
import type * as syncServerBasicWholeChat from '#sync/server/basic/whole-chat.ts';
import type * as syncStorageError from '#sync/storage-error.ts';
import type * as syncServerBasicProbeMessage from '#sync/server/basic/probe-message.ts';
import type { AccountDb } from '#db/database.ts';
import type { EnginePorts } from '#sync/engine-ports.ts';

/** Modules of the engine whose functions bugs may replace, by file. */
export interface EngineModules {
  'src/db/apply-pending.ts': typeof dbApplyPending;
  'src/db/casting-acts.ts': typeof dbCastingActs;
  'src/db/media-body.ts': typeof dbMediaBody;
  'src/db/queries.ts': typeof dbQueries;
  'src/open-store/pending-work-marker.ts': typeof openStorePendingWorkMarker;
  'src/open-store/store-watch.ts': typeof openStoreWatch;
  'src/sync/send/acknowledge.ts': typeof syncSendAcknowledge;
  'src/sync/pull/messages.ts': typeof syncPullMessages;
  'src/sync/send/claim.ts': typeof syncSendClaim;
  'src/sync/send/classify.ts': typeof syncSendClassify;
  'src/sync/send/commit.ts': typeof syncSendCommit;
  'src/sync/conflict/conflict.ts': typeof syncConflictConflict;
  'src/sync/queue/basis.ts': typeof syncQueueBasis;
  'src/sync/queue/resolutions.ts': typeof syncQueueResolutions;
  'src/sync/engine.ts': typeof syncEngine;
  'src/sync/pull/history.ts': typeof syncPullHistory;
  'src/sync/conflict/merge.ts': typeof syncConflictMerge;
  'src/sync/pull/apply.ts': typeof syncPullApply;
  'src/sync/operations/index.ts': typeof syncOperations;
  'src/sync/queue/drop-files.ts': typeof syncQueueDropFiles;
  'src/sync/queue/outbox.ts': typeof syncQueueOutbox;
  'src/sync/send/attention.ts': typeof syncSendAttention;
  'src/sync/send/rate-limit.ts': typeof syncSendRateLimit;
  'src/sync/queue/acts.ts': typeof syncQueueActs;
  'src/sync/queue/availability.ts': typeof syncQueueAvailability;
  'src/sync/queue/create-all.ts': typeof syncQueueCreateAll;
  'src/sync/queue/connections.ts': typeof syncQueueConnections;
  'src/sync/queue/mark-seen.ts': typeof syncQueueMarkSeen;
  'src/sync/queue/messages.ts': typeof syncQueueMessages;
  'src/sync/queue/toggles.ts': typeof syncQueueToggles;
  'src/sync/sealed/open.ts': typeof syncSealedOpen;
  'src/sync/queue/planner.ts': typeof syncQueuePlanner;
  'src/sync/queue/tapes.ts': typeof syncQueueTapes;
  'src/sync/pull/pull.ts': typeof syncPullPull;
  'src/sync/send/build-row-request.ts': typeof syncSendBuildRowRequest;
  'src/sync/operations/sent-message.ts': typeof syncOperationsSentMessage;
  'src/sync/server/basic/whole-chat.ts': typeof syncServerBasicWholeChat;
  'src/sync/storage-error.ts': typeof syncStorageError;
  'src/sync/server/basic/probe-message.ts': typeof syncServerBasicProbeMessage;
}

type AnyFunction = (...args: never[]) => unknown;
type FunctionOf<M> = { [K in keyof M]: M[K] extends AnyFunction ? K : never }[keyof M];

/** Replaces one function of the engine. */
export interface Swap {
  file: string;
  name: string;
  make: (real: AnyFunction) => AnyFunction;
}

/** Replaces an exported function with one made from it. Renaming or changing the original fails the type check. */
export function swap<F extends keyof EngineModules, N extends FunctionOf<EngineModules[F]> & string>(
  file: F,
  name: N,
  make: (real: EngineModules[F][N]) => EngineModules[F][N],
): Swap {
  return { file, name, make: make as unknown as Swap['make'] };
}

/** The page or worker in which a bug is active, with its store. */
export interface BugPlace {
  device: { session: { userId: string } | null };
  db: AccountDb;
}

/** A deliberate bug in the engine. */
export interface Bug {
  name: string;
  swaps?: readonly Swap[];
  /** Wraps the engine's ports. */
  ports?: (ports: EnginePorts, place: BugPlace) => EnginePorts;
  /** Theme of the seeds to search, if the bug needs a rare combination. All themes by default. */
  theme?: string;
  /** Which of these seeds, counted from 1, showed the bug last. Only a hint for the search. */
  shownAt?: number;
  /** Whether the bug shows only with the basic API. */
  isBasic?: boolean;
}

let active: Bug | null = null;
const made = new Map<string, AnyFunction>();

/** Activates a bug. Null removes it. */
export function setBug(bug: Bug | null): void {
  active = bug;
  made.clear();
}

/**
 * Returns the function or its replacement by the active bug.
 * @public the bundle that simulation/bundle.ts builds calls it
 */
export function swapped(file: string, name: string, real: AnyFunction): AnyFunction {
  const found = active?.swaps?.find((each) => each.file === file && each.name === name);
  if (!found) return real;
  const key = `${file} ${name}`;
  let other = made.get(key);
  if (!other) made.set(key, (other = found.make(real)));
  return other;
}

/** Returns the ports of a run as the active bug wraps them. */
export const portsWithBug = (ports: EnginePorts, place: BugPlace): EnginePorts =>
  active?.ports?.(ports, place) ?? ports;
