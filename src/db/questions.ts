import type { Message } from '#contract/records/chat.ts';
import type { AccountDb } from './database.ts';
import {
  conversationView,
  newestMessages,
  pendingMessages,
  type ConversationView,
  type PendingMessage,
} from './conversations.ts';
import { listRecords } from './mirror.ts';
import { getChatLane } from './patches.ts';

/** Questions about auditions. Nothing here is part of what every start loads. */

/** How many of the newest messages are searched for questions. */
const SEARCHED = 100;

/** Where a question waits while this device knows no conversation with the one who is asked. */
export const getQuestionPlace = (auditionId: string): string => `audition:${auditionId}`;

/** The id of the conversation with a person; null while this device knows of none. */
export async function findConversationWith(db: AccountDb, userId: string): Promise<string | null> {
  const found = (await listRecords(db, 'conversation')).find(({ body }) => String(body.other.user_id) === userId);
  return found?.id ?? null;
}

export interface QuestionsView {
  /** The conversation with the one who asked the performer; null while there is none. */
  conversation: ConversationView | null;
  /** Questions that the server has, oldest first, as far as they are among the newest messages. */
  asked: Message[];
  /** Questions that the server has not confirmed, in the order of writing. */
  pending: PendingMessage[];
}

/** What a performer asked about an audition. @param senderId who sent it */
export async function readQuestions(db: AccountDb, auditionId: string, senderId: string): Promise<QuestionsView> {
  const id = await findConversationWith(db, senderId);
  const conversation = id === null ? null : await conversationView(db, id);
  const newest = id === null ? [] : await newestMessages(db, id, SEARCHED, null);
  const unplaced = await pendingMessages(db, getQuestionPlace(auditionId));
  const placed = id === null ? [] : await pendingMessages(db, id);
  const isAbout = ({ audition_id }: { audition_id?: string | null }) => audition_id === auditionId;
  return { conversation, asked: newest.filter(isAbout), pending: [...unplaced, ...placed].filter(isAbout) };
}

/** A question that waits for the conversation that it opens, with the name of the one who is asked. */
export type UnplacedQuestion = PendingMessage & { name: string };

/** The questions of all auditions for which this device knows no conversation, in the order of writing. */
export async function listUnplacedQuestions(db: AccountDb): Promise<UnplacedQuestion[]> {
  const rows = await db.outbox
    .where('lane')
    .startsWith(getChatLane(getQuestionPlace('')))
    .sortBy('seq');
  const places = [...new Set(rows.map(({ parent }) => String(parent)))];
  const names = new Map(rows.map(({ target, patch }) => [target, String(patch.name)]));
  const pending = await Promise.all(places.map((place) => pendingMessages(db, place)));
  return pending.flat().map((message) => ({ ...message, name: names.get(message.id) ?? '' }));
}
