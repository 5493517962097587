import type { FastifyInstance } from 'fastify';
import type { LiveAddress } from '#server/platform/live/broadcaster.ts';

const RULES = {
  'default-src': "'self'",
  'script-src': "'self'",
  'style-src': "'self'",
  'img-src': "'self' blob: data:",
  'media-src': "'self' blob:",
  'font-src': "'self'",
  'worker-src': "'self'",
  'manifest-src': "'self'",
  // A video on YouTube, once somebody pressed play; the address that sets no cookies before that.
  'frame-src': 'https://www.youtube-nocookie.com',
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
};

/** Where pages may connect to: here, and to the service that brings live news where there is one. */
function connections({ host, port, tls }: Pick<LiveAddress, 'host' | 'port' | 'tls'>): string {
  if (host === null) return "'self'";
  const name = host.includes(':') ? `[${host}]` : host;
  // On a page that came by TLS the client uses it, whatever it is told.
  return `'self' ${tls ? '' : `ws://${name}:${port} `}wss://${name}:${port}`;
}

/** Nothing inline, nothing from elsewhere but YouTube's player in a frame, nobody frames us; HSTS wherever the request came by TLS. */
export function setSecurityHeaders(app: FastifyInstance, live: LiveAddress): void {
  const rules = { ...RULES, 'connect-src': connections(live) };
  const policy = Object.entries(rules)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({
      'content-security-policy': policy,
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
