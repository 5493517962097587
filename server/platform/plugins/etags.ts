import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { VIEW_AS_HEADER } from '#contract/view-as.ts';

const matches = (header: string, etag: string) =>
  header.split(',').some((entry) => ['*', etag, `W/${etag}`].includes(entry.trim()));

/**
 * Adds an ETag to every JSON response to a GET, and responds 304 when the client has the same content. Clients must revalidate JSON each
 * time. `Vary` covers paths that also serve a page.
 */
export function addEtags(app: FastifyInstance): void {
  app.addHook('onSend', async (request, reply, payload) => {
    const type = String(reply.getHeader('content-type') ?? '');
    if (!type.startsWith('application/json')) return payload;
    if (!reply.hasHeader('cache-control')) void reply.header('cache-control', 'private, no-cache');
    void reply.header(
      'vary',
      [`Accept, X-Requested-With, Authorization, ${VIEW_AS_HEADER}`, reply.getHeader('vary')]
        .filter(Boolean)
        .join(', '),
    );
    if (request.method !== 'GET' || reply.statusCode !== 200 || typeof payload !== 'string') return payload;
    const etag = `"${createHash('sha256').update(payload).digest('base64url').slice(0, 22)}"`;
    void reply.header('etag', etag);
    const known = request.headers['if-none-match'];
    if (known === undefined || !matches(known, etag)) return payload;
    void reply.code(304).removeHeader('content-type').removeHeader('content-length');
    return '';
  });
}
