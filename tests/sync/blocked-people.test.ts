import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, describe, expect, it } from 'vitest';
import type { SearchRow } from '#contract/records/search.ts';
import { saveCachedPage } from '#db/cached-pages.ts';
import { AccountDb } from '#db/database.ts';
import { listFoundPeople, saveSearchHits } from '#db/found-people.ts';
import { listNotifications } from '#db/network.ts';
import { listSavedMedia, listSavedProfiles } from '#features/saved/saved-lists.ts';
import { disconnect } from '#sync/queue/connections.ts';
import type { OutboxPorts } from '#sync/queue/outbox.ts';

const TYPE = { id: '1', name: 'Actor / Performer', slug: 'actor-performer' };
const card = (slug: string) => ({
  id: slug,
  title: null,
  stage_name: slug,
  location: null,
  profile_type: TYPE,
  profile_photo: null,
  slug,
});
const facts = (user_id: string) => ({ user_id, languages: [], skills: [] }) as unknown as SearchRow['facts'];
const MEERA = { userId: '3', name: 'Meera' };

let ports: OutboxPorts;
beforeEach(() => {
  const db = new AccountDb('blocked people', '1', { indexedDB: new IDBFactory(), IDBKeyRange });
  const clock = { now: () => 1_000, after: () => () => undefined };
  ports = { db, clock, chance: { uuid: () => 'op-1', random: () => 0.5 } };
});

const put = (type: string, id: string, body: object) =>
  ports.db.records.put({ type, id, parent: null, body: { ...body }, version: null });
const connect = (slug: string) =>
  put('connection', '9', { ...card(slug), name: slug, user_id: '1', connected_user_id: '3', status: 'accepted' });
const found = async () => (await listFoundPeople(ports.db)).map(({ row }) => row.stage_name).sort();
const saved = async () => (await listSavedProfiles(ports.db)).map((item) => item.card.stage_name).sort();

describe('while a block waits to be sent', () => {
  beforeEach(async () => {
    await put('saved_profile', 'meera', card('meera'));
    await put('saved_profile', 'arjun', card('arjun'));
  });

  it('a connection is neither found nor listed as saved', async () => {
    await connect('meera');
    await disconnect(ports, MEERA, 'block', '9');
    expect([await found(), await saved()]).toEqual([['arjun'], ['arjun']]);
  });

  it('somebody who was found by a search is neither found nor listed as saved', async () => {
    await saveSearchHits(ports.db, [{ ...card('meera'), facts: facts('3') }], 1);
    await disconnect(ports, MEERA, 'block', null);
    expect([await found(), await saved()]).toEqual([['arjun'], ['arjun']]);
  });

  it('somebody whose page was opened is neither found nor listed as saved', async () => {
    const profile = { ...card('meera'), user_id: 3 };
    const page = { address: 'meera/actor-performer', id: 'meera', rows: {}, others: [], tags: {}, openedAt: 2 };
    await saveCachedPage(ports.db, { ...page, profile });
    await disconnect(ports, MEERA, 'block', null);
    expect([await found(), await saved()]).toEqual([['arjun'], ['arjun']]);
  });

  it('their media are not listed as saved', async () => {
    await put('saved_media', '5', { name: 'Reel', owner: { user_id: '3', name: 'Meera', slug: null } });
    await put('saved_media', '6', { name: 'Song', owner: { user_id: '4', name: 'Arjun', slug: null } });
    await disconnect(ports, MEERA, 'block', null);
    expect((await listSavedMedia(ports.db)).map((item) => item.card.name)).toEqual(['Song']);
  });

  it('their notifications are neither listed nor counted', async () => {
    const news = { type: 'profile.saved', data: {}, read_at: null, created_at: '2026-03-01T10:00:00.000Z' };
    await put('notification', '1', { ...news, actor: { user_id: '3' } });
    await put('notification', '2', { ...news, actor: { user_id: '4' } });
    const getActors = async () => (await listNotifications(ports.db)).map((item) => item.news.actor.user_id).sort();
    expect(await getActors()).toEqual(['3', '4']);
    await disconnect(ports, MEERA, 'block', null);
    expect(await getActors()).toEqual(['4']);
  });

  it('a connection that was only ended is still listed as saved', async () => {
    await connect('meera');
    await disconnect(ports, MEERA, 'remove', '9');
    expect(await saved()).toEqual(['arjun', 'meera']);
  });
});
