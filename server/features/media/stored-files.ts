import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { VIEW_AS_HEADER } from '#contract/view-as.ts';
import type { RouteResponse } from '#server/platform/http/response.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { readRoute, optionalAccount } from '#server/platform/http/route.ts';
import { NOT_INDEXED } from '#server/platform/access/minors.ts';
import { isFileKey } from '#server/platform/storage/storage.ts';
import { findVisibleFile } from './access.ts';
import { readRange } from './byte-range.ts';
import { isVouchedFor, linkQuery } from './link.ts';

/** Keeps browsers from running anything in a stored file, and other pages from framing it. */
const SANDBOX =
  "default-src 'none'; style-src 'unsafe-inline'; object-src 'none'; base-uri 'none'; frame-ancestors 'none'; sandbox";
/** Types shown inline; everything else is a download, including documents, because inspection can miss something. */
const SHOWN = new Set(['image/jpeg', 'image/png', 'image/webp', 'image/avif']);

/** GET /storage/{file_path}: serves stored files, whole or in ranges, to callers who may see their record or have a link. */
export function storedFileRoutes(app: FastifyInstance): void {
  const { storage } = app.deps;
  readRoute(app, {
    endpoint: { method: 'GET', path: '/storage/:file_path' },
    summary: 'A stored file',
    access: optionalAccount(),
    params: z.object({ file_path: z.string() }),
    query: linkQuery,
    responses: { 200: null, 206: null, 304: null, 416: null },
    handler: async ({ request, caller, params, query, db, now }): Promise<RouteResponse> => {
      const asked = params.file_path;
      const found = isFileKey(asked)
        ? await findVisibleFile(db, asked, caller, await isVouchedFor(db, asked, query, now))
        : null;
      if (found === null) throw notFound('file');
      const { key, sizeBytes, type } = found;
      const etag = `"${key.slice(0, 32)}"`;
      const headers: Record<string, string> = {
        'content-type': type,
        'content-disposition': `${SHOWN.has(type) ? 'inline' : 'attachment'}; filename="${key}"`,
        'content-security-policy': SANDBOX,
        'cache-control': 'private, no-cache',
        // Search engines learn of files from pages. Only pages that they may list should lead to them.
        'x-robots-tag': NOT_INDEXED,
        vary: `Authorization, ${VIEW_AS_HEADER}`,
        'accept-ranges': 'bytes',
        etag,
      };
      if (knows(request.headers['if-none-match'], etag)) return { status: 304, body: undefined, headers };

      const ifRange = request.headers['if-range'];
      const wanted = ifRange === undefined || ifRange === etag ? request.headers.range : undefined;
      const range = readRange(wanted, sizeBytes);
      if (range === 'outside') {
        return { status: 416, body: undefined, headers: { ...headers, 'content-range': `bytes */${sizeBytes}` } };
      }
      const part = range === 'whole' ? { start: 0, end: sizeBytes - 1 } : range;
      const stream = await storage.open(key, part);
      if (stream === null) {
        // Deleted a moment ago; any other error is logged.
        request.log.warn({ key }, 'a recorded file is not in the store');
        throw notFound('file');
      }
      headers['content-length'] = String(part.end - part.start + 1);
      if (range === 'whole') return { status: 200, body: stream, headers };
      headers['content-range'] = `bytes ${part.start}-${part.end}/${sizeBytes}`;
      return { status: 206, body: stream, headers };
    },
  });
}

const knows = (header: string | undefined, etag: string) =>
  header?.split(',').some((entry) => ['*', etag, `W/${etag}`].includes(entry.trim())) ?? false;
