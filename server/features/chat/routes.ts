import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CHAT_CALLS } from '#contract/chat-calls.ts';
import { LIMITS } from '#contract/limits.ts';
import { chatPage, conversationRecord, messageRecord, sendMessageBody, seqBody } from '#contract/records/chat.ts';
import type { Endpoint } from '#contract/section.ts';
import { created, ok } from '#server/platform/http/response.ts';
import type { Caller } from '#server/platform/http/caller.ts';
import { forbidden, invalid, notFound } from '#server/platform/http/errors.ts';
import { parseId, requireId } from '#server/platform/http/ids.ts';
import { getContactWeight, LIMIT } from '#server/platform/http/limits.ts';
import { requiredAccount, readRoute, writeRoute, type GuardInput } from '#server/platform/http/route.ts';
import { withRecord, messageOnly } from '#server/platform/http/schemas.ts';
import { LostRace } from '#server/platform/http/write.ts';
import type { Uploads } from '../uploads/open.ts';
import { photoIntake } from './photo.ts';
import { requireMayWrite } from './about-audition.ts';
import {
  findOpenConversation,
  listConversations,
  parseConnectionId,
  presentConversations,
  setToggle,
} from './conversations.ts';
import {
  addMessage,
  listMessages,
  findMessagesByIds,
  findMessageByClientId,
  presentMessage,
  toMessageColumns,
} from './messages.ts';
import { getOtherId, isParticipant, type ConversationRow } from './participants.ts';
import { recordSeq } from './read-cursors.ts';

const byId = z.object({ id: z.string() });
const wholeNumber = z.pipe(
  z.string({ error: 'Use a whole number' }).check(z.regex(/^\d{1,9}$/, { error: 'Use a whole number' })),
  z.transform(Number),
);
const DEFAULT_PAGE_SIZE = 50;

/** Returns an open conversation of the caller. @throws 404 */
async function getOwnConversation({
  db,
  caller,
  params,
}: GuardInput<Caller, { id: string }>): Promise<ConversationRow> {
  const row = await findOpenConversation(db, caller.userId, { id: requireId(params.id, 'conversation') });
  if (row === null) throw notFound('conversation');
  return row;
}

function readRoutes(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: CHAT_CALLS.conversations,
    summary: 'The caller’s conversations, newest message first',
    access: requiredAccount(),
    responses: { 200: z.array(conversationRecord) },
    handler: async ({ caller, db }) =>
      ok(await presentConversations(db, caller.userId, await listConversations(db, caller.userId))),
  });

  readRoute(app, {
    endpoint: CHAT_CALLS.chat,
    summary: 'Messages of a conversation in their order: the newest, or those before or after one',
    access: requiredAccount(async ({ db, caller, params }: GuardInput<Caller, { connectionId: string }>) => {
      const by = parseConnectionId(params.connectionId);
      const row = by && (await findOpenConversation(db, caller.userId, by));
      if (row === null) throw notFound('conversation');
      return row;
    }),
    params: z.object({ connectionId: z.string() }),
    query: z.object({
      before_seq: z.optional(wholeNumber),
      after_seq: z.optional(wholeNumber),
      limit: z.optional(wholeNumber),
    }),
    responses: { 200: chatPage },
    handler: async ({ db, query, subject }) => {
      const limit = Math.min(LIMITS.messagesPerPage, Math.max(1, query.limit ?? DEFAULT_PAGE_SIZE));
      const { messages, hasMore } = await listMessages(db, subject.id, {
        before: query.before_seq,
        after: query.after_seq,
        limit,
      });
      return ok({
        conversation_id: String(subject.id),
        messages: messages.map(presentMessage),
        has_more: hasMore,
      });
    },
  });
}

