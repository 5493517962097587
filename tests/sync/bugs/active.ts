import type * as dbFold from '#db/fold.ts';
import type * as dbMediaBody from '#db/media-body.ts';
import type * as dbQueries from '#db/queries.ts';
import type * as sessionCanary from '#session/canary.ts';
import type * as sessionStoreWatch from '#session/store-watch.ts';
import type * as syncAcknowledge from '#sync/acknowledge.ts';
import type * as syncChat from '#sync/chat.ts';
import type * as syncClaim from '#sync/claim.ts';
import type * as syncClassify from '#sync/classify.ts';
import type * as syncCommit from '#sync/commit.ts';
import type * as syncConflict from '#sync/conflict.ts';
import type * as syncCures from '#sync/cures.ts';
import type * as syncEngine from '#sync/engine.ts';
import type * as syncHistory from '#sync/history.ts';
import type * as syncMerge from '#sync/merge.ts';
import type * as syncMirror from '#sync/mirror.ts';
import type * as syncOperations from '#sync/operations/index.ts';
import type * as syncOutbox from '#sync/outbox.ts';
import type * as syncPark from '#sync/park.ts';
import type * as syncPauses from '#sync/pauses.ts';
import type * as syncConnections from '#sync/connections.ts';
import type * as syncMarkSeen from '#sync/mark-seen.ts';
import type * as syncToggles from '#sync/toggles.ts';
import type * as syncPlanner from '#sync/planner.ts';
import type * as syncPull from '#sync/pull.ts';
import type * as syncRequests from '#sync/requests.ts';
import type * as syncSaid from '#sync/said.ts';
import type * as syncBareWholeChat from '#sync/bare/whole-chat.ts';
import type * as syncTrouble from '#sync/trouble.ts';
import type * as syncBareLookForMessage from '#sync/bare/look-for-message.ts';
import type { AccountDb } from '#db/database.ts';
import type { EnginePorts } from '#sync/engine-ports.ts';

/** What the bugs may put something else in place of: modules of the engine, by their files. */
export interface EngineModules {
  'src/db/fold.ts': typeof dbFold;
  'src/db/media-body.ts': typeof dbMediaBody;
  'src/db/queries.ts': typeof dbQueries;
  'src/session/canary.ts': typeof sessionCanary;
  'src/session/store-watch.ts': typeof sessionStoreWatch;
  'src/sync/acknowledge.ts': typeof syncAcknowledge;
  'src/sync/chat.ts': typeof syncChat;
  'src/sync/claim.ts': typeof syncClaim;
  'src/sync/classify.ts': typeof syncClassify;
  'src/sync/commit.ts': typeof syncCommit;
  'src/sync/conflict.ts': typeof syncConflict;
  'src/sync/cures.ts': typeof syncCures;
  'src/sync/engine.ts': typeof syncEngine;
  'src/sync/history.ts': typeof syncHistory;
  'src/sync/merge.ts': typeof syncMerge;
  'src/sync/mirror.ts': typeof syncMirror;
  'src/sync/operations/index.ts': typeof syncOperations;
  'src/sync/outbox.ts': typeof syncOutbox;
  'src/sync/park.ts': typeof syncPark;
  'src/sync/pauses.ts': typeof syncPauses;
  'src/sync/connections.ts': typeof syncConnections;
  'src/sync/mark-seen.ts': typeof syncMarkSeen;
  'src/sync/toggles.ts': typeof syncToggles;
  'src/sync/planner.ts': typeof syncPlanner;
  'src/sync/pull.ts': typeof syncPull;
  'src/sync/requests.ts': typeof syncRequests;
  'src/sync/said.ts': typeof syncSaid;
  'src/sync/bare/whole-chat.ts': typeof syncBareWholeChat;
  'src/sync/trouble.ts': typeof syncTrouble;
  'src/sync/bare/look-for-message.ts': typeof syncBareLookForMessage;
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
  isForeign?: boolean;
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
 * @public the build of world/bundle.ts calls it
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
