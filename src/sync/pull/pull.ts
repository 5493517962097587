import { ENGINE_READS } from '#contract/engine-calls.ts';
import type { SyncPage } from '#contract/records/sync.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import { readStoreCreatedAt } from '#db/store-created.ts';
import type { AccountDb } from '#db/database.ts';
import { CONVERSATION } from '#db/messages.ts';
import { CONNECTION } from '#db/saved-and-connected.ts';
import { parseMessage, upsertMessages } from './messages.ts';
import { invalidateInFlightAcks, dropRecord, applyRecord, unansweredCreates, getVersion } from './apply.ts';
import { getLastEntry, isOvertaken, recheckUnversioned } from './own-changes.ts';
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
  'project',
  'project_member',
  'role',
  'request',
  'audition',
  'availability',
  'tape',
  'mark',
  'link',
  'candidate',
  ...SECTIONS.map((section) => section.key),
]);

/**
 * Stored with the cursor. What this release does not know is not stored, and the cursor moves past it, so the next release, which may know it,
 * has to pull everything.
 */
export const KNOWN_TYPES = [...TYPES].join();

/** How often a page is requested that our own changes overtake. */
const MAX_READS = 3;

/**
 * Updates the mirror from the server's sync feed. Changes no payload in the outbox, so the user's edits stay visible
 * over the pulled data. A deleted record that a queued change still targets stays, marked as gone, until that change is
 * done.
 */
export async function pullChanges(db: AccountDb, ports: PullPorts, isFresh = false): Promise<PullResult> {
  const found = await db.cursors.get('sync');
  const first = (found?.types === KNOWN_TYPES && found.value) || null;
  const born = await readStoreCreatedAt(db);
  let cursor = first;
  // A full pull ends by deleting the old records that it did not bring. Only then is its cursor stored: an interrupted
  // pull starts over, because records deleted meanwhile would otherwise stay forever.
  const before = cursor === null ? await db.records.toCollection().primaryKeys() : [];
  const known = new Set(before.map(([type, id]) => `${type} ${id}`));
  const begun = await getLastEntry(db);
  const seen = new Map<string, readonly [string, string]>();
  let more = true;
  let reads = 0;
  while (more) {
    const path =
      cursor === null ? ENGINE_READS.sync.path : `${ENGINE_READS.sync.path}?cursor=${encodeURIComponent(cursor)}`;
    const entry = await getLastEntry(db);
    const answer = await ports.transport.send(jsonRequest('GET', path), { userId: db.userId });
    if ('reason' in answer) return answer.reason === 'signed out' ? 'sign in' : 'unreachable';
    if (isSignedOut(answer)) return 'sign in';
    if (answer.status === 410 && isOwnRefusal(answer) && cursor !== null && !isFresh) {
      await db.cursors.delete('sync');
      return pullChanges(db, ports, true);
    }
    const serverTime = Date.parse(answer.header('date') ?? '');
    const page = answer.status === 200 && !answer.redirected ? asPage(answer.body) : null;
    if (page === null) return 'unreachable';
    const asked: string | null = cursor;
    const stored = await db.transaction('rw', getTables(db), async () => {
      // Another tab pulled meanwhile. Its cursor and records may be newer than this page, and it may not have finished.
      if ((await db.cursors.get('sync'))?.value !== (first === null ? found?.value : asked)) return 'elsewhere';
      // The browser deleted the store between two pages, so the records of the earlier pages are gone.
      if ((await readStoreCreatedAt(db)) !== born) return 'elsewhere';
      const keys = page.records.map(({ type, id }) => [type, id] as const);
      if (await isOvertaken(db, entry, keys)) return 'overtaken';
      if (!Number.isNaN(serverTime)) {
        const at = ports.clock.now();
        await db.meta.put({ k: 'clock', offset: serverTime - at, at });
      }
      const creates = await unansweredCreates(
        db,
        page.records.map(({ body }) => body),
      );
      for (const record of page.records) {
        // A deleted record was not brought: whatever has it again when the pull ends must have put it there meanwhile.
        const name = `${record.type} ${record.id}`;
        if (record.body === null) seen.delete(name);
        else seen.set(name, [record.type, record.id]);
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
      await recheckUnversioned(db, keys);
      const gone = page.records.filter((record) => record.body === null);
      await invalidateInFlightAcks(db, asked === null ? null : new Set(gone.map((record) => record.type)));
      if (first === null && page.has_more) return true;
      // A record that our own change brought back or stored meanwhile may be there although no page had it, or may
      // have been deleted since, which a full pull does not list. The response to a repeated change may also be older than
      // the page before, and ask for a full pull while this one has no cursor to delete.
      const all = first === null ? await db.records.toCollection().primaryKeys() : [];
      if (first === null && (await isOvertaken(db, begun, [...all, ...seen.values()]))) return 'unsure';
      const unseen = all.filter(([type, id]) => !seen.has(`${type} ${id}`));
      for (const [type, id] of before) if (!seen.has(`${type} ${id}`)) await dropRecord(db, [type, id]);
      if (unseen.some(([type, id]) => !known.has(`${type} ${id}`))) return 'unsure';
      await db.cursors.put({ resource: 'sync', value: page.cursor, types: KNOWN_TYPES });
      return true;
    });
    if (stored === 'overtaken') {
      reads += 1;
      if (reads === MAX_READS) return 'overtaken';
      continue;
    }
    if (stored === 'elsewhere') return pullChanges(db, ports, isFresh);
    if (stored === 'unsure') {
      // Repeat once. After that, the next pull is a full one again, because no cursor was stored.
      return isFresh ? 'done' : pullChanges(db, ports, true);
    }
    reads = 0;
    cursor = page.cursor;
    more = page.has_more;
  }
  return 'done';
}

function asPage(body: unknown): SyncPage | null {
  const page = body as Partial<SyncPage> | undefined;
  return page && Array.isArray(page.records) && typeof page.cursor === 'string' ? (page as SyncPage) : null;
}
