import type { FastifyInstance } from 'fastify';

const POLICY = Object.entries({
  'default-src': "'self'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' blob: data:",
  'media-src': "'self' blob:",
  'font-src': "'self'",
  'connect-src': "'self'",
  'worker-src': "'self'",
  'manifest-src': "'self'",
  // A video on YouTube, once somebody pressed play; the address that sets no cookies before that.
  'frame-src': 'https://www.youtube-nocookie.com',
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
})
  .map(([name, value]) => `${name} ${value}`)
  .join('; ');

/** Nothing inline, nothing from elsewhere but YouTube's player in a frame, nobody frames us; HSTS wherever the request came by TLS. */
export function setSecurityHeaders(app: FastifyInstance): void {
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({
      'content-security-policy': POLICY,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=()',
      'x-request-id': request.id,
    });
    if (request.protocol === 'https') void reply.header('strict-transport-security', 'max-age=31536000');
  });
}
