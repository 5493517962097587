import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Media, MediaCard } from '#contract/records/media.ts';
import { addPhoto, block } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';
import { viewerCalls } from './support/viewers.ts';

const testServer = useTestServer();
const { change, get, addPerformer, pull, getStatus } = viewerCalls(testServer);

const pullSaved = async (person: Person, cursor?: string) =>
  (await pull(person, cursor)).records.filter((each) => each.type === 'saved_media');
const listed = (person: Person, query = '') => get<MediaCard[]>(`GET /media/saved${query}`, person);
const save = (person: Person, id: string, headers = {}) =>
  testServer.call(`POST /media/${id}/save`, { token: person.token, headers });
const unsave = (person: Person, id: string) => testServer.call(`POST /media/${id}/unsave`, { token: person.token });
const put = (person: Person, id: string, body: object) =>
  testServer.call<{ data: Media }>(`PUT /media/${id}`, { token: person.token, body });

async function addSavedPhoto() {
  const [owner, viewer] = [await addPerformer(), await addPerformer()];
  const photo = await addPhoto(testServer, owner, owner.profileId);
  expect((await save(viewer, photo.id)).status).toBe(200);
  return { owner, viewer, photo };
}

describe('saved media item', () => {
  test('appears in the saved list, the sync feed and as a mark in every list of the person', async () => {
    const { owner, viewer, photo } = await addSavedPhoto();
    const again = await save(viewer, photo.id, { 'idempotency-key': randomUUID() });
    expect(again.body).toEqual({ message: 'Saved', is_saved: 1 });
    const card = {
      ...photo,
      is_saved: 1,
      owner: { user_id: owner.id, name: owner.name, slug: expect.any(String), profile_type: 'actor-performer' },
      saved_at: '2026-11-21T09:00:00.000Z',
    };
    expect(await listed(viewer)).toEqual([card]);
    expect(await pullSaved(viewer)).toEqual([{ type: 'saved_media', id: photo.id, parent: null, body: card }]);
    const list = `GET /media?profile_id=${owner.profileId}`;
    const flags = async (person?: Person) => (await get<Media[]>(list, person)).map((each) => each.is_saved);
    expect([await flags(viewer), await flags(owner), await flags()]).toEqual([[1], [0], [0]]);

    const { cursor } = await pull(viewer);
    for (const _ of [1, 2]) expect((await unsave(viewer, photo.id)).body).toMatchObject({ is_saved: 0 });
    expect(await pullSaved(viewer, cursor)).toEqual([{ type: 'saved_media', id: photo.id, parent: null, body: null }]);
    expect([await listed(viewer), await flags(viewer)]).toEqual([[], [0]]);
  });

  test('may belong to the person and is marked in the sync feed', async () => {
    const owner = await addPerformer();
    const photo = await addPhoto(testServer, owner, owner.profileId);
    const pullFlags = async (cursor: string) =>
      (await pull(owner, cursor)).records.map(({ type, body }) => [type, body?.['is_saved'] ?? null]);
    const { cursor } = await pull(owner);
    await save(owner, photo.id);
    expect(await pullFlags(cursor)).toEqual([
      ['saved_media', 1],
      ['media', 1],
    ]);
    await unsave(owner, photo.id);
    expect(await pullFlags(cursor)).toEqual([
      ['saved_media', null],
      ['media', 0],
    ]);
  });

  test('is synced again when its owner edits it', async () => {
    const { owner, viewer, photo } = await addSavedPhoto();
    const { cursor } = await pull(viewer);
    await put(owner, photo.id, { name: 'Renamed' });
    expect(await pullSaved(viewer, cursor)).toMatchObject([{ id: photo.id, body: { name: 'Renamed', version: 2 } }]);
  });

  test.each<[string, (owner: Person & { profileId: string }, id: string) => Promise<unknown>, boolean]>([
    ['hidden', (owner, id) => put(owner, id, { is_hidden: true }), true],
    ['of an inactive profile', (owner) => change(owner, owner.profileId, { status: 'inactive' }), true],
    ['deleted', (owner, id) => testServer.call(`DELETE /media/${id}`, { token: owner.token }), false],
    [
      'of a deleted account',
      (owner) => testServer.call('DELETE /account', { token: owner.token, body: { password: owner.password } }),
      false,
    ],
  ])('is removed when it is %s', async (_, act, isHidden) => {
    const { owner, viewer, photo } = await addSavedPhoto();
    const { cursor } = await pull(viewer);
    await act(owner, photo.id);
    const gone = [{ type: 'saved_media', id: photo.id, parent: null, body: null }];
    expect(await pullSaved(viewer, cursor)).toEqual(gone);
    expect(await listed(viewer)).toEqual([]);
    expect(await getStatus(`POST /media/${photo.id}/save`, viewer)).toBe(404);
    // A hidden item can still be unsaved.
    expect(await getStatus(`POST /media/${photo.id}/unsave`, viewer)).toBe(isHidden ? 200 : 404);
  });

  test('returns when it is visible again', async () => {
    const { owner, viewer, photo } = await addSavedPhoto();
    await put(owner, photo.id, { is_hidden: true });
    await change(owner, owner.profileId, { status: 'inactive' });
    await put(owner, photo.id, { is_hidden: false });
    const { cursor } = await pull(viewer);
    await change(owner, owner.profileId, { status: 'active' });
    expect(await pullSaved(viewer, cursor)).toMatchObject([{ id: photo.id, body: { is_saved: 1 } }]);
  });

  test.each([true, false])('is unsaved by a block in either direction (by the owner: %s)', async (byOwner) => {
    const { owner, viewer, photo } = await addSavedPhoto();
    const { cursor } = await pull(viewer);
    await block(testServer, byOwner ? owner : viewer, byOwner ? viewer : owner);
    expect(await pullSaved(viewer, cursor)).toEqual([{ type: 'saved_media', id: photo.id, parent: null, body: null }]);
    expect([await getStatus(`POST /media/${photo.id}/save`, viewer), await listed(viewer)]).toEqual([404, []]);
    const lift = byOwner ? [owner, viewer] : [viewer, owner];
    await testServer.call(`DELETE /blocks/${lift[1]?.id}`, { token: lift[0]?.token });
    expect(await listed(viewer)).toEqual([]);
    expect((await save(viewer, photo.id)).status).toBe(200);
  });

  test('is listed in pages by the time it was saved, newest first', async () => {
    const [owner, viewer] = [await addPerformer(), await addPerformer()];
    const ids: string[] = [];
    for (let n = 0; n < 5; n += 1) ids.push((await addPhoto(testServer, owner, owner.profileId)).id);
    // Saves the first two at the same time, the others one second apart.
    for (const [n, id] of ids.entries()) {
      if (n > 1) testServer.clock.advance(1000);
      await save(viewer, id);
    }
    const seen: string[] = [];
    let cursor: string | undefined;
    do {
      const page = await testServer.call<MediaCard[]>(`GET /media/saved?limit=2${cursor ? `&cursor=${cursor}` : ''}`, {
        token: viewer.token,
      });
      seen.push(...page.body.map(({ id }) => id));
      cursor = page.headers['x-next-cursor'];
    } while (cursor);
    expect(seen).toEqual(ids.reverse());
  });

  test('is part of the data export', async () => {
    const { viewer, photo } = await addSavedPhoto();
    const answer = await testServer.app.inject({
      url: '/account/export',
      headers: { authorization: `Bearer ${viewer.token}`, 'x-requested-with': 'XMLHttpRequest' },
    });
    expect(answer.rawPayload.toString()).toContain(`"media_id": "${photo.id}"`);
  });
});
