import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { VIEW_AS_HEADER } from '#contract/view-as.ts';
import type { RouteResponse } from '#server/platform/http/response.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { readRoute, optionalAccount } from '#server/platform/http/route.ts';
import { NOT_INDEXED } from '#server/platform/access/minors.ts';
import { isFileKey } from '#server/platform/storage/storage.ts';
import { findVisibleFile } from './access.ts';
import { linkQuery, readLink } from './link.ts';
import { sendFile } from './send-file.ts';

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
        ? await findVisibleFile(db, asked, caller, await readLink(db, asked, query, now))
        : null;
      if (found === null) throw notFound('file');
      return sendFile(request, storage, found, {
        'content-disposition': `${SHOWN.has(found.type) ? 'inline' : 'attachment'}; filename="${found.key}"`,
        'cache-control': 'private, no-cache',
        // Search engines learn of files from pages. Only pages that they may list should lead to them.
        'x-robots-tag': NOT_INDEXED,
        vary: `Authorization, ${VIEW_AS_HEADER}`,
        etag: `"${found.key.slice(0, 32)}"`,
      });
    },
  });
}
