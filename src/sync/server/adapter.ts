import type { Endpoint } from '#contract/section.ts';
import type { AccountDb } from '#db/database.ts';
import type { FieldValues, MediaFile, OutboxRow } from '#db/rows.ts';
import type { WireRequest } from '#net/wire.ts';
import type { EnginePorts, ServerIds } from '../engine-ports.ts';
import type { Verdict } from '../send/verdict.ts';

/** Where a row is being sent from. */
export interface SendContext {
  db: AccountDb;
  ports: EnginePorts;
  server: ServerAdapter;
  /** On every request of the queue. */
  headers: Record<string, string>;
  /** True when this context must stop: out of time, or rate-limited by another request's answer. */
  shouldStop(): Promise<boolean>;
}

/** A file's request: as JSON where its bytes are on the server, as a form where they travel along. */
export interface FileBody {
  json: object;
  form: FieldValues;
  /** The form's field that holds the file. */
  field: string;
}

/**
 * How one kind of server takes changes. Callboard's own server offers the full API; a server that implements the
 * specification alone offers the basic one, without idempotency keys, versions and resumable uploads. The rest of the
 * engine asks the adapter to do things and never which of the two it is.
 */
export interface ServerAdapter {
  /** A repeat under the same key changes nothing, so rows may be sent again, and by two runners at once. */
  readonly isRepeatSafe: boolean;
  /** Whether an earlier try must be looked for before this row is sent again. */
  needsProbe(row: OutboxRow): boolean;
  hasCall(endpoint: Endpoint): boolean;
  /** Lets the server refuse a change of a record that has moved on. @param version 'none': of one that must not exist yet */
  addPrecondition(request: WireRequest, version: number | 'none' | null): WireRequest;
  /** Whether a change that attaches this file may leave. */
  isFileReady(file: MediaFile): boolean;
  /** The fields that name a complete upload in a JSON call; null where the server takes no uploads. */
  getUploadFields(uploadId: string): FieldValues | null;
  buildFileRequest(db: AccountDb, path: string, file: MediaFile, body: FileBody): Promise<WireRequest>;
  /** Fields of a set that travel although they did not change. @param profileId the server's */
  getUnchangedFields(db: AccountDb, row: OutboxRow, profileId: string): Promise<FieldValues>;
  /** Sends the bytes of an upload's file. */
  sendFile(context: SendContext, row: OutboxRow, file: MediaFile): Promise<Verdict>;
  /** Looks at the record before a change of it leaves. Null: send it. */
  checkBeforeSend(context: SendContext, row: OutboxRow, ids: () => ServerIds): Promise<Verdict | null>;
}
