import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CHAT_CALLS } from '#contract/chat-calls.ts';
import { findOpenConversation } from '../chat/conversations.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { sessions, users } from '#server/platform/db/schema.ts';
import { ok } from '#server/platform/http/response.ts';
import { forbidden } from '#server/platform/http/errors.ts';
import { requiredAccount, actionRoute } from '#server/platform/http/route.ts';
import { SOCKET_ID } from '#server/platform/live/channels.ts';
import { parseChannel } from '#server/platform/live/names.ts';

const socket_id = z
  .string({ error: 'Send the id of the socket' })
  .check(z.regex(SOCKET_ID, { error: 'Send the id of the socket' }));
const authBody = z.object({
  socket_id,
  channel_name: z.string({ error: 'Name the channel' }).check(z.maxLength(200, { error: 'Name the channel' })),
});

/** Whether the session still exists. Checked after its socket was registered, so that a later sign-out finds the socket. */
async function isSignedIn(db: Db, sessionId: number): Promise<boolean> {
  const found = await db.select({ id: sessions.id }).from(sessions).where(eq(sessions.id, sessionId));
  return found.length > 0;
}

/** Whether a person may subscribe to a channel: their own, or, while they may write, one of their open conversations. */
async function canSubscribe(db: Db, userId: number, channel: string): Promise<boolean> {
  const meaning = parseChannel(channel);
  if (meaning === null) return false;
  if (meaning.of === 'user') return meaning.id === userId;
  // Read again here: the authorization of a request from before a suspension may come after it.
  const [person] = await db.select({ state: users.state }).from(users).where(eq(users.id, userId));
  if (person?.state !== 'active') return false;
  return (await findOpenConversation(db, userId, { id: meaning.id })) !== null;
}

const ownerOf = ({ userId, sessionId }: { userId: number; sessionId: number }) => ({
  userId: String(userId),
  sessionId: String(sessionId),
});

const FORM = 'application/x-www-form-urlencoded';

/** Authorizes live sockets for private channels. Pusher clients send a form. */
export async function liveRoutes(app: FastifyInstance): Promise<void> {
  app.addContentTypeParser(FORM, { parseAs: 'string' }, (_request, body, done) =>
    done(null, Object.fromEntries(new URLSearchParams(body as string))),
  );
  actionRoute(app, {
    endpoint: CHAT_CALLS.broadcastingAuth,
    summary: 'Authorizes a live socket for a private channel',
    access: requiredAccount(),
    isOpenToSuspended: true,
    body: authBody,
    bodyType: FORM,
    responses: { 200: z.object({ auth: z.string(), channel_data: z.optional(z.string()) }) },
    handler: async ({ body, caller, db }) => {
      const { socket_id: socketId, channel_name: channel } = body;
      const answer = await app.deps.live.authorize({
        socketId,
        channel,
        owner: ownerOf(caller),
        mayListen: async () =>
          (await isSignedIn(db, caller.sessionId)) && (await canSubscribe(db, caller.userId, channel)),
      });
      if (answer === null) throw forbidden('You can’t listen to this channel');
      return ok(answer, { 'cache-control': 'no-store' });
    },
  });

  actionRoute(app, {
    endpoint: CHAT_CALLS.broadcastingUserAuth,
    summary: 'Signs in a live socket, so that it closes when the session ends',
    access: requiredAccount(),
    isOpenToSuspended: true,
    body: z.object({ socket_id }),
    bodyType: FORM,
    responses: { 200: z.object({ auth: z.string(), user_data: z.string() }) },
    handler: async ({ body, caller, db }) => {
      const answer = await app.deps.live.authenticate(body.socket_id, ownerOf(caller), () =>
        isSignedIn(db, caller.sessionId),
      );
      if (answer === null) throw forbidden('This socket belongs to another session');
      return ok(answer, { 'cache-control': 'no-store' });
    },
  });
}
