import type { Endpoint } from '#contract/section.ts';
import type { AccountDb } from '#db/database.ts';
import type { FieldValues, MediaFile, OutboxRow } from '#db/rows.ts';
import type { WireRequest } from '#net/wire.ts';
import type { EnginePorts, ServerIds } from '../engine-ports.ts';
import type { Verdict } from '../send/verdict.ts';

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
