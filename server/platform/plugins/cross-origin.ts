import type { FastifyInstance } from 'fastify';
import { VIEW_AS_HEADER } from '#contract/view-as.ts';

const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE';
const EXPOSED_HEADERS =
  'ETag, X-Next-Cursor, Idempotency-Replayed, Retry-After, Location, X-Request-Id, Tus-Resumable, Upload-Offset, Upload-Length, Upload-Expires, Upload-Sha256, X-Archive-Bytes';
const ALLOWED_HEADERS = `Authorization, Content-Type, Accept, X-Requested-With, X-XSRF-TOKEN, Idempotency-Key, If-Match, If-None-Match, X-Pending, X-Pending-Detail, X-Store, X-Time-Zone, X-Device-Time, X-Socket-ID, X-Watch-Session, ${VIEW_AS_HEADER}, Tus-Resumable, Upload-Offset, Upload-Length, Upload-Metadata`;

/** Allows cross-origin calls from the given origins only (CORS). Sign-in uses bearer tokens, so credentials are not allowed. */
export function allowOrigins(app: FastifyInstance, origins: string[]): void {
  const allowed = new Set(origins);
  if (allowed.size === 0) return;
  app.addHook('onRequest', async (request, reply) => {
    const origin = request.headers.origin;
    void reply.header('vary', 'Origin');
    if (origin === undefined || !allowed.has(origin)) return;
    void reply.headers({ 'access-control-allow-origin': origin, 'access-control-expose-headers': EXPOSED_HEADERS });
    if (request.method !== 'OPTIONS' || request.headers['access-control-request-method'] === undefined) return;
    return reply
      .code(204)
      .headers({
        'access-control-allow-methods': METHODS,
        'access-control-allow-headers': ALLOWED_HEADERS,
        'access-control-max-age': '7200',
      })
      .send();
  });
}
