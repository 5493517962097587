import { sql } from 'drizzle-orm';
import type { CarriedChanges, RecordsChanged } from '#contract/records/live.ts';
import type { Broadcast } from '#server/platform/live/broadcaster.ts';
import { changesChannel, eventName, MAX_EVENT_BYTES, userChannel } from '#server/platform/live/names.ts';
import type { Db } from './connect.ts';
import { runPrepared } from './prepared.ts';
import type { idempotencyKeys } from './schema.ts';

/** PostgreSQL channel by which a process that only writes to the live outbox, such as a command, wakes the publishers. */
export const LIVE_OUTBOX_CHANNEL = 'callboard_live_notes';

/** A change of one record in a user's mirror. Deletions keep `parent`. */
export interface Change {
  userId: number;
  type: string;
  id: string;
  parent: string | null;
  deleted: boolean;
}

/** A request with an Idempotency-Key, and the response that a repeat of it gets. */
export type StoredRequest = Omit<typeof idempotencyKeys.$inferSelect, 'createdAt'>;

/** Collects sync-feed rows and live broadcasts of a write. `flush()` stores both at the end of the transaction. */
export class ChangeLog {
  readonly #changes = new Map<string, Change>();
  /** The event about this write for each affected user. */
  readonly #events = new Map<number, RecordsChanged>();
  readonly #broadcasts: Broadcast[] = [];
  readonly #except: string | undefined;

  /** @param except id of the writing device's live socket, which gets no events about this write */
  constructor(except?: string) {
    this.#except = except;
  }

  /** Publishes a live event after the commit. @param event name as the app binds it, such as 'MessageSent' */
  publish(channels: string[], event: string, data: unknown): void {
    this.#broadcasts.push({ kind: 'event', channels, event: eventName(event), data, except: this.#except });
  }

  /** Closes the live sockets of a session that ended. */
  publishSignOut(userId: number, sessionId: number): void {
    this.#broadcasts.push({ kind: 'signed out', userId: String(userId), sessionId: String(sessionId) });
  }

  /** Removes a user from a channel that they may no longer listen to. */
  revokeFromChannel(userId: number, channel: string): void {
    this.#broadcasts.push({ kind: 'sent out', userId: String(userId), channel });
  }

  /** @param carried what devices derive the change from, for the live event about this write; without it, they pull */
  recordChange(userId: number, type: string, id: string, parent: string | null, carried?: CarriedChanges): void {
    this.#add({ userId, type, id, parent, deleted: false }, carried);
  }

  recordDeletion(userId: number, type: string, id: string, parent: string | null): void {
    this.#add({ userId, type, id, parent, deleted: true });
  }

  #add(change: Change, carried?: CarriedChanges): void {
    this.#changes.set(`${change.userId} ${change.type} ${change.id}`, change);
    const event = this.#events.get(change.userId) ?? { types: [], is_whole: true };
    this.#events.set(change.userId, event);
    if (!event.types.includes(change.type)) event.types.push(change.type);
    const parts = Object.entries(carried ?? {}) as [keyof CarriedChanges, unknown][];
    // The event has one place for each part, so a second message or notification has to be pulled.
    const hasPlace = parts.every(([name, part]) => (event[name] ?? part) === part);
    event.is_whole &&= parts.length > 0 && hasPlace;
    if (hasPlace) Object.assign(event, carried);
  }

  /**
   * Stores the changes, the broadcasts and the response in one statement. Raises each user's counter under the lock of their row, which
   * is held until the commit: no reader can see a later number before an earlier one. Users are locked in ascending order, so that two
   * writers cannot deadlock.
   * @param response what a repeat of the request gets; null when the request has no Idempotency-Key
   */
  async flush(tx: Db, now: Date, response: StoredRequest | null = null): Promise<void> {
    const changes = [...this.#changes.values()];
    const userIds = [...this.#events.keys()];
    for (const [userId, event] of this.#events) {
      const isLarge = Buffer.byteLength(JSON.stringify(event)) > MAX_EVENT_BYTES;
      const sent: RecordsChanged = isLarge ? { types: event.types, is_whole: false } : event;
      this.publish([userChannel(userId), changesChannel(userId)], 'RecordsChanged', sent);
    }
    if (this.#broadcasts.length === 0 && response === null) return;
    if (userIds.length > 1) {
      await tx.execute(
        sql`select id from users where id = any(${sql.param(userIds)}::bigint[]) order by id for no key update`,
      );
    }
    await runPrepared(tx, 'flush', FLUSH, [
      now,
      changes.map((change) => change.userId),
      changes.map((change) => change.type),
      changes.map((change) => change.id),
      changes.map((change) => change.parent),
      changes.map((change) => change.deleted),
      this.#broadcasts.map((broadcast) => JSON.stringify(broadcast)),
      response?.userId,
      response?.key,
      response?.fingerprint,
      response?.status,
      response && JSON.stringify(response.headers),
      response?.body,
    ]);
  }
}

const FLUSH = `
  with change as (
    select *, row_number() over (partition by user_id order by place) as step,
      count(*) over (partition by user_id) as steps
    from unnest($2::bigint[], $3::sync_type[], $4::bigint[], $5::bigint[], $6::boolean[])
      with ordinality as sent (user_id, type, id, parent, deleted, place)
  ), head as (
    update users set sync_seq = sync_seq + own.steps
    from (select user_id, count(*) as steps from change group by user_id) as own
    where users.id = own.user_id
    returning users.id, users.sync_seq
  ), broadcast as (
    insert into live_notes (note, created_at)
    select note::jsonb, $1::timestamptz from unnest($7::text[]) with ordinality as sent (note, place) order by place
  ), response as (
    insert into idempotency_keys (user_id, key, fingerprint, status, headers, body, created_at)
    select $8::bigint, $9::uuid, $10::text, $11::smallint, $12::jsonb, $13::text, $1::timestamptz
    where $9::uuid is not null
  )
  insert into sync_records (user_id, type, record_id, parent, seq, deleted_at)
  select change.user_id, change.type, change.id, case when change.type <> 'message' then change.parent end,
    head.sync_seq - change.steps + change.step, case when change.deleted then $1::timestamptz end
  from change join head on head.id = change.user_id
  on conflict (user_id, type, record_id) where type <> 'message'
  do update set parent = excluded.parent, seq = excluded.seq, deleted_at = excluded.deleted_at`;
