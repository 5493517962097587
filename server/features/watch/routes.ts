import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { openedLink, openLinkBody, watchedLink, watchedTakeBody } from '#contract/records/links.ts';
import { WATCH_CALLS } from '#contract/watch-calls.ts';
import type { PageHead } from '#server/platform/plugins/app-shell.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { toNetwork } from '#server/platform/http/rate-limiter.ts';
import { ok } from '#server/platform/http/response.ts';
import { publicAccess, readRoute, writeRoute, type GuardInput } from '#server/platform/http/route.ts';
import { messageOnly } from '#server/platform/http/schemas.ts';
import { watchFileRoute } from './files.ts';
import { lockLink, openLink } from './open.ts';
import { presentWatched } from './present.ts';
import { coverTraces, LINK_HEADERS, refuse } from './refusal.ts';
import { requireWatching } from './session.ts';
import { addViewing } from './viewed.ts';

const byLink = z.object({ linkId: z.string() });

function openRoute(app: FastifyInstance): void {
  const { sharedLimiter } = app.deps;
  writeRoute(app, {
    endpoint: WATCH_CALLS.open,
    summary: 'Opens a share link with the token of its address, and its code if it has one',
    access: publicAccess(),
    params: byLink,
    body: openLinkBody,
    // A wrong code is counted, so unlike other refusals this one is stored.
    responses: { 200: openedLink, 404: messageOnly },
    handler: async ({ request, params, body, db, now, changes }) => {
      const giveBack = await sharedLimiter.take(LIMIT.linksOfNetwork, toNetwork(request.ip));
      const asked = { linkName: params.linkId, token: body.token, code: body.code ?? null };
      const link = await lockLink(db, asked);
      if (link === null) return refuse();
      await sharedLimiter.take(LIMIT.openings, String(link.id));
      const opened = await openLink(db, changes, link, asked, now);
      if (opened === null) return refuse();
      await giveBack();
      return ok({ session: opened.session, ...(await presentWatched(db, opened, now)) });
    },
  });
}

/** People without an account who have a share link. */
function linkHolderRoutes(app: FastifyInstance): void {
  const { clock } = app.deps;
  const requireSession = (input: GuardInput<null, { linkId: string }>) => requireWatching(input, clock.now());
  coverTraces(app);
  openRoute(app);

  readRoute(app, {
    endpoint: WATCH_CALLS.read,
    summary: 'What an opened link shows now, with new addresses of the takes',
    access: publicAccess(requireSession),
    params: byLink,
    responses: { 200: watchedLink },
    handler: async ({ subject, db, now }) => ok(await presentWatched(db, subject, now)),
  });

  readRoute(app, {
    endpoint: WATCH_CALLS.check,
    summary: 'Whether an opened link still works',
    access: publicAccess(requireSession),
    params: byLink,
    responses: { 200: messageOnly },
    handler: async () => ok({ message: 'This link works' }),
  });

  writeRoute(app, {
    endpoint: WATCH_CALLS.viewed,
    summary: 'Says that a take was played in view; the performer learns of the first time',
    access: publicAccess(requireSession),
    params: byLink,
    body: watchedTakeBody,
    responses: { 200: messageOnly },
    handler: async ({ subject, body, db, now, changes }) => {
      await addViewing(db, changes, subject, body, now);
      return ok({ message: 'Watched' });
    },
  });

  watchFileRoute(app);
}

/** The calls of share links. All of their answers have the same headers. */
export const watchRoutes = (app: FastifyInstance): void => void app.register(async (scope) => linkHolderRoutes(scope));

/** The head of a page for link holders; null for every other address. */
export const getWatchHead = (address: string): PageHead | null =>
  address.startsWith('/watch/')
    ? {
        html: '<title>Tapes to watch · Callboard</title>\n    <meta name="robots" content="noindex" />\n    <meta name="referrer" content="no-referrer" />',
        headers: LINK_HEADERS,
      }
    : null;
