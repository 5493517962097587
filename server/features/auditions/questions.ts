import type { FastifyInstance } from 'fastify';
import { AUDITION_CALLS } from '#contract/casting-calls.ts';
import { messageRecord } from '#contract/records/chat.ts';
import { questionBody } from '#contract/records/casting.ts';
import { requireMayReach } from '#server/platform/access/withholding.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { invalid } from '#server/platform/http/errors.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { created, ok } from '#server/platform/http/response.ts';
import { requiredAccount, writeRoute } from '#server/platform/http/route.ts';
import { withRecord } from '#server/platform/http/schemas.ts';
import { getPart, type RequestRow } from '../casting/rows.ts';
import { requireMayWrite } from '../chat/about-audition.ts';
import { openBetween } from '../chat/conversations.ts';
import { addMessage, findMessageByClientId, presentMessage, type MessageRow } from '../chat/messages.ts';
import { getPreview, notify } from '../notifications/store.ts';
import { byId, lockOwnAudition } from './guards.ts';

const OTHER_MESSAGE = 'This id already belongs to another message';

/** Finds the question that the performer sent under a client id. @throws 422 if the id belongs to another message */
async function findQuestion(db: Db, userId: number, { id }: RequestRow, clientId: string): Promise<MessageRow | null> {
  const known = await findMessageByClientId(db, userId, clientId);
  if (known !== null && known.requestId !== id) throw invalid({ client_id: [OTHER_MESSAGE] });
  return known;
}

/** The performer asks the one who sent a request. The two need not be connected. */
export function questionRoute(app: FastifyInstance): void {
  writeRoute(app, {
    endpoint: AUDITION_CALLS.ask,
    summary: 'Asks a question about an audition, which opens a conversation; repeating a client_id asks once',
    access: requiredAccount(lockOwnAudition),
    params: byId,
    body: questionBody,
    responses: { 200: withRecord(messageRecord), 201: withRecord(messageRecord) },
    handler: async ({ body, caller, subject: request, db, now, changes }) => {
      const { userId } = caller;
      const message = 'Question sent';
      const clientId = body.client_id ?? null;
      // With the request locked, repeats come one after the other.
      const known = clientId === null ? null : await findQuestion(db, userId, request, clientId);
      if (known !== null) return ok({ message, data: presentMessage(known) });
      await requireMayReach(db, caller);
      const people = [request.userId, userId] as const;
      const conversation = await openBetween(db, changes, people, { requestId: request.id }, now);
      await requireMayWrite(db, conversation, now);
      await app.deps.sharedLimiter.take(LIMIT.questions, String(userId));
      const [conversationId, receiverId] = [conversation.id, request.userId];
      const sent = { conversationId, senderId: userId, receiverId, message: body.text, clientId, createdAt: now };
      const about = { requestId: request.id, replyTo: null, photo: null };
      const added = await addMessage(db, changes, { ...sent, ...about }, { shouldNotify: false });
      // The lock is of this audition; the same id was used for another one at this moment.
      if (added === null) throw invalid({ client_id: [OTHER_MESSAGE] });
      const { role } = await getPart(db, request.roleId);
      const data = {
        conversation_id: String(conversationId),
        request_id: String(request.id),
        role_id: String(role.id),
        text: getPreview(body.text),
      };
      const news = { userId: receiverId, actorId: userId, type: 'casting.question' as const, data };
      await notify(db, changes, { ...news, subjectId: conversationId }, now);
      return created({ message, data: presentMessage(added) });
    },
  });
}
