import { setTimeout } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import { NOT_INDEXED } from '#server/platform/access/minors.ts';
import { notFound } from '#server/platform/http/errors.ts';
import type { RouteResponse } from '#server/platform/http/response.ts';

/** No refusal is sent sooner, so that its time does not tell what was checked before it. */
const REFUSAL_MS = 150;

/** The same for a link that never was, has expired, was revoked, is closed, or wants another code. */
export const noSuchLink = () => notFound('link');

/** The same as a response, for what must be stored although the request is refused. */
export const refuse = (): RouteResponse => ({ status: 404, body: noSuchLink().body });

/** What pages and answers of links say to browsers, search engines and caches. */
export const LINK_HEADERS = {
  'x-robots-tag': NOT_INDEXED,
  'referrer-policy': 'no-referrer',
  'cache-control': 'no-store',
} as const;

/** Gives all answers of these routes their headers, and all refusals the same time. */
export function coverTraces(app: FastifyInstance): void {
  app.addHook('onRequest', async (_request, reply) => void reply.headers(LINK_HEADERS));
  app.addHook('onSend', async (_request, reply, payload) => {
    const left = REFUSAL_MS - reply.elapsedTime;
    if (reply.statusCode === 404 && left > 0) await setTimeout(left);
    return payload;
  });
}
