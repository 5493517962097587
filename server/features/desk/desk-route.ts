import type { FastifyRequest } from 'fastify';
import * as z from 'zod/mini';
import { requireDesk, requireOperator } from '#server/platform/access/desk.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { optionalAccount, type GuardInput } from '#server/platform/http/route.ts';
import type { Acting } from './perform.ts';

/** Path parameters of a call about one thing. */
export const byId = z.object({ id: z.string() });
/** What the desk shows is stored nowhere. */
export const NO_CACHE = { 'cache-control': 'private, no-store' };

// Also without a token: the desk does not exist for anybody who does not work there.
/** Opens a route to everybody who works at the desk. */
export const atDesk = optionalAccount(async ({ caller }: GuardInput<Caller | null, unknown>) => requireDesk(caller));
/** Opens a route to operators. */
export const asOperator = optionalAccount(async ({ caller }: GuardInput<Caller | null, unknown>) =>
  requireOperator(caller),
);

/** Who acts, and in which request. */
export type ToActing = (request: FastifyRequest, actor: Caller, now: Date) => Acting;
