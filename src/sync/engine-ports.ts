import type { Endpoint } from '#contract/section.ts';
import type { AccountDb } from '#db/database.ts';
import type { FieldValues, MediaFile, OutboxRow } from '#db/rows.ts';
import type { WireAnswer, WireRequest } from '#net/wire.ts';
import type { Chance, Clock, Ports, Transport } from './ports.ts';
import type { Verdict } from './send/verdict.ts';

/** The server ids of a row's record and of its parent. */
export interface ServerIds {
  target: string;
  parent: string | null;
}

/** Classifies a response to the row. */
type ReadAnswer = (answer: WireAnswer) => Verdict;
interface ProbePorts {
  transport: Transport;
  clock: Clock;
}

/** What storing the result of an attempt needs. */
export interface CommitContext {
  db: AccountDb;
  clock: Clock;
  chance: Chance;
  server: ServerAdapter;
  /** A worker leaves rows that are marked for a page alone. */
  isWorker: boolean;
  /** True when other rows succeeded since this row's server errors began, so that the cause is the row itself. */
  othersSucceed(op: string): boolean;
}

/** Code that only conflicts, basic-API servers and uploads to the operator's bucket need. */
export interface ConflictTools {
  /** Merges a change with another device's edit of the same record. Runs in the transaction of the commit. */
  mergeTheirs(context: CommitContext, row: OutboxRow, theirs: FieldValues, message: string): Promise<void>;
  /**
   * Fetches the server's current copy of a row's record; null when it is gone.
   * @param given the record of the 412, if any
   */
  fetchTheirs(
    db: AccountDb,
    ports: Pick<ProbePorts, 'transport'>,
    row: OutboxRow,
    ids: ServerIds,
    given: FieldValues | null,
  ): Promise<{ theirs: FieldValues | null } | { failed: WireAnswer }>;
  /** Sends the bytes of a file to the operator's bucket. */
  sendDirectly(context: SendContext, row: OutboxRow, file: MediaFile): Promise<Verdict>;
  /** How to speak to a server with the basic API. */
  basicApi: ServerAdapter;
  /** Checks whether an earlier attempt to create a record reached the server. */
  probeCreate(
    db: AccountDb,
    ports: ProbePorts,
    row: OutboxRow,
    profileId: string | null,
    read: ReadAnswer,
  ): Promise<Verdict | 'not there'>;
  /** Checks whether an earlier attempt to send a message reached the server. */
  probeMessage(
    db: AccountDb,
    ports: Pick<ProbePorts, 'transport'>,
    row: OutboxRow,
    read: ReadAnswer,
  ): Promise<Verdict | 'not there'>;
}

/** The ports of the complete engine. */
export interface EnginePorts extends Ports {
  /** A page loads the tools on the first conflict or basic-API server. A worker has none: null, so that a page sends what needs them. */
  loadConflictTools(): Promise<ConflictTools | null>;
  /** Set by the worker, which must not keep rows from a page that only a page can send. */
  isWorker?: true;
}

/** What sending a row needs. */
export interface SendContext {
  db: AccountDb;
  ports: EnginePorts;
  server: ServerAdapter;
  /** Headers of every request of the queue. */
  headers: Record<string, string>;
  /** Whether this context must stop: its time is over, or another response started a rate limit. */
  shouldStop(): Promise<boolean>;
}

/**
 * The two bodies of a request that attaches a file: JSON when its bytes were uploaded before, a form that contains
 * them.
 */
export interface FileBody {
  json: object;
  form: FieldValues;
  /** The form's field that holds the file. */
  field: string;
}

/**
 * Sends changes to one kind of server. Callboard's own server offers the full API. A server that implements only the
 * specification offers the basic API, without idempotency keys, versions and resumable uploads. The rest of the engine
 * uses this interface and never asks which of the two it is.
 */
export interface ServerAdapter {
  /**
   * Whether a repeat under the same key has no effect, so that rows may be sent again, even by two contexts at once.
   */
  readonly isRepeatSafe: boolean;
  /** Whether resending this row needs an existence check first. */
  needsProbe(row: OutboxRow): boolean;
  hasCall(endpoint: Endpoint): boolean;
  /**
   * Makes the server refuse a change of a record that has changed since.
   * @param version the expected version; 'none' when the record must not exist yet
   */
  addPrecondition(request: WireRequest, version: number | 'none' | null): WireRequest;
  /** Whether a change that attaches this file may be sent. */
  isFileReady(file: MediaFile): boolean;
  /** The fields that refer to a complete upload in a JSON request; null when the server has no upload endpoint. */
  getUploadFields(uploadId: string): FieldValues | null;
  buildFileRequest(db: AccountDb, path: string, file: MediaFile, body: FileBody): Promise<WireRequest>;
  /** The unchanged fields of a set that must be sent too. @param profileId the server's id */
  getUnchangedFields(db: AccountDb, row: OutboxRow, profileId: string): Promise<FieldValues>;
  /** Sends the bytes of an upload's file. */
  sendFile(context: SendContext, row: OutboxRow, file: MediaFile): Promise<Verdict>;
  /** Reads the record before a change of it is sent. Null: send the change. */
  checkBeforeSend(context: SendContext, row: OutboxRow, ids: () => ServerIds): Promise<Verdict | null>;
}
