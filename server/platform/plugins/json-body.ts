import type { FastifyInstance } from 'fastify';
import { badRequest } from '#server/platform/http/errors.ts';

/** Parses JSON bodies, the only type of the API; a feature that reads another type adds its own parser. Keeps the bytes for fingerprints. */
export function readJsonBodies(app: FastifyInstance): void {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    const bytes = body as Buffer;
    request.rawBody = bytes;
    if (bytes.length === 0) return done(null, undefined);
    try {
      done(null, JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(bytes)));
    } catch {
      done(badRequest('The body is not JSON'));
    }
  });
}
