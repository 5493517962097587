import { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import type { storedFiles } from '#server/platform/db/schema.ts';
import { notFound } from '#server/platform/http/errors.ts';
import type { RouteResponse } from '#server/platform/http/response.ts';
import type { Storage } from '#server/platform/storage/storage.ts';
import { readRange } from './byte-range.ts';

/** Keeps browsers from running anything in a stored file, and other pages from framing it. */
const SANDBOX =
  "default-src 'none'; style-src 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";

type SentFile = Pick<typeof storedFiles.$inferSelect, 'key' | 'sizeBytes' | 'type'>;

/**
 * Answers with a stored file, whole or the range that the request asks for.
 * @param own headers of this answer, among them its ETag
 * @param wrap what is done with the bytes on their way
 * @throws 404 if the file was deleted a moment ago
 */
export async function sendFile(
  request: FastifyRequest,
  storage: Storage,
  { key, sizeBytes, type }: SentFile,
  own: Record<string, string> & { etag: string },
  wrap: (bytes: Readable) => Readable = (bytes) => bytes,
): Promise<RouteResponse> {
  const headers: Record<string, string> = {
    'content-type': type,
    'content-security-policy': SANDBOX,
    'accept-ranges': 'bytes',
    ...own,
  };
  if (knows(request.headers['if-none-match'], own.etag)) return { status: 304, body: undefined, headers };

  const ifRange = request.headers['if-range'];
  const wanted = ifRange === undefined || ifRange === own.etag ? request.headers.range : undefined;
  const range = readRange(wanted, sizeBytes);
  if (range === 'outside') {
    return { status: 416, body: undefined, headers: { ...headers, 'content-range': `bytes */${sizeBytes}` } };
  }
  const part = range === 'whole' ? { start: 0, end: sizeBytes - 1 } : range;
  // To a question about the headers, fastify would read the file to its end and throw it away, for as long as that takes.
  const stream = request.method === 'HEAD' ? Readable.from([]) : await storage.open(key, part);
  if (stream === null) {
    // Deleted a moment ago; any other error is logged.
    request.log.warn({ key }, 'a recorded file is not in the store');
    throw notFound('file');
  }
  headers['content-length'] = String(part.end - part.start + 1);
  if (range === 'whole') return { status: 200, body: wrap(stream), headers };
  headers['content-range'] = `bytes ${part.start}-${part.end}/${sizeBytes}`;
  return { status: 206, body: wrap(stream), headers };
}

const knows = (header: string | undefined, etag: string) =>
  header?.split(',').some((entry) => ['*', etag, `W/${etag}`].includes(entry.trim())) ?? false;
