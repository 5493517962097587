import { createHash } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { VIEW_AS_HEADER } from '#contract/view-as.ts';

const matches = (header: string, etag: string) =>
  header.split(',').some((entry) => ['*', etag, `W/${etag}`].includes(entry.trim()));

/**
 * Gives every JSON answer to a GET the digest of what this caller sees as its ETag, and 304 to who has it already. JSON
 * must be asked for again each time, and the same path may answer a page.
 */
export function tagAnswers(app: FastifyInstance): void {
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
