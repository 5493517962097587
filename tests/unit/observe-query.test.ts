import 'fake-indexeddb/auto';
import { Dexie } from 'dexie';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { mediaItems } from '#db/queries.ts';
import { observeQuery } from '#open-store/store.ts';
import { remove, type OutboxPorts } from '#sync/queue/outbox.ts';

let db: AccountDb;
beforeEach(async () => {
  db = new AccountDb('observe-query', '1');
  const medium = (id: string) => ({ type: 'media', id, parent: '7', body: { id, media_type: 'video' }, version: 1 });
  await db.records.bulkPut(['1', '2'].map(medium));
});
afterEach(() => db.delete());

it('reports a deleted video when the browser aborts the read that follows', async () => {
  const ports: OutboxPorts = {
    db,
    clock: { now: () => 1_800_000_000_000, after: () => () => undefined },
    chance: { random: () => 0, uuid: () => crypto.randomUUID() },
  };
  let reads = 0;
  // Dexie silently drops an aborted read of a live query, and the result would stay stale.
  const read = async (on: AccountDb) => {
    reads += 1;
    if (reads === 2) throw new Dexie.AbortError('The transaction was aborted');
    return mediaItems(on, '7');
  };
  let shown: string[] = [];
  const unsubscribe = observeQuery(db, read, (items) => {
    shown = items.map(({ id }) => id);
  });
  await vi.waitFor(() => expect(shown).toHaveLength(2));
  await remove(ports, 'media', '1');
  // The code that reads again is loaded at this moment, which takes seconds on a busy machine.
  await vi.waitFor(() => expect(shown).toEqual(['2']), { timeout: 10_000 });
  unsubscribe();
});
