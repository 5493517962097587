import type { FastifyInstance } from 'fastify';
import * as z from 'zod/mini';
import { CALLS } from '#contract/calls.ts';
import { syncPage, type SyncRecord } from '#contract/records/sync.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { ok } from '#server/platform/http/response.ts';
import { cursorGone } from '#server/platform/http/errors.ts';
import { requiredAccount, readRoute } from '#server/platform/http/route.ts';
import { type FeedRow, getFeedHead, type Head, readFeedAfter } from './store.ts';

const PAGE = 200;

/**
 * Pull cursor: the last change received, and the head of the feed when the initial pull began. The device never saw records that
 * were deleted before that, nor messages too old for an initial pull, so it needs nothing that was removed from the feed up to there.
 */
interface Cursor {
  seq: number;
  since: number;
}

const written = (epoch: string, { seq, since }: Cursor) => `${epoch}.${since}.${seq}`;

/** @throws 410 if the cursor belongs to another database, or changes after it were removed from the feed */
function read(text: string, { epoch, head, forgotten }: Head): Cursor {
  const parts = /^(\w+)\.(\d{1,15})\.(\d{1,15})$/.exec(text);
  const cursor = { since: Number(parts?.[2]), seq: Number(parts?.[3]) };
  const isOurs = parts?.[1] === epoch && cursor.seq <= head && cursor.since <= head;
  if (!isOurs || Math.max(cursor.since, cursor.seq) < forgotten) throw cursorGone();
  return cursor;
}

async function loadBodies(
  app: FastifyInstance,
  db: Db,
  rows: readonly FeedRow[],
  userId: number,
): Promise<SyncRecord[]> {
  const bodies = new Map<string, Record<string, unknown>>();
  for (const type of new Set(rows.map((row) => row.type))) {
    const ids = rows.filter((row) => row.type === type && !row.isDeleted).map((row) => row.recordId);
    const records = ids.length === 0 ? [] : await app.mirror.get(type)?.(db, ids, userId);
    for (const record of records ?? []) bodies.set(`${type} ${String(record.id)}`, record);
  }
  // A newer node may have written a type that this one does not know. Without its body, it would be a deletion.
  const known = rows.filter((row) => row.isDeleted || app.mirror.has(row.type));
  return known.map((row) => ({
    type: row.type,
    id: row.recordId,
    parent: row.parent,
    body: bodies.get(`${row.type} ${row.recordId}`) ?? null,
  }));
}

/** Changes of the caller's mirror. */
export function syncRoutes(app: FastifyInstance): void {
  readRoute(app, {
    endpoint: CALLS.sync,
    summary: "What changed among the caller's own records since a cursor; everything without one",
    access: requiredAccount(),
    query: z.object({ cursor: z.optional(z.string()) }),
    responses: { 200: syncPage },
    handler: async ({ caller, db, query }) => {
      // Read the counter, the feed and the records from one snapshot.
      const page = await db.transaction(
        async (tx) => {
          const head = await getFeedHead(tx, caller.userId);
          const cursor = query.cursor === undefined ? { seq: 0, since: head.head } : read(query.cursor, head);
          const rows = await readFeedAfter(tx, caller.userId, cursor, PAGE + 1);
          const has_more = rows.length > PAGE;
          const shown = rows.slice(0, PAGE);
          const seq = has_more ? (shown.at(-1)?.seq ?? cursor.seq) : head.head;
          return {
            records: await loadBodies(app, tx, shown, caller.userId),
            cursor: written(head.epoch, { seq, since: cursor.since }),
            has_more,
          };
        },
        { isolationLevel: 'repeatable read', accessMode: 'read only' },
      );
      return ok(page);
    },
  });
}
