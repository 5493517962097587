import { and, asc, eq } from 'drizzle-orm';
import { updateWithholding } from '#server/platform/access/withholding.ts';
import { recordForSavers } from '#server/platform/access/watchers.ts';
import type { ChangeLog } from '#server/platform/db/change-log.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { findRestriction } from '#server/platform/db/restrictions.ts';
import {
  connections,
  conversations,
  media,
  messages,
  profiles,
  restrictions,
  sectionRows,
} from '#server/platform/db/schema.ts';
import { notFound, unprocessable } from '#server/platform/http/errors.ts';
import { getNotificationData } from '#server/features/chat/messages.ts';
import { updateNotificationText } from '#server/features/notifications/store.ts';
import { getStorageKeys } from '#server/features/media/store.ts';
import { changeRow } from '#server/features/sections/store.ts';
import { queueMail } from '#server/features/mail/queue.ts';
import { MODERATION_HIDDEN } from '#server/features/mail/templates/moderation-hidden.ts';
import { MODERATION_LIFTED } from '#server/features/mail/templates/moderation-lifted.ts';
import { addRestriction, liftRestriction } from '../restrictions.ts';
import type { Act } from './kind.ts';
import { lockConcerned, lockPersonRow } from './people.ts';

/** What takes the place of a hidden message. */
const HIDDEN_MESSAGE = 'This message was hidden by the people who run Callboard.';

interface HideContext {
  tx: Db;
  changes: ChangeLog;
  now: Date;
}
type Hidden = Record<string, unknown>;

/** How one kind of content is hidden. */
interface Hideable {
  /** In words for its author: 'your photo'. */
  noun: string;
  /** Locks it. Null if it is gone. */
  lock: (tx: Db, id: number) => Promise<{ ownerId: number; fileKeys?: string[] } | null>;
  /** Hides it from others. @returns what showing it again restores */
  hide: (context: HideContext, id: number) => Promise<Hidden>;
  /** Does nothing if it was deleted meanwhile. */
  show: (context: HideContext, id: number, hidden: Hidden) => Promise<void>;
}

const lockMediaRow = async (tx: Db, id: number) =>
  (await tx.select().from(media).where(eq(media.id, id)).for('update'))[0] ?? null;

async function setMediaHidden({ tx, changes, now }: HideContext, id: number, isHidden: boolean): Promise<Hidden> {
  const row = await lockMediaRow(tx, id);
  if (row === null) return {};
  await tx
    .update(media)
    .set({ isHidden, version: row.version + 1, updatedAt: now })
    .where(eq(media.id, id));
  changes.recordChange(row.userId, 'media', String(id), String(row.profileId));
  await recordForSavers(tx, changes, [id]);
  return { is_hidden: row.isHidden };
}

const lockFeedback = async (tx: Db, id: number) => {
  const [found] = await tx
    .select({ row: sectionRows, ownerId: profiles.userId })
    .from(sectionRows)
    .innerJoin(profiles, eq(profiles.id, sectionRows.profileId))
    .where(eq(sectionRows.id, id))
    .for('update', { of: sectionRows });
  return found?.row.section === 'feedback' ? found : null;
};

async function setFeedbackHidden({ tx, changes, now }: HideContext, id: number, isHidden: boolean): Promise<Hidden> {
  const found = await lockFeedback(tx, id);
  if (found === null) return {};
  await changeRow(tx, found.row, { ...found.row.body, is_hidden: isHidden }, now);
  for (const userId of new Set([found.ownerId, found.row.userId]))
    changes.recordChange(userId, found.row.section, String(id), String(found.row.profileId));
  return { is_hidden: found.row.body.is_hidden === true };
}

const lockConnection = async (tx: Db, id: number) =>
  (await tx.select().from(connections).where(eq(connections.id, id)).for('update'))[0] ?? null;

async function setRequestMessage({ tx, changes }: HideContext, id: number, message: string | null): Promise<Hidden> {
  const row = await lockConnection(tx, id);
  if (row === null) return {};
  await tx.update(connections).set({ message }).where(eq(connections.id, id));
  for (const userId of [row.senderId, row.receiverId]) changes.recordChange(userId, 'connection', String(id), null);
  return { message: row.message };
}

