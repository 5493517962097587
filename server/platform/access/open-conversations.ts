import { isNotNull, or } from 'drizzle-orm';
import { conversations } from '#server/platform/db/schema.ts';

/** Conversations in which two people read and write: they are connected, or one has asked the other about an audition. */
export const isOpen = or(isNotNull(conversations.connectionId), isNotNull(conversations.requestId));

type Reasons = Pick<typeof conversations.$inferSelect, 'connectionId' | 'requestId'>;

/** The same of a row. */
export const isOpenRow = ({ connectionId, requestId }: Reasons): boolean => connectionId !== null || requestId !== null;