function sendRoute(app: FastifyInstance, uploads: Uploads): void {
  const photos = photoIntake(app.deps, uploads);
  writeRoute(app, {
    endpoint: CHAT_CALLS.sendMessage,
    summary: 'Sends a message; repeating a client_id sends it once',
    access: requiredAccount(),
    body: sendMessageBody,
    intake: { read: photos.read },
    responses: { 200: withRecord(messageRecord), 201: withRecord(messageRecord) },
    handler: async ({ request, body, caller, db, now, changes }) => {
      const id = parseId(body.conversation_id);
      const row = id === null ? null : await findOpenConversation(db, caller.userId, { id });
      if (id === null || row === null) {
        // Former participants learn that it is closed; for everyone else it does not exist.
        if (id !== null && (await isParticipant(db, caller.userId, id))) throw notFound('conversation');
        throw forbidden('You are not part of this conversation');
      }
      const receiverId = getOtherId(row, caller.userId);
      if (body.receiver_id !== String(receiverId))
        throw invalid({ receiver_id: ['This person is not in this conversation'] });
      const clientId = body.client_id ?? null;
      const again = async () => {
        const before = clientId === null ? null : await findMessageByClientId(db, caller.userId, clientId);
        if (before === null) return null;
        if (before.conversationId !== id) throw invalid({ client_id: ['This id already belongs to another message'] });
        return ok({ message: 'Message sent', data: presentMessage(before) });
      };
      const known = await again();
      if (known) return known;
      await requireMayWrite(db, row, now);
      if (row.connectionId === null && body.upload_id !== undefined)
        throw invalid({ image: ['You can send each other photos once you are connected'] });
      if (row.lastSeq === 0) {
        const points = getContactWeight(caller, now);
        await app.deps.sharedLimiter.take(LIMIT.firstMessages, String(caller.userId), points);
      }
      const withPhoto = photos.of(request, body.upload_id);
      const photo = withPhoto?.photo ?? null;
      const sent = {
        conversationId: id,
        senderId: caller.userId,
        receiverId,
        ...toMessageColumns(body),
        requestId: null,
        photo,
        clientId,
      };
      const added = await addMessage(db, changes, { ...sent, createdAt: now });
      if (added) await withPhoto?.attach(db, { owner: { userId: caller.userId, conversationId: id }, now });
      if (added) return created({ message: 'Message sent', data: presentMessage(added) });
      const racedMessage = await again();
      if (racedMessage) return racedMessage;
      throw new LostRace('The message with this client id was deleted meanwhile');
    },
  });
}

function markRoutes(app: FastifyInstance): void {
  const seqRoute = (endpoint: Endpoint, summary: string, what: 'readSeq' | 'deliveredSeq', message: string) =>
    writeRoute(app, {
      endpoint,
      summary,
      access: requiredAccount(getOwnConversation),
      params: byId,
      body: seqBody,
      responses: { 200: messageOnly },
      handler: async ({ body, caller, subject, db, now, changes }) => {
        await recordSeq(db, changes, subject, caller.userId, what, body.seq, now);
        return ok({ message });
      },
    });
  seqRoute(CHAT_CALLS.readConversation, 'Sets how far the caller has read', 'readSeq', 'Read');
  seqRoute(
    CHAT_CALLS.deliveredConversation,
    'Sets how far messages have reached a device of the caller',
    'deliveredSeq',
    'Delivered',
  );

  const toggleRoute = (endpoint: Endpoint, summary: string, toggle: Parameters<typeof setToggle>[4], message: string) =>
    writeRoute(app, {
      endpoint,
      summary,
      access: requiredAccount(getOwnConversation),
      params: byId,
      responses: { 200: messageOnly },
      handler: async ({ caller, subject, db, changes }) => {
        await setToggle(db, changes, subject, caller.userId, toggle);
        return ok({ message });
      },
    });
  toggleRoute(CHAT_CALLS.starConversation, 'Stars a conversation', { isStarred: true }, 'Starred');
  toggleRoute(
    CHAT_CALLS.unstarConversation,
    'Removes the star from a conversation',
    { isStarred: false },
    'Star removed',
  );
  toggleRoute(CHAT_CALLS.pinConversation, 'Pins a conversation above the others', { isPinned: true }, 'Pinned');
  toggleRoute(CHAT_CALLS.unpinConversation, 'Unpins a conversation', { isPinned: false }, 'Unpinned');
}

/** Conversations between connected people. */
export function chatRoutes(app: FastifyInstance, uploads: Uploads): void {
  app.mirror.set('conversation', async (db, ids, userId) => {
    const rows = await listConversations(db, userId, ids.map(Number));
    const shown = await presentConversations(db, userId, rows);
    return shown.map((each) => ({ ...each, id: each.conversation_id }));
  });
  app.mirror.set('message', async (db, ids, userId) =>
    (await findMessagesByIds(db, userId, ids.map(Number))).map(presentMessage),
  );
  readRoutes(app);
  sendRoute(app, uploads);
  markRoutes(app);
}
