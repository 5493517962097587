import { and, eq, gt, inArray, sql } from 'drizzle-orm';
import { PUSH_KIND_NAMES, type PushKindName } from '#contract/push-kind-names.ts';
import { PUSH_KINDS } from '#contract/push-kinds.ts';
import type { NotificationType } from '#contract/records/notifications.ts';
import type { PushSettings } from '#contract/records/push.ts';
import { notBlocked } from '#server/platform/access/viewer-role.ts';
import { isOpen } from '#server/platform/access/open-conversations.ts';
import { getSessionCutoffs } from '#server/platform/http/caller.ts';
import type { Db } from '#server/platform/db/connect.ts';
import {
  connections,
  conversationMembers,
  conversations,
  notifications,
  pushSubscriptions,
  sessions,
  users,
} from '#server/platform/db/schema.ts';
import type { Announced } from './compose.ts';

export type SubscriptionRow = typeof pushSubscriptions.$inferSelect;

export const kindOf = (type: NotificationType): PushKindName | undefined =>
  PUSH_KIND_NAMES.find((name) => PUSH_KINDS[name].notification === type);

/** Finds a subscription of a person whose session still works. */
export async function findLiveSubscription(
  db: Db,
  { subscriptionId, userId }: { subscriptionId: number; userId: number },
  now: Date,
): Promise<SubscriptionRow | null> {
  const { lastSeenAfter, createdAfter } = getSessionCutoffs(now);
  const [found] = await db
    .select({ subscription: pushSubscriptions })
    .from(pushSubscriptions)
    .innerJoin(sessions, eq(sessions.id, pushSubscriptions.sessionId))
    .where(
      and(
        eq(pushSubscriptions.id, subscriptionId),
        // The browser may have moved to another account.
        eq(pushSubscriptions.userId, userId),
        gt(sessions.lastSeenAt, lastSeenAfter),
        gt(sessions.createdAt, createdAfter),
      ),
    );
  return found?.subscription ?? null;
}

/** A notification that may be announced now, or why it may not. */
export type Verdict = (Announced & { createdAt: Date }) | { reason: 'gone' | 'read' | 'blocked' | 'suspended' | 'off' };

/** Whether the lock screen may name the other person: to somebody under 18, only people whom they are connected with. */
const isNamedTo = (userId: number) => sql<boolean>`(
  not exists (select from users me where me.id = ${userId} and me.is_minor)
  or exists (
    select from ${connections} where ${connections.status} = 'accepted'
      and ${userId} in (${connections.senderId}, ${connections.receiverId})
      and ${notifications.actorId} in (${connections.senderId}, ${connections.receiverId})
  ))`;

/** Judges whether a person wants to hear of these alerts now: much may have happened since they were queued. */
export async function judgeAlerts(
  db: Db,
  userId: number,
  alerts: readonly string[],
  { kinds }: PushSettings,
): Promise<Map<string, Verdict>> {
  const rows = await db
    .select({
      row: notifications,
      actorName: users.name,
      actorState: users.state,
      isNamed: isNamedTo(userId),
      isAllowed: sql<boolean>`${notBlocked(userId, notifications.actorId)}`,
    })
    .from(notifications)
    .innerJoin(users, eq(users.id, notifications.actorId))
    .where(and(inArray(notifications.alert, [...alerts]), eq(notifications.userId, userId)));
  const found = new Map(rows.map((each) => [each.row.alert, each]));
  const judge = (alert: string): Verdict => {
    const known = found.get(alert);
    // Deleted, or read and then renewed under another alert.
    if (known === undefined) return { reason: 'gone' };
    const { row, actorName, actorState, isNamed, isAllowed } = known;
    const kind = kindOf(row.type);
    if (row.readAt !== null) return { reason: 'read' };
    if (!isAllowed) return { reason: 'blocked' };
    if (actorState !== 'active') return { reason: 'suspended' };
    if (kind === undefined || !kinds[kind]) return { reason: 'off' };
    return { id: row.id, kind, actorName, isNamed, data: row.data, createdAt: row.createdAt };
  };
  return new Map(alerts.map((alert) => [alert, judge(alert)]));
}

/** The number on the icon: unread conversations and received requests, as the app counts them. */
export async function countForBadge(db: Db, userId: number): Promise<number> {
  const unread = db
    .select({ one: sql`1` })
    .from(conversationMembers)
    .innerJoin(conversations, eq(conversations.id, conversationMembers.conversationId))
    .where(
      and(
        eq(conversationMembers.userId, userId),
        isOpen,
        // The position of the reader is moved past their own messages, so what follows is of the other person.
        gt(conversations.lastSeq, conversationMembers.readSeq),
      ),
    );
  const received = db
    .select({ one: sql`1` })
    .from(connections)
    .where(and(eq(connections.receiverId, userId), eq(connections.status, 'pending')));
  const { rows } = await db.execute<{ count: number }>(
    sql`select (select count(*) from ${unread} u)::int + (select count(*) from ${received} r)::int as count`,
  );
  return rows[0]?.count ?? 0;
}
