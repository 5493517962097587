import type { Message } from '#contract/records/chat.ts';
import type { Endpoint } from '#contract/section.ts';
import type { AccountDb } from '#db/database.ts';
import type { FieldValues, MirrorRecord, OpKind, OutboxRow } from '#db/rows.ts';
import type { WireRequest } from '#net/wire.ts';
import type { ServerAdapter } from '../engine-ports.ts';

export type Values = FieldValues;

/** Icons of operations. A change of a record has the icon of the record instead. */
export type OperationIcon =
  'bookmark' | 'star' | 'add person' | 'remove person' | 'message' | 'bell' | 'picture' | 'slate';

/** What an operation may use to build its request. */
export interface RequestContext {
  db: AccountDb;
  endpoint: Endpoint;
  server: ServerAdapter;
  /** Returns the server's id of a local record. Throws if the server does not have the record yet. */
  resolve(id: string): string;
}

/** A success response. */
export interface Success {
  record: Values;
  /** The server had the record already, from an earlier attempt or from another device. */
  existed: boolean;
}

/** What the rows behind an acknowledged change in its lane need for rebasing. */
export interface Acknowledged {
  /** The record's new version; null when the server has no versions or the operation changes no record. */
  version: number | null;
  /** The record's lane now. It differs from the row's when this device already knew the record under another id. */
  lane?: string;
}

/** What an operation may do when it is acknowledged. All of it runs in the transaction that deletes the row. */
export interface AckContext {
  db: AccountDb;
  /** Milliseconds since the epoch. */
  now: number;
  /**
   * Stores the server's record unless the mirror (`known`) has a newer one. Returns the version of the given record.
   */
  putMirror(record: Omit<MirrorRecord, 'version'>, known?: MirrorRecord): Promise<number | null>;
  /** Stores a record that this device created, and its server id. */
  putMade(row: OutboxRow, record: Values): Promise<{ target: string; lane: string; version: number | null }>;
  /** Rebases the changes behind a create whose record is another device's, of which they have seen nothing. */
  rebaseOnNothing(row: OutboxRow, lane: string): Promise<void>;
  /** Queues an update right behind the row, or merges it into the unsent update that is already there. */
  queueUpdate(row: OutboxRow, patch: Values, base: Values, version: number | null): Promise<void>;
  laneRows(lane: string): Promise<OutboxRow[]>;
  /**
   * Deletes the bytes of the row's files.
   * @param recordId the record that shows the file, so that its thumbnail stays; null when there is none
   */
  releaseFiles(row: OutboxRow, recordId: string | null): Promise<void>;
  /** Stores messages that the server confirmed, and acknowledges their rows. */
  putMessages(messages: readonly Message[]): Promise<void>;
}

/** How an operation interprets the refusals whose meaning depends on the operation. */
export interface RefusalRules {
  /** 409 and 412. merge: another device changed the record first. invalid: the user must decide. */
  conflict: 'merge' | 'invalid';
  /** 404 and 410. done: nothing is left to delete. */
  missing: 'done' | 'gone' | 'unknown-op';
  /** 429. account: the limit applies to all requests. operation: it applies only to this one. */
  rateLimit: 'account' | 'operation';
}

/**
 * What a change is about, from the user's view. It determines the text of a refusal and its resolutions: a record can
 * be edited, a file replaced, an intent (`wish`) sent again, and a delete canceled.
 */
type About = 'record' | 'removal' | 'file' | 'wish' | 'message';

/** The parts of a row that determine its lane. */
export type LaneParts<Patch extends object = Values> = Pick<OutboxRow<Patch>, 'type' | 'target' | 'parent' | 'patch'>;

/**
 * One kind of change that a user can make, with everything that the engine needs to know about it. The queue, the
 * sender and the response handling use the registry in `index.ts` and never name an operation.
 */
export interface Operation<Patch extends object = Values> {
  /** Stored in the outbox. Operations of one kind differ by `isFor`. */
  kind: OpKind;
  /** Whether it applies to this record type; absent when it applies to all types of its kind. */
  isFor?(type: string): boolean;
  /**
   * Changes that must arrive in order share a lane. It is stored, so it must not change for rows that are already
   * queued.
   */
  lane(parts: LaneParts<Patch>): string;
  /** The kind of slot that sends it. Uploads run beside JSON requests. */
  slot: 'json' | 'upload';
  /** The server assigns the target's id, so there is none before the response. */
  makesTarget: boolean;
  /**
   * A repeat would create a duplicate, so a server without idempotency keys needs an existence check before each one.
   */
  needsProbe: boolean;
  /**
   * Its endpoint; null when the contract has none. Never stored, so that a corrected endpoint also fixes queued rows.
   */
  endpoint(row: Pick<OutboxRow<Patch>, 'type' | 'patch'>): Endpoint | null;
  /**
   * Builds the request. The same row always gives the same bytes. Null when this server does not support the operation.
   */
  buildRequest(row: OutboxRow<Patch>, context: RequestContext): Promise<WireRequest | null>;
  /** Returns the record in a success response; null when the body is no response to this operation. */
  parseAnswer(body: Values, type: string): Values | null;
  refusals(row: Pick<OutboxRow<Patch>, 'type' | 'patch'>): RefusalRules;
  about: About;
  /**
   * The record that its response changes in the mirror although no version tells whether the response or a page of a
   * pull is newer. The id is the row's, and null when only the server knows it. Absent or undefined when versions tell.
   */
  unversionedRecord?(
    row: Pick<OutboxRow<Patch>, 'type' | 'target' | 'patch'>,
  ): readonly [type: string, id: string | null] | undefined;
  /** Writes the response into the mirror. Returns 'ended' when that has also deleted the row. */
  acknowledge(row: OutboxRow<Patch>, success: Success, context: AckContext): Promise<Acknowledged | 'ended'>;
  /** The title of the change: 'Credit: The Long Monsoon'. @param body its record, as far as this device knows it */
  describe(row: Pick<OutboxRow<Patch>, 'type' | 'patch'>, body: Values): string;
  icon?: OperationIcon;
  /** The second line in "Waiting to send"; absent when that line lists the changed fields. */
  summarize?(row: Pick<OutboxRow<Patch>, 'patch'>): string;
  /** Text by the user that is no field of a record, such as a message, to copy when it cannot be sent. */
  getText?(row: Pick<OutboxRow<Patch>, 'patch'>): string;
  /**
   * Text shown after the acknowledgement; undefined when the screen shows the result anyway.
   * @param subject see `getSubject`
   */
  savedText?(subject: string): string | undefined;
  /** Text shown when the target of an intent is gone; absent when the target is a person. */
  goneText?: string;
  /** The success message of the server is shown to the user. */
  showsServerMessage?: true;
}

/** The base version of a change written without seeing the record. The server's versions start at 1. */
export const NO_VERSION = 0;

/** The lane of a record, so that its changes arrive in the order in which the user made them. */
export const getRecordLane = ({ type, target }: Pick<OutboxRow, 'type' | 'target'>): string => `${type}:${target}`;

/** The result of an operation that changes no versioned record. */
export const UNVERSIONED: Acknowledged = { version: null };

/** The refusal rules of intents: the account has no record that two devices could edit. */
export const INTENT_REFUSALS: RefusalRules = { conflict: 'invalid', missing: 'gone', rateLimit: 'account' };
