import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { conversationViews } from '#db/conversations.ts';
import { countToRead, readNetwork } from '#db/network.ts';
import { keepLookup } from '#db/lookups.ts';
import { listWaiting } from '#sync/queue/waiting.ts';
import { getSummary } from '#features/sync-status/row-text.ts';
import { update } from '#sync/queue/outbox.ts';
import { ownProfiles } from '#db/queries.ts';
import { chooseHome } from '#db/single-items.ts';

let db: AccountDb;
beforeEach(() => {
  db = new AccountDb('own lists', '1', { indexedDB: new IDBFactory(), IDBKeyRange });
});
afterEach(() => db.close());

const put = (type: string, id: string, body: Record<string, unknown>) =>
  db.records.put({ type, id, parent: null, body, version: 1 });

describe('Home', () => {
  const titles = async () => (await ownProfiles(db)).map(({ body }) => body.title);
  beforeEach(async () => {
    await put('profile', '7', { title: 'Actor', created_at: '2026-01-01' });
    await put('profile', '8', { title: 'Narrator', created_at: '2026-02-01' });
    await put('profile', '9', { title: 'Dancer', created_at: '2026-03-01' });
  });

  it('stays the first profile when others are created', async () => {
    expect(await titles()).toEqual(['Actor', 'Dancer', 'Narrator']);
  });

  it('is the profile that the user chose, as long as it exists', async () => {
    await chooseHome(db, '8');
    expect(await titles()).toEqual(['Narrator', 'Dancer', 'Actor']);
    await db.records.delete(['profile', '8']);
    expect(await titles()).toEqual(['Actor', 'Dancer']);
  });
});

describe('the Messages badge', () => {
  const conversation = (id: string, last: number | null, read: number) =>
    put('conversation', id, {
      conversation_id: id,
      connection_id: id,
      other: { user_id: id, name: 'Arjun', title: null, profile_photo: null, slug: null },
      last_message: last === null ? null : { id, seq: last, created_at: '2026-11-21', message: 'Hello' },
      read_seq: read,
      starred: false,
      pinned: false,
      other_delivered_seq: null,
      other_read_seq: null,
    });

  it('counts unread conversations and requests as the list shows them', async () => {
    await conversation('1', 3, 1);
    await conversation('2', 3, 3);
    await conversation('3', 5, 0);
    await conversation('4', null, 0);
    await db.readings.put({ conversation: '3', read: 5, has: 5, toldRead: 0, toldHas: 0 });
    const asked = { status: 'pending', name: 'Bina', user_id: '9', connected_user_id: '1', updated_at: '2026-11-21' };
    await put('connection', '5', asked);
    const unread = (await conversationViews(db)).filter((view) => view.unread > 0).length;
    const requests = (await readNetwork(db)).connections.filter(({ value: is }) => is === 'asked').length;
    expect([unread, requests]).toEqual([1, 1]);
    expect(await countToRead(db)).toBe(unread + requests);
  });
});

describe('Waiting to send', () => {
  const gists = async () => (await listWaiting(db, 0)).moving.map(getSummary);
  const ports = () => ({
    db,
    clock: { now: () => 1000, after: () => () => undefined },
    chance: { uuid: () => crypto.randomUUID(), random: () => 0.5 },
  });

  it('names the chosen industry', async () => {
    await put('profile', '7', { title: 'Actor', profile_industry_id: '1' });
    await keepLookup(db, 'industries', [
      { id: '1', name: 'Theatre' },
      { id: '2', name: 'Film' },
    ]);
    await update(ports(), 'profile', '7', { profile_industry_id: '2', per_day: 22_000 });
    expect(await gists()).toEqual(['Day rate ₹22,000 · Industry Film']);
  });

  it('says only that the industry changed when its list is not on this device', async () => {
    await put('profile', '7', { title: 'Actor', profile_industry_id: '1' });
    await update(ports(), 'profile', '7', { profile_industry_id: '2' });
    expect(await gists()).toEqual(['Industry changed']);
  });

  it('names the chosen accent', async () => {
    await put('media', '3', { media_type: 'audio', name: 'Narration', language_accent: 'Neutral' });
    await update(ports(), 'media', '3', { language_accent: 'South Indian' });
    expect(await gists()).toEqual(['Accent South Indian']);
  });
});

it('reports no list as empty before the first pull has ended', async () => {
  await put('profile', '7', { title: 'Actor' });
  expect((await readNetwork(db)).isRead).toBe(false);
  await db.cursors.put({ resource: 'sync', value: 'x' });
  expect((await readNetwork(db)).isRead).toBe(true);
});
