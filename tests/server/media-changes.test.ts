import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Media } from '#contract/records/media.ts';
import { addPhoto, addProfile } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';
import { viewerCalls } from './support/viewers.ts';

const testServer = useTestServer();
const { get, addPerformer, pull, getStatus } = viewerCalls(testServer);

interface Answer {
  message: string;
  data: Media;
  errors?: Record<string, string[]>;
}

const put = (person: Person, id: string, body: object, headers: Record<string, string> = {}) =>
  testServer.call<Answer>(`PUT /media/${id}`, { token: person.token, body, headers });

const submit = async (person: Person & { profileId: string }, body: object): Promise<Media> => {
  const answer = await testServer.call<{ files: [Media] }>('POST /submit/media-form', {
    token: person.token,
    body: { profile_id: person.profileId, ...body },
  });
  expect(answer.status).toBe(201);
  return answer.body.files[0];
};

const link = (person: Person & { profileId: string }, fields: object = {}) =>
  submit(person, {
    media_type: 'video',
    youtube_url: 'https://youtu.be/dQw4w9WgXcQ',
    name: 'Reel',
    role: 'Kamala',
    project_type: '1',
    month_year: '2025-05',
    ...fields,
  });

describe('media edit', () => {
  test('keeps omitted fields, clears null fields and resolves ids of lists', async () => {
    const owner = await addPerformer();
    const video = await link(owner);
    expect(video).toMatchObject({ media_type: 'youtube', version: 1 });
    const { cursor } = await pull(owner);
    const { status, body } = await put(owner, video.id, {
      profile_id: owner.profileId,
      name: '  Showreel 2026 ',
      project_type: '2',
      month_year: null,
      director: 'Meera N.',
      voice_age: 'of another kind',
      position: 3,
    });
    expect(status).toBe(200);
    expect(body.data).toMatchObject({
      id: video.id,
      name: 'Showreel 2026',
      position: 3,
      version: 2,
      is_hidden: false,
      metadata: [
        { key: 'project_type', value: 'Movie' },
        { key: 'role', value: 'Kamala' },
        { key: 'director', value: 'Meera N.' },
      ],
    });
    expect(await get(`GET /media/video?profile_id=${owner.profileId}`)).toEqual([body.data]);
    expect((await pull(owner, cursor)).records).toEqual([
      { type: 'media', id: video.id, parent: owner.profileId, body: body.data },
    ]);
    const back = await put(owner, video.id, { position: null });
    expect(back.body.data).toEqual({ ...body.data, position: null, version: 3 });
  });

  test('answers 412 with the current record to an outdated version and changes nothing', async () => {
    const owner = await addPerformer();
    const photo = await addPhoto(testServer, owner, owner.profileId);
    expect((await put(owner, photo.id, { name: 'First' }, { 'if-match': '"1"' })).status).toBe(200);
    const { cursor } = await pull(owner);
    const late = await put(owner, photo.id, { name: 'Second' }, { 'if-match': '"1"' });
    expect([late.status, late.body.data.name, late.body.data.version]).toEqual([412, 'First', 2]);
    const gone = await testServer.call<Answer>(`DELETE /media/${photo.id}`, {
      token: owner.token,
      headers: { 'if-match': '"1"' },
    });
    expect([gone.status, gone.body.data.version]).toEqual([412, 2]);
    expect((await pull(owner, cursor)).records).toEqual([]);
  });

  test('is applied once when repeated under its key', async () => {
    const owner = await addPerformer();
    const photo = await addPhoto(testServer, owner, owner.profileId);
    const key = { 'idempotency-key': randomUUID() };
    const answers = [
      await put(owner, photo.id, { name: 'Once' }, key),
      await put(owner, photo.id, { name: 'Once' }, key),
    ];
    expect(answers.map(({ body }) => body.data.version)).toEqual([2, 2]);
    expect(answers[1]?.headers['idempotency-replayed']).toBe('true');
    expect((await put(owner, photo.id, { name: 'Twice' }, key)).status).toBe(422);
  });

  test('makes one item primary and unsets the previous one with a new version', async () => {
    const owner = await addPerformer();
    const [one, two] = [
      await addPhoto(testServer, owner, owner.profileId),
      await addPhoto(testServer, owner, owner.profileId),
    ];
    await put(owner, one.id, { is_primary: true });
    const { cursor } = await pull(owner);
    expect((await put(owner, two.id, { is_primary: true })).body.data).toMatchObject({ is_primary: true, version: 2 });
    const changes = (await pull(owner, cursor)).records.map(({ id, body }) => [
      id,
      body?.['is_primary'],
      body?.['version'],
    ]);
    expect(changes).toEqual([
      [one.id, false, 3],
      [two.id, true, 2],
    ]);
  });

  test('leaves exactly one primary item after concurrent requests', async () => {
    const owner = await addPerformer();
    const photos: Media[] = [];
    for (let n = 0; n < 3; n += 1) photos.push(await addPhoto(testServer, owner, owner.profileId));
    for (let round = 0; round < 5; round += 1) {
      const answers = await Promise.all(photos.map(({ id }) => put(owner, id, { is_primary: true })));
      expect(answers.map(({ status }) => status)).toEqual([200, 200, 200]);
      const listed = await get<Media[]>(`GET /media?profile_id=${owner.profileId}`, owner);
      expect(listed.filter((each) => each.is_primary)).toHaveLength(1);
    }
  });

  test('orders items by position, with those without one first and newest on top', async () => {
    const owner = await addPerformer();
    const names = ['one', 'two', 'three', 'four'];
    const ids: string[] = [];
    for (const name of names) ids.push((await link(owner, { name })).id);
    await put(owner, ids[3] ?? '', { position: 2 });
    await put(owner, ids[0] ?? '', { position: 1 });
    const listed = await get<Media[]>(`GET /media/video?profile_id=${owner.profileId}`, owner);
    expect(listed.map(({ name }) => name)).toEqual(['three', 'two', 'one', 'four']);
  });

  test('hides an item from everybody but its owner', async () => {
    const [owner, other] = [await addPerformer(), await addPerformer()];
    const photo = await addPhoto(testServer, owner, owner.profileId);
    await put(owner, photo.id, { is_hidden: true });
    const list = `GET /media?profile_id=${owner.profileId}`;
    expect(await get<Media[]>(list, owner)).toMatchObject([{ id: photo.id, is_hidden: true }]);
    expect(await get(list, other)).toEqual([]);
    expect(await get(list, owner, { 'x-view-as': 'member' })).toEqual([]);
    expect(await getStatus(`POST /media/${photo.id}/save`, other)).toBe(404);
    expect((await put(other, photo.id, { name: 'Mine' })).status).toBe(404);
    await put(owner, photo.id, { is_hidden: false });
    expect((await put(other, photo.id, { name: 'Mine' })).status).toBe(403);
  });

  test.each([
    [{ project_type: '99' }, ['project_type']],
    [{ name: null }, ['name']],
    [{ name: 'x'.repeat(151) }, ['name']],
    [{ name: 'a\0b' }, ['name']],
    [{ month_year: '1899-01' }, ['month_year']],
    [{ position: 1.5 }, ['position']],
    [{ position: 1e9 }, ['position']],
    [{ is_hidden: null }, ['is_hidden']],
  ])('rejects %j and changes nothing', async (body, fields) => {
    const owner = await addPerformer();
    const video = await link(owner);
    const answer = await put(owner, video.id, { director: 'Somebody', ...body });
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, fields]);
    expect(await get(`GET /media/video?profile_id=${owner.profileId}`)).toEqual([video]);
  });

  test('cannot move an item to another profile', async () => {
    const [owner, other] = [await addPerformer(), await addPerformer()];
    const photo = await addPhoto(testServer, owner, owner.profileId);
    const second = await addProfile(testServer, owner, 1);
    const to = async (profile_id: string) => put(owner, photo.id, { profile_id, name: 'Moved' });
    expect((await to(second.id)).body.errors).toEqual({ profile_id: ['This belongs to another of your profiles'] });
    expect((await to(other.profileId)).status).toBe(403);
    expect((await to('999999')).status).toBe(404);
  });
});
