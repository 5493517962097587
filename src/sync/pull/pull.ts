import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import type { SyncPage } from '#contract/records/sync.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import { readStoreCreatedAt } from '#db/store-created.ts';
import type { AccountDb } from '#db/database.ts';
import { CONVERSATION } from '#db/messages.ts';
import { CONNECTION } from '#db/saved-and-connected.ts';
import { parseMessage, upsertMessages } from './messages.ts';
import { invalidateInFlightAcks, dropRecord, applyRecord, unansweredCreates, getVersion } from './apply.ts';
import { getTables } from '../queue/outbox.ts';
import { isOwnRefusal, isSignedOut } from '../server/own-answer.ts';
import type { Ports } from '../ports.ts';
import type { PullResult } from './result.ts';
import { jsonRequest } from '../operations/build-request.ts';

type PullPorts = Pick<Ports, 'transport' | 'clock'>;

const TYPES = new Set([
  'profile',
  'media',
  'saved_profile',
  'saved_media',
  CONNECTION,
  CONVERSATION,
  'notification',
  ...SECTIONS.map((section) => section.key),
]);

/**
 * Updates the mirror from the server's sync feed. Changes no payload in the outbox, so the user's edits stay visible
 * over the pulled data. A deleted record that a queued change still targets stays, marked as gone, until that change is
 * done.
 */
export async function pullChanges(db: AccountDb, ports: PullPorts, isFresh = false): Promise<PullResult> {
  const first = (await db.cursors.get('sync'))?.value ?? null;
  const born = await readStoreCreatedAt(db);
  let cursor = first;
  // A full pull ends by deleting the old records that it did not bring. Only then is its cursor stored: an interrupted
  // pull starts over, because records deleted meanwhile would otherwise stay forever.
  const before = cursor === null ? await db.records.toCollection().primaryKeys() : [];
  const seen = new Set<string>();
  let more = true;
  while (more) {
    const path =
      cursor === null ? ENGINE_CALLS.sync.path : `${ENGINE_CALLS.sync.path}?cursor=${encodeURIComponent(cursor)}`;
    const answer = await ports.transport.send(jsonRequest('GET', path), { userId: db.userId });
    if ('reason' in answer) return answer.reason === 'signed out' ? 'sign in' : 'unreachable';
    if (isSignedOut(answer)) return 'sign in';
    if (answer.status === 410 && isOwnRefusal(answer) && cursor !== null && !isFresh) {
      await db.cursors.delete('sync');
      return pullChanges(db, ports, true);
    }
    const page = answer.status === 200 && !answer.redirected ? asPage(answer.body) : null;
    if (page === null) return 'unreachable';
    const asked: string | null = cursor;
    const stored = await db.transaction('rw', getTables(db), async () => {
      // Another tab pulled meanwhile. Its cursor and records may be newer than this page, and it may not have finished.
      if (((await db.cursors.get('sync'))?.value ?? null) !== (first === null ? null : asked)) return 'elsewhere';
      // The browser deleted the store between two pages, so the records of the earlier pages are gone.
      if ((await readStoreCreatedAt(db)) !== born) return 'elsewhere';
      const creates = await unansweredCreates(
        db,
        page.records.map(({ body }) => body),
      );
      for (const record of page.records) {
        seen.add(`${record.type} ${record.id}`);
        if (!TYPES.has(record.type)) continue;
        const { type, id, parent, body } = record;
        if (body === null) await dropRecord(db, [type, id]);
        else await applyRecord(db, { type, id, parent, body, version: getVersion(body) }, creates);
      }
      const messages = page.records.map(({ type, body }) => (type === 'message' ? parseMessage(body) : null));
      await upsertMessages(
        { db, clock: ports.clock },
        messages.filter((message) => message !== null),
      );
      const gone = page.records.filter((record) => record.body === null);
      await invalidateInFlightAcks(db, asked === null ? null : new Set(gone.map((record) => record.type)));
      if (first === null && page.has_more) return true;
      for (const [type, id] of before) if (!seen.has(`${type} ${id}`)) await dropRecord(db, [type, id]);
      // A record that a response stored meanwhile may have been deleted since, which a full pull does not list.
      if (first === null && (await hasUnseen(db, before, seen))) return 'unsure';
      await db.cursors.put({ resource: 'sync', value: page.cursor });
      return true;
    });
    if (stored === 'elsewhere') return pullChanges(db, ports, isFresh);
    if (stored === 'unsure') {
      // Repeat once. After that, the next pull is a full one again, because no cursor was stored.
      return isFresh ? 'done' : pullChanges(db, ports, true);
    }
    cursor = page.cursor;
    more = page.has_more;
  }
  return 'done';
}

/** Whether the mirror has records that were neither there before a full pull nor brought by it. */
async function hasUnseen(
  db: AccountDb,
  before: readonly [string, string][],
  seen: ReadonlySet<string>,
): Promise<boolean> {
  const known = new Set(before.map(([type, id]) => `${type} ${id}`));
  const keys = await db.records.toCollection().primaryKeys();
  return keys.some(([type, id]) => !known.has(`${type} ${id}`) && !seen.has(`${type} ${id}`));
}

function asPage(body: unknown): SyncPage | null {
  const page = body as Partial<SyncPage> | undefined;
  return page && Array.isArray(page.records) && typeof page.cursor === 'string' ? (page as SyncPage) : null;
}
