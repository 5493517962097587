import { eq, inArray } from 'drizzle-orm';
import { getQuestionsEnd, QUESTION_DAYS } from '#contract/casting/questions.ts';
import type { Conversation } from '#contract/records/chat.ts';
import { findMinors } from '#server/platform/access/minors.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { auditionRequests, castingProjects, castingRoles } from '#server/platform/db/schema.ts';
import { conflict, forbidden } from '#server/platform/http/errors.ts';
import { getPreview } from '../notifications/store.ts';
import type { ConversationRow } from './participants.ts';

/** Conversations about an audition between people who are not connected. */

/** The audition about which was asked last, by the id of its request, as one participant sees it. */
export async function presentAbout(
  db: Db,
  userId: number,
  rows: readonly ConversationRow[],
): Promise<Map<number, NonNullable<Conversation['audition']>>> {
  const ids = rows.flatMap(({ requestId }) => requestId ?? []);
  if (ids.length === 0) return new Map();
  const found = await db
    .select({ request: auditionRequests, role: castingRoles, project: castingProjects.body })
    .from(auditionRequests)
    .innerJoin(castingRoles, eq(castingRoles.id, auditionRequests.roleId))
    .innerJoin(castingProjects, eq(castingProjects.id, castingRoles.projectId))
    .where(inArray(auditionRequests.id, ids));
  return new Map(
    found.map(({ request, role, project }) => {
      const ended = { answers: request.answers, withdrawn_at: request.withdrawnAt?.toISOString() ?? null };
      const about = {
        id: String(request.id),
        role_id: request.userId === userId ? String(role.id) : null,
        title: getPreview(`${String(role.body.name)}, ${String(project.title)}`),
        closes_at: getQuestionsEnd(ended, role.endedAt?.toISOString() ?? null),
      };
      return [request.id, about];
    }),
  );
}

/** @throws 409 if too much time has passed since the audition ended */
function requireNotOver(end: string | null, now: Date): void {
  if (end !== null && Date.parse(end) <= now.getTime())
    throw conflict(
      `This audition ended more than ${QUESTION_DAYS} days ago, so nothing more can be written about it. Connect to write to each other`,
    );
}

/** Strangers do not write to people under 18. @throws 403 */
async function requireAdults(db: Db, people: readonly number[]): Promise<void> {
  if ((await findMinors(db, people)).length > 0)
    throw forbidden('Under 18, people only write to those they are connected with. Connect first');
}

/** Whether people write to each other here is decided by their connection, or else by the audition. @throws 403, 409 */
export async function requireMayWrite(db: Db, row: ConversationRow, now: Date): Promise<void> {
  if (row.connectionId !== null) return;
  await requireAdults(db, [row.firstId, row.secondId]);
  const [about] = (await presentAbout(db, row.firstId, [row])).values();
  requireNotOver(about?.closes_at ?? null, now);
}
