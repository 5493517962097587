import type { Message } from '#contract/records/chat.ts';
import type { Endpoint } from '#contract/section.ts';
import type { AccountDb } from '#db/database.ts';
import type { FieldValues, MirrorRecord, OpKind, OutboxRow } from '#db/rows.ts';
import type { WireRequest } from '#net/wire.ts';
import type { ServerAdapter } from '../server/adapter.ts';

export type Values = FieldValues;

/** Pictures for operations; a change of a record has its record's. */
export type OperationIcon = 'bookmark' | 'star' | 'add person' | 'remove person' | 'message' | 'bell' | 'picture';

/** What building a request may ask for. */
export interface RequestContext {
  db: AccountDb;
  endpoint: Endpoint;
  server: ServerAdapter;
  /** The server's id of a record this device knows. Throws for one that the server does not know yet. */
  resolve(id: string): string;
}

/** A success, as the server reported it. */
export interface Success {
  record: Values;
  /** The server had it already: from an earlier try, or from another device. */
  existed: boolean;
}

/** What an acknowledged change left behind it, for the changes that wait in its lane. */
export interface Acknowledged {
  /** Of the record now; null where the server has no versions, or the operation changes no record. */
  version: number | null;
  /** Where the changes of its record stand now. A record that turns out to be one known here brings its lane along. */
  lane?: string;
}

/** What an operation may do to the store once the server has it. All of it runs in the transaction that ends the row. */
export interface AckContext {
  db: AccountDb;
  /** Milliseconds since the epoch. */
  now: number;
  /** Puts what the server said, unless something newer is there (`known`). Returns the version it carries. */
  putMirror(record: Omit<MirrorRecord, 'version'>, known?: MirrorRecord): Promise<number | null>;
  /** Puts a record that this device made, and notes the server's id of it. */
  putMade(row: OutboxRow, record: Values): Promise<{ target: string; lane: string; version: number | null }>;
  /** Tells the changes behind a create that its record is another device's, of which they have seen nothing. */
  rebaseOnNothing(row: OutboxRow, lane: string): Promise<void>;
  /** Queues a change of the same record right behind, or adds it to the unsent one that waits there. */
  queueUpdate(row: OutboxRow, patch: Values, base: Values, version: number | null): Promise<void>;
  laneRows(lane: string): Promise<OutboxRow[]>;
  /** Releases the bytes of the row's files. @param recordId of the record they became; null where nothing shows them */
  releaseFiles(row: OutboxRow, recordId: string | null): Promise<void>;
  /** Puts messages the server confirmed, and ends the rows that wait for them. */
  putMessages(messages: readonly Message[]): Promise<void>;
}

/** How an operation reads refusals that mean different things to different operations. */
export interface RefusalRules {
  /** 409 and 412. merge: another device changed the record first. invalid: the person must decide. */
  conflict: 'merge' | 'invalid';
  /** 404 and 410. done: there is nothing left to remove. */
  missing: 'done' | 'gone' | 'unknown-op';
  /** 429. account: nothing else may be sent either. operation: the limit is this call's own. */
  rateLimit: 'account' | 'operation';
}

/**
 * What a change is to the person who made it. It decides what a refusal says and which ways lead out of it: a record can be
 * mended, a file replaced, a wish wished again, and what was to be removed can stay.
 */
type About = 'record' | 'removal' | 'file' | 'wish' | 'message';

/** What a row's lane is made of. */
export type LaneParts<Patch extends object = Values> = Pick<OutboxRow<Patch>, 'type' | 'target' | 'parent' | 'patch'>;

/**
 * One kind of change that a person can make. Everything the engine must know about it stands here; the queue, the sender
 * and the reading of answers loop over the registry in `index.ts` and name no operation.
 */
export interface Operation<Patch extends object = Values> {
  /** Stored in the outbox. Operations of one kind differ by `isFor`. */
  kind: OpKind;
  /** The types of record it changes; absent where it changes any type of its kind. */
  isFor?(type: string): boolean;
  /** Changes that must arrive in order share a lane. Stored, so it must not change for rows that wait on phones. */
  lane(parts: LaneParts<Patch>): string;
  /** Which kind of connection carries it. Uploads run beside JSON requests. */
  slot: 'json' | 'upload';
  /** The server gives its target an id: before the answer there is none. */
  makesTarget: boolean;
  /** A second one would stand beside the first: a server without idempotency keys is searched before each repeat. */
  needsProbe: boolean;
  /** The call it makes now, null where the contract has none. Never stored, so a corrected endpoint heals queued work. */
  endpoint(row: Pick<OutboxRow<Patch>, 'type' | 'patch'>): Endpoint | null;
  /** The same row gives the same bytes, however often it is built. Null where this server cannot take it. */
  buildRequest(row: OutboxRow<Patch>, context: RequestContext): Promise<WireRequest | null>;
  /** The record that a successful answer carries; null where the body is no answer to this operation. */
  parseAnswer(body: Values, type: string): Values | null;
  refusals(row: Pick<OutboxRow<Patch>, 'type' | 'patch'>): RefusalRules;
  about: About;
  /** Writes what the answer says into the mirror. 'ended' where that has ended the row as well. */
  acknowledge(row: OutboxRow<Patch>, success: Success, context: AckContext): Promise<Acknowledged | 'ended'>;
  /** The change in words: 'Credit: The Long Monsoon'. @param body the record under it, as far as this device knows it */
  describe(row: Pick<OutboxRow<Patch>, 'type' | 'patch'>, body: Values): string;
  icon?: OperationIcon;
  /** The second line in Waiting to send; absent where it lists the changed fields. */
  summarize?(row: Pick<OutboxRow<Patch>, 'patch'>): string;
  /** The person's own words, where they are no field of a record: to be copied when they cannot be sent. */
  getText?(row: Pick<OutboxRow<Patch>, 'patch'>): string;
  /** Shown once the server has it; undefined where the screen shows it anyway. @param subject see `getSubject` */
  savedText?(subject: string): string | undefined;
  /** Said when what an intent is about is gone; absent where that is a person. */
  goneText?: string;
  /** The server's words on success are for the person to read. */
  showsServerMessage?: true;
}

/** The lane of a record: its changes arrive in the order in which they were made. */
export const getRecordLane = ({ type, target }: Pick<OutboxRow, 'type' | 'target'>): string => `${type}:${target}`;

/** Of an operation that changes no record with a version. */
export const UNVERSIONED: Acknowledged = { version: null };

/** Refusals of a change to somebody or something else, of which this account has no record that two devices could edit. */
export const INTENT_REFUSALS: RefusalRules = { conflict: 'invalid', missing: 'gone', rateLimit: 'account' };