/**
 * Finds an accepted request and the message that its acceptance made of its words. Null if there is none, or one of them says something else
 * by now.
 */
async function findTwins(
  tx: Db,
  of: { requestId: number } | { messageId: number },
): Promise<{ requestId: number; messageId: number } | null> {
  const [found] = await tx
    .select({ requestId: connections.id, messageId: messages.id })
    .from(connections)
    .innerJoin(conversations, eq(conversations.connectionId, connections.id))
    .innerJoin(
      messages,
      and(
        eq(messages.conversationId, conversations.id),
        eq(messages.senderId, connections.senderId),
        eq(messages.message, connections.message),
        // Both have the time of the acceptance. The same words may stand there from an earlier connection.
        eq(messages.createdAt, connections.updatedAt),
      ),
    )
    .where('requestId' in of ? eq(connections.id, of.requestId) : eq(messages.id, of.messageId))
    .orderBy(asc(messages.seq))
    .limit(1);
  return found ?? null;
}

/** A message that stays hidden while the request of the same words is hidden by itself, and the other way round: keeps what restores both. */
const keepForLater = (tx: Db, { id }: typeof restrictions.$inferSelect, hidden: Hidden) =>
  tx.update(restrictions).set({ hidden }).where(eq(restrictions.id, id));

async function hideRequest(context: HideContext, id: number): Promise<Hidden> {
  const twins = await findTwins(context.tx, { requestId: id });
  const hidden = await setRequestMessage(context, id, null);
  if (twins !== null) await setMessage(context, twins.messageId, { message: HIDDEN_MESSAGE, photo: null });
  return { ...hidden, message_id: twins?.messageId ?? null };
}

async function showRequest(context: HideContext, id: number, { message, message_id }: Hidden): Promise<void> {
  const words = typeof message === 'string' ? message : null;
  if (typeof message_id !== 'number' || words === null) return void (await setRequestMessage(context, id, words));
  const shown = { message: words, photo: null };
  const own = await findRestriction(context.tx, 'message', message_id);
  if (own !== null) return void (await keepForLater(context.tx, own, { ...shown, request_id: id }));
  await setRequestMessage(context, id, words);
  await setMessage(context, message_id, shown);
}

async function hideMessage(context: HideContext, id: number): Promise<Hidden> {
  const twins = await findTwins(context.tx, { messageId: id });
  const hidden = await setMessage(context, id, { message: HIDDEN_MESSAGE, photo: null });
  if (twins !== null) await setRequestMessage(context, twins.requestId, null);
  return { ...hidden, request_id: twins?.requestId ?? null };
}

async function showMessage(context: HideContext, id: number, { request_id, ...hidden }: Hidden): Promise<void> {
  const shown = hidden as Pick<MessageRow, 'message' | 'photo'>;
  const request = typeof request_id === 'number' ? await lockConnection(context.tx, request_id) : null;
  const own = request && (await findRestriction(context.tx, 'request', request.id));
  if (own !== null) return void (await keepForLater(context.tx, own, { message: shown.message, message_id: id }));
  await setMessage(context, id, shown);
  // Somebody who was asked again meanwhile has other words there.
  if (request?.message === null) await setRequestMessage(context, request.id, shown.message);
}

type MessageRow = typeof messages.$inferSelect;
const lockMessage = async (tx: Db, id: number) =>
  (await tx.select().from(messages).where(eq(messages.id, id)).for('update'))[0] ?? null;

async function setMessage(
  { tx, changes }: HideContext,
  id: number,
  shown: Pick<MessageRow, 'message' | 'photo'>,
): Promise<Hidden> {
  const row = await lockMessage(tx, id);
  if (row === null) return {};
  await tx.update(messages).set(shown).where(eq(messages.id, id));
  const { text } = getNotificationData(row);
  const about = { type: 'message.received' as const, subjectId: row.conversationId, actorId: row.senderId, text };
  await updateNotificationText(tx, changes, about, getNotificationData({ ...row, ...shown }));
  for (const userId of [row.senderId, row.receiverId]) {
    changes.recordChange(userId, 'message', String(id), String(row.conversationId));
    changes.recordChange(userId, 'conversation', String(row.conversationId), null);
  }
  return { message: row.message, photo: row.photo };
}

