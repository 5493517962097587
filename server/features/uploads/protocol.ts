import * as z from 'zod/mini';
import { tooBigText } from './size-limits.ts';

/** The supported part of tus 1.0 (https://tus.io/protocols/resumable-upload). */
export const TUS_VERSION = '1.0.0';
export const TUS_EXTENSIONS = 'creation,termination,expiration';
export const CHUNK_TYPE = 'application/offset+octet-stream';

type Headers = Record<string, string | string[] | undefined>;
type FieldErrors = Record<string, string[]>;
type Read<T> = { ok: true; value: T } | { ok: false; status: 413 | 422; errors: FieldErrors };

/** Parses a header as a non-negative integer, or null. The length is bounded, so that no value exceeds the safe integers. */
export function wholeNumber(header: string | string[] | undefined): number | null {
  return typeof header === 'string' && /^\d{1,15}$/.test(header) ? Number(header) : null;
}

/** Parses `key base64,key base64` into a map; null if malformed. */
export function readMetadata(header: string | string[] | undefined): Map<string, string> | null {
  const found = new Map<string, string>();
  if (typeof header !== 'string') return header === undefined ? found : null;
  for (const pair of header.split(',')) {
    const [key, value = '', ...rest] = pair.trim().split(' ');
    if (!key || rest.length > 0 || found.has(key) || !/^[A-Za-z0-9+/]*={0,2}$/.test(value)) return null;
    found.set(key, Buffer.from(value, 'base64').toString('utf8'));
  }
  return found;
}

export const isUploadId = (text: string) => z.uuid().safeParse(text).success;

/**
 * Parses a creation request: the client-generated id and the length in bytes.
 * @param getMaxBytes returns the limit for a file of this name and type; both are '' if they are not sent
 */
export function readCreation(
  headers: Headers,
  getMaxBytes: (file: { name: string; type: string }) => number,
): Read<{ id: string; lengthBytes: number }> {
  const refuse = (status: 413 | 422, field: string, text: string) => ({
    ok: false as const,
    status,
    errors: { [field]: [text] },
  });

  if (headers['upload-defer-length'] !== undefined) {
    return refuse(422, 'Upload-Defer-Length', 'Say the length when the upload begins');
  }
  const lengthBytes = wholeNumber(headers['upload-length']);
  if (lengthBytes === null) return refuse(422, 'Upload-Length', 'Say the length in bytes');
  if (lengthBytes === 0) return refuse(422, 'Upload-Length', 'This file is empty');
  const metadata = readMetadata(headers['upload-metadata']);
  const maxBytes = getMaxBytes({ name: metadata?.get('filename') ?? '', type: metadata?.get('filetype') ?? '' });
  if (lengthBytes > maxBytes) return refuse(413, 'Upload-Length', tooBigText(maxBytes));
  if (metadata === null) return refuse(422, 'Upload-Metadata', 'Use pairs of a key and its base64 value');
  const id = metadata.get('id')?.toLowerCase();
  if (id === undefined || !isUploadId(id)) return refuse(422, 'id', 'Send a UUID');
  return { ok: true, value: { id, lengthBytes } };
}
