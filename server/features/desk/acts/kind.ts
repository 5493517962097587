import type { DeskActName, DeskTarget } from '#contract/desk-acts.ts';
import type { ActBody } from '#contract/records/desk.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import type { SharedLimiter } from '#server/platform/http/shared-limiter.ts';
import type { AuditRow } from '../audit.ts';

/** What every act and its undoing get. Both run in one transaction with the entry in the log. */
interface Context {
  tx: Db;
  changes: ChangeLog;
  actor: Caller;
  now: Date;
  limiter: SharedLimiter;
}

/** An act that is asked for. Its rules have been checked, its target has not. */
export interface ActContext extends Context {
  /** Number of its entry in the log. */
  actId: number;
  target: { type: DeskTarget; id: number };
  reason: ActBody['reason'];
  /** '' where the act needs none. */
  words: string;
  until: Date | null;
  /** The name that was typed. */
  typedName: string;
  /** The website of an office. */
  domain: string | null;
}

/** An act that is to be undone. */
export interface UndoContext extends Context {
  done: AuditRow;
}

/** What an act tells the log. */
export interface ActResult {
  /** The person whom it concerns. */
  userId: number | null;
  /** What undoing it restores. No words of people: the log outlives them. */
  before?: Record<string, unknown>;
}

/** How an act is done and undone. @throws 404, 403 or 422 where it cannot be, 409 where it cannot be any more */
export interface Act {
  apply: (context: ActContext) => Promise<ActResult>;
  /** Present where the rules of the act say that it can be undone. */
  undo?: (context: UndoContext) => Promise<void>;
}

/** One entry for each name of the contract. */
export type ActRegistry = Readonly<Record<DeskActName, Act>>;