const photoKeys = ({ photo }: MessageRow): string[] =>
  photo === null
    ? []
    : [photo.fileKey, ...(photo.thumbKey === null ? [] : [photo.thumbKey]), ...photo.renditions.map(({ key }) => key)];

const HIDEABLE: Record<string, Hideable> = {
  profile: {
    noun: 'profile',
    lock: async (tx, id) => {
      const [row] = await tx.select().from(profiles).where(eq(profiles.id, id)).for('no key update');
      return row === undefined ? null : { ownerId: row.userId };
    },
    // Whether a profile is shown follows from its restriction: see `platform/access/withholding.ts`.
    hide: async () => ({}),
    show: async () => {},
  },
  media: {
    noun: 'file',
    lock: async (tx, id) => {
      const row = await lockMediaRow(tx, id);
      return row && { ownerId: row.userId, fileKeys: getStorageKeys(row) };
    },
    hide: (context, id) => setMediaHidden(context, id, true),
    show: async (context, id, hidden) => void (await setMediaHidden(context, id, hidden.is_hidden === true)),
  },
  feedback: {
    noun: 'text',
    lock: async (tx, id) => {
      const found = await lockFeedback(tx, id);
      return found && { ownerId: found.row.userId };
    },
    hide: (context, id) => setFeedbackHidden(context, id, true),
    show: async (context, id, hidden) => void (await setFeedbackHidden(context, id, hidden.is_hidden === true)),
  },
  request: {
    noun: 'request',
    lock: async (tx, id) => {
      const row = await lockConnection(tx, id);
      return row && { ownerId: row.senderId };
    },
    hide: hideRequest,
    show: showRequest,
  },
  message: {
    noun: 'message',
    lock: async (tx, id) => {
      // The request before the message, as when the request is hidden.
      const [of] = await tx
        .select({ requestId: conversations.connectionId })
        .from(messages)
        .innerJoin(conversations, eq(conversations.id, messages.conversationId))
        .where(eq(messages.id, id));
      if (of?.requestId != null) await lockConnection(tx, of.requestId);
      const row = await lockMessage(tx, id);
      return row && { ownerId: row.senderId, fileKeys: photoKeys(row) };
    },
    hide: hideMessage,
    show: showMessage,
  },
};

function getHideable(type: string): Hideable {
  const found = HIDEABLE[type];
  if (found === undefined) throw new Error(`Nothing hides a ${type}`);
  return found;
}

/** Hides a text, a file or a profile from everybody but its author, who reads why. */
export const hide: Act = {
  async apply({ tx, changes, actor, actId, target, reason, words, now }) {
    const { noun, lock, hide: hideFrom } = getHideable(target.type);
    const found = await lock(tx, target.id);
    if (found === null) throw notFound(noun);
    const owner = await lockConcerned(tx, actor, found.ownerId);
    const context = { tx, changes, now };
    const { fileKeys = [] } = found;
    await addRestriction(tx, {
      userId: owner.id,
      kind: 'hidden',
      targetType: target.type,
      targetId: target.id,
      reason,
      words,
      actId,
      createdAt: now,
      hidden: await hideFrom(context, target.id),
      fileKeys,
    });
    await updateWithholding(tx, changes, owner.id);
    await queueMail(tx, MODERATION_HIDDEN, { noun, words }, { userId: owner.id, address: owner.email }, now);
    return { userId: owner.id };
  },

  async undo({ tx, changes, done, now }) {
    const { lock, show } = getHideable(done.targetType);
    // The same order of locks as when it was hidden.
    await lock(tx, done.targetId);
    if (done.targetUserId === null) throw unprocessable('This cannot be undone');
    const owner = await lockPersonRow(tx, done.targetUserId);
    const { hidden } = await liftRestriction(tx, done.id, now);
    await show({ tx, changes, now }, done.targetId, hidden ?? {});
    await updateWithholding(tx, changes, owner.id);
    await queueMail(tx, MODERATION_LIFTED, {}, { userId: owner.id, address: owner.email }, now);
  },
};
