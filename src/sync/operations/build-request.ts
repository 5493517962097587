import type { Method } from '#contract/section.ts';
import type { AccountDb } from '#db/database.ts';
import type { MediaFile, OutboxRow } from '#db/rows.ts';
import type { WireRequest } from '#net/wire.ts';

/** Time without a response (JSON) or without progress (bytes) after which a request counts as lost, ms. */
export const JSON_TIMEOUT_MS = 15_000;
export const BYTES_TIMEOUT_MS = 60_000;

/** The value of `client_id`: the UUID under which the server knows a record created on this device. */
export const clientIdOf = (localId: string): string => localId.replace(/^L_/, '');

/** Builds a JSON request. */
export function jsonRequest(method: Method, path: string, value?: unknown): WireRequest {
  const request: WireRequest = { method, path, headers: { accept: 'application/json' }, timeoutMs: JSON_TIMEOUT_MS };
  if (value !== undefined) request.body = { kind: 'json', value };
  return request;
}

/** Builds a multipart request with the whole file, for a server without resumable uploads. */
export async function formRequest(
  db: AccountDb,
  path: string,
  value: Record<string, unknown>,
  field: string,
  file: MediaFile,
): Promise<WireRequest> {
  const chunks = await db.chunks.where('[media+n]').between([file.id, 0], [file.id, file.chunks]).toArray();
  const fields = Object.entries(value)
    .filter(([, entry]) => entry != null)
    .map(([name, entry]): [string, string] => [name, String(entry)]);
  const parts = chunks.map((chunk) => chunk.bytes);
  return {
    method: 'POST',
    path,
    headers: { accept: 'application/json' },
    body: { kind: 'form', fields, files: [{ field, name: file.name, type: file.type, parts }] },
    timeoutMs: BYTES_TIMEOUT_MS,
  };
}

/** Returns the stored file of a row's record. Throws when there is none. */
export async function findFile(db: AccountDb, row: OutboxRow): Promise<MediaFile> {
  for (const dep of row.deps) {
    const file = await db.media.get(dep);
    if (file) return file;
  }
  throw new Error(`The file of ${row.type} ${row.target} is not in the store`);
}
