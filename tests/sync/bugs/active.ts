import type * as dbFold from '#db/fold.ts';
import type * as dbMediaBody from '#db/media-body.ts';
import type * as dbQueries from '#db/queries.ts';
import type * as sessionPendingWorkMarker from '#session/pending-work-marker.ts';
import type * as sessionStoreWatch from '#session/store-watch.ts';
import type * as syncAcknowledge from '#sync/send/acknowledge.ts';
import type * as syncChat from '#sync/pull/messages.ts';
import type * as syncClaim from '#sync/send/claim.ts';
import type * as syncClassify from '#sync/send/classify.ts';
import type * as syncCommit from '#sync/send/commit.ts';
import type * as syncConflict from '#sync/conflict/conflict.ts';
import type * as syncCures from '#sync/queue/resolutions.ts';
import type * as syncEngine from '#sync/engine.ts';
import type * as syncHistory from '#sync/pull/history.ts';
import type * as syncMerge from '#sync/conflict/merge.ts';
import type * as syncMirror from '#sync/pull/apply.ts';
import type * as syncOperations from '#sync/operations/index.ts';
import type * as syncOutbox from '#sync/queue/outbox.ts';
import type * as syncPark from '#sync/send/attention.ts';
import type * as syncPauses from '#sync/send/rate-limit.ts';
import type * as syncConnections from '#sync/queue/connections.ts';
import type * as syncMarkSeen from '#sync/queue/mark-seen.ts';
import type * as syncQueueMessages from '#sync/queue/messages.ts';
import type * as syncToggles from '#sync/queue/toggles.ts';
import type * as syncPlanner from '#sync/queue/planner.ts';
import type * as syncPull from '#sync/pull/pull.ts';
import type * as syncRequests from '#sync/send/request.ts';
import type * as syncSaid from '#sync/operations/sent-message.ts';
import type * as syncBasicWholeChat from '#sync/server/basic/whole-chat.ts';
import type * as syncTrouble from '#sync/storage-error.ts';
import type * as syncBasicLookForMessage from '#sync/server/basic/probe-message.ts';
import type { AccountDb } from '#db/database.ts';
import type { EnginePorts } from '#sync/engine-ports.ts';

/** What the bugs may put something else in place of: modules of the engine, by their files. */
export interface EngineModules {
  'src/db/fold.ts': typeof dbFold;
  'src/db/media-body.ts': typeof dbMediaBody;
  'src/db/queries.ts': typeof dbQueries;
  'src/session/pending-work-marker.ts': typeof sessionPendingWorkMarker;
  'src/session/store-watch.ts': typeof sessionStoreWatch;
  'src/sync/send/acknowledge.ts': typeof syncAcknowledge;
  'src/sync/pull/messages.ts': typeof syncChat;
  'src/sync/send/claim.ts': typeof syncClaim;
  'src/sync/send/classify.ts': typeof syncClassify;
  'src/sync/send/commit.ts': typeof syncCommit;
  'src/sync/conflict/conflict.ts': typeof syncConflict;
  'src/sync/queue/resolutions.ts': typeof syncCures;
  'src/sync/engine.ts': typeof syncEngine;
  'src/sync/pull/history.ts': typeof syncHistory;
  'src/sync/conflict/merge.ts': typeof syncMerge;
  'src/sync/pull/apply.ts': typeof syncMirror;
  'src/sync/operations/index.ts': typeof syncOperations;
  'src/sync/queue/outbox.ts': typeof syncOutbox;
  'src/sync/send/attention.ts': typeof syncPark;
  'src/sync/send/rate-limit.ts': typeof syncPauses;
  'src/sync/queue/connections.ts': typeof syncConnections;
  'src/sync/queue/mark-seen.ts': typeof syncMarkSeen;
  'src/sync/queue/messages.ts': typeof syncQueueMessages;
  'src/sync/queue/toggles.ts': typeof syncToggles;
  'src/sync/queue/planner.ts': typeof syncPlanner;
  'src/sync/pull/pull.ts': typeof syncPull;
  'src/sync/send/request.ts': typeof syncRequests;
  'src/sync/operations/sent-message.ts': typeof syncSaid;
  'src/sync/server/basic/whole-chat.ts': typeof syncBasicWholeChat;
  'src/sync/storage-error.ts': typeof syncTrouble;
  'src/sync/server/basic/probe-message.ts': typeof syncBasicLookForMessage;
}

type AnyFunction = (...args: never[]) => unknown;
type FunctionOf<M> = { [K in keyof M]: M[K] extends AnyFunction ? K : never }[keyof M];

/** One function of the engine that does something else. */
export interface Swap {
  file: string;
  name: string;
  make: (real: AnyFunction) => AnyFunction;
}

/** Puts another function in place of an exported one, made from it; a name or form that changes fails the type check. */
export function swap<F extends keyof EngineModules, N extends FunctionOf<EngineModules[F]> & string>(
  file: F,
  name: N,
  make: (real: EngineModules[F][N]) => EngineModules[F][N],
): Swap {
  return { file, name, make: make as unknown as Swap['make'] };
}

/** Where a bug lives: a page or worker with its store. */
export interface BugPlace {
  device: { session: { userId: string } | null };
  db: AccountDb;
}

/** A deliberate bug of the engine. */
export interface Bug {
  name: string;
  swaps?: readonly Swap[];
  /** Puts something between the engine and the world. */
  ports?: (ports: EnginePorts, place: BugPlace) => EnginePorts;
  /** What the seeds that look for it dwell on, where it needs a rare meeting; all kinds otherwise. */
  theme?: string;
  /** Which of its seeds, counted from 1, showed it last: no more than where to look first. */
  shownAt?: number;
  /** Shows only with a server without keys. */
  isBasic?: boolean;
}

let active: Bug | null = null;
const made = new Map<string, AnyFunction>();

/** From here on the engine has this bug; null makes it sound again. */
export function setBug(bug: Bug | null): void {
  active = bug;
  made.clear();
}

/**
 * What the engine's function is at the moment.
 * @public the build of simulation/bundle.ts calls it
 */
export function swapped(file: string, name: string, real: AnyFunction): AnyFunction {
  const found = active?.swaps?.find((each) => each.file === file && each.name === name);
  if (!found) return real;
  const key = `${file} ${name}`;
  let other = made.get(key);
  if (!other) made.set(key, (other = found.make(real)));
  return other;
}

/** The ports of a run, with what the active bug puts between. */
export const portsWithBug = (ports: EnginePorts, place: BugPlace): EnginePorts =>
  active?.ports?.(ports, place) ?? ports;
