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
  // YouTube videos load after somebody pressed play, from the domain that sets no cookies before that.
  'frame-src': 'https://www.youtube-nocookie.com',
  'object-src': "'none'",
  'base-uri': "'none'",
  'form-action': "'self'",
  'frame-ancestors': "'none'",
};

/** The worker that finishes takes, by its name in the build (`vite.config.ts`). */
const TAKE_FINISHER = /^\/assets\/later-take-finisher-[\w-]+\.js$/;
/**
 * What that worker may do and no page: it runs an encoder for AAC, which is WebAssembly in a worker of its own. A worker has
 * the policy of its own file, not that of the page.
 */
const FINISHER_RULES = { 'script-src': "'self' 'wasm-unsafe-eval'", 'worker-src': "'self' blob:" };

const HSTS = 'max-age=31536000; includeSubDomains';

/** Headers of an answer that is no page and comes without the hooks of the server. @param isSecure whether the client uses TLS */
export const getBareHeaders = (isSecure: boolean): Record<string, string> => ({
  'content-security-policy': "default-src 'none'; base-uri 'none'; object-src 'none'; frame-ancestors 'none'",
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
  ...(isSecure && { 'strict-transport-security': HSTS }),
});

/** Hosts of the live service that pages may connect to, when there is one. */
function getLiveSources({ host, port, tls }: Pick<LiveAddress, 'host' | 'port' | 'tls'>): string[] {
  if (host === null) return [];
  const name = host.includes(':') ? `[${host}]` : host;
  // On a page loaded over TLS, the client always uses TLS.
  return [...(tls ? [] : [`ws://${name}:${port}`]), `wss://${name}:${port}`];
}

const toPolicy = (rules: Record<string, string>): string =>
  Object.entries(rules)
    .map(([name, value]) => `${name} ${value}`)
    .join('; ');

/**
 * Sets a strict CSP (no inline code, no other origins but YouTube's player in a frame, no framing) and, over TLS, HSTS.
 * @param uploadOrigin where devices send large files, if not to this server
 */
export function setSecurityHeaders(app: FastifyInstance, live: LiveAddress, uploadOrigin?: string): void {
  const sources = ["'self'", ...getLiveSources(live), ...(uploadOrigin === undefined ? [] : [uploadOrigin])];
  const rules = { ...RULES, 'connect-src': sources.join(' ') };
  const policy = toPolicy(rules);
  const finisherPolicy = toPolicy({ ...rules, ...FINISHER_RULES });
  app.addHook('onRequest', async (request, reply) => {
    void reply.headers({
      'content-security-policy': TAKE_FINISHER.test(request.url) ? finisherPolicy : policy,
      'x-content-type-options': 'nosniff',
      'x-frame-options': 'DENY',
      'referrer-policy': 'strict-origin-when-cross-origin',
      'cross-origin-opener-policy': 'same-origin',
      // The tape booth records. Nothing that is framed may, and nothing else of a device is used.
      'permissions-policy': 'camera=(self), microphone=(self), geolocation=(), payment=(), usb=()',
      'x-request-id': request.id,
    });
    if (request.protocol === 'https') void reply.header('strict-transport-security', HSTS);
  });
}
