import { describe, expect, test } from 'vitest';
import { MEDIA_LISTS } from '#contract/media-types.ts';
import { pathOf } from '#contract/path.ts';
import type { ProfilePage } from '#contract/records/page.ts';
import { sectionOf, sectionsOf } from '#contract/sections/index.ts';
import { addCredit, addPhoto, addSkill, connect } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';
import { viewerCalls, type ViewedProfile } from './support/viewers.ts';

const testServer = useTestServer({ appFiles: { 'index.html': '<!doctype html><title>Callboard</title>' } });
const { change, get, addPerformer, pull, getStatus } = viewerCalls(testServer);

describe('profile visibility', () => {
  test('limits date of birth, day rate and contacts by the kind of viewer', async () => {
    const owner = await addPerformer();
    const [member, friend] = [await testServer.join(), await testServer.join()];
    await connect(testServer, friend, owner);
    const page = `GET /profile/details/${owner.profileId}`;
    const bySlug = `GET /profiles/by-slug/${owner.name.toLowerCase().replace(' ', '-')}/actor-performer`;
    const contacts = async (person?: Person) =>
      (await get<{ contact_type: string }[]>(`GET /contact/${owner.profileId}`, person))
        .map((row) => row.contact_type)
        .sort();
    const expected = [
      { viewer: undefined, dob: null, per_day: null, contactTypes: ['representative'] },
      { viewer: member, dob: null, per_day: 18_000, contactTypes: ['representative'] },
      { viewer: friend, dob: null, per_day: 18_000, contactTypes: ['basic', 'representative'] },
      { viewer: owner, dob: '1994-08-17', per_day: 18_000, contactTypes: ['basic', 'representative'] },
    ];
    for (const { viewer, dob, per_day, contactTypes } of expected) {
      expect(await get(page, viewer)).toMatchObject({ dob, per_day });
      expect(await get(bySlug, viewer)).toMatchObject({ dob, per_day });
      expect(await contacts(viewer)).toEqual(contactTypes);
    }
    const listed = await get<(ViewedProfile & { id: string })[]>('GET /profiles/all', member);
    expect(listed.find((each) => each.id === owner.profileId)).toMatchObject({ dob: null, per_day: 18_000 });
  });

  test('returns in one page response what its parts return, for each kind of viewer', async () => {
    const owner = await addPerformer();
    const [member, friend] = [await testServer.join(), await testServer.join()];
    await connect(testServer, friend, owner);
    for (const year of [2019, 2024, 2021]) {
      await addCredit(testServer, owner, owner.profileId, { start_year: year, end_year: year });
    }
    await addSkill(testServer, owner, owner.profileId);
    await addPhoto(testServer, owner, owner.profileId);
    await addPhoto(testServer, owner, owner.profileId, 'In the rain');
    const { endpoints, example } = sectionOf('feedback')!;
    const words = { ...example, profile_id: owner.profileId };
    const { status } = await testServer.call(`POST ${endpoints.create!.path}`, { token: friend.token, body: words });
    expect(status).toBe(201);
    const slug = owner.name.toLowerCase().replace(' ', '-');
    for (const viewer of [undefined, member, friend, owner]) {
      const { profile, others, rows } = await get<ProfilePage>(`GET /profiles/page/${slug}/actor-performer`, viewer);
      expect(profile).toEqual(await get(`GET /profile/details/${owner.profileId}`, viewer));
      expect(others).toEqual(await get(`GET /profiles/shared/all/${owner.id}`, viewer));
      const sections = sectionsOf('actor-performer');
      expect(Object.keys(rows).sort()).toEqual(['media', ...sections.map(({ key }) => key)].sort());
      for (const { key, cardinality, endpoints } of sections) {
        const listed = await get<never>(`GET ${pathOf(endpoints.list, { profileId: owner.profileId })}`, viewer);
        expect(rows[key], key).toEqual(
          cardinality === 'one' ? [{ ...(listed as object), id: owner.profileId }] : listed,
        );
      }
      const files: unknown[] = [];
      for (const { list } of MEDIA_LISTS) {
        files.push(...(await get<unknown[]>(`GET ${list.path}?profile_id=${owner.profileId}`, viewer)));
      }
      expect(rows.media).toEqual(files);
      expect([rows.experience!.length, rows.feedback!.length, files.length]).toEqual([3, 1, 2]);
    }
  });

  test('hides the existence of a private contact from people who may not see it, even in writes', async () => {
    const owner = await addPerformer();
    const [member, friend] = [await testServer.join(), await testServer.join()];
    await connect(testServer, friend, owner);
    const write = (id: string, person: Person) => getStatus(`DELETE /contact/${id}`, person);
    expect([await write(owner.basicId, member), await write(owner.agentId, member)]).toEqual([404, 403]);
    expect([await write(owner.basicId, friend), await write(owner.agentId, friend)]).toEqual([403, 403]);
  });

  test('varies the ETag by what the viewer may see', async () => {
    const owner = await addPerformer();
    const member = await testServer.join();
    const page = `GET /profile/details/${owner.profileId}`;
    const stranger = await testServer.call(page);
    const known = { 'if-none-match': String(stranger.headers.etag) };
    expect((await testServer.call(page, { headers: known })).status).toBe(304);
    expect((await testServer.call(page, { headers: known, token: member.token })).status).toBe(200);
    expect(stranger.headers.vary).toBe('Accept, X-Requested-With, Authorization, X-View-As, Accept-Encoding');
  });
});

describe('preview of a profile by its owner', () => {
  const as = (viewer: string) => ({ 'x-view-as': viewer });

  test('returns what the other viewers get', async () => {
    const owner = await addPerformer();
    const photo = await addPhoto(testServer, owner, owner.profileId);
    const [member, friend] = [await testServer.join(), await testServer.join()];
    await connect(testServer, friend, owner);
    const viewers = { stranger: undefined, member, connection: friend };
    const reads = [
      `GET /profile/details/${owner.profileId}`,
      `GET /profiles/shared/all/${owner.id}`,
      `GET /contact/${owner.profileId}`,
      `GET /media?profile_id=${owner.profileId}`,
    ];
    for (const [viewer, person] of Object.entries(viewers)) {
      for (const read of reads) {
        const shown = await get<object>(read, owner, as(viewer));
        const real = await get<object>(read, person);
        // The connection state belongs to the viewer, not to the page.
        if ('connection' in real) Object.assign(real, { connection: null });
        expect(shown, `${viewer}: ${read}`).toEqual(real);
      }
      expect(await getStatus(`GET ${photo.path}`, owner)).toBe(200);
    }
  });

  test('answers 404 for an inactive profile', async () => {
    const owner = await addPerformer();
    const photo = await addPhoto(testServer, owner, owner.profileId);
    await change(owner, owner.profileId, { status: 'inactive' });
    const reads = [
      `GET /profile/details/${owner.profileId}`,
      `GET /contact/${owner.profileId}`,
      `GET /profile/aboutme/${owner.profileId}`,
      `GET /media?profile_id=${owner.profileId}`,
      `GET ${photo.path}`,
    ];
    for (const read of reads) {
      for (const viewer of ['stranger', 'member', 'connection']) {
        expect((await testServer.call(read, { token: owner.token, headers: as(viewer) })).status, read).toBe(404);
      }
      expect(await getStatus(read, owner)).toBe(200);
    }
    expect(await get(`GET /profiles/shared/all/${owner.id}`, owner, as('member'))).toEqual([]);
  });

  test('affects only the owner and accepts three values', async () => {
    const owner = await addPerformer();
    const member = await testServer.join();
    const page = `GET /profile/details/${owner.profileId}`;
    expect(await get(page, member, as('connection'))).toEqual(await get(page, member));
    expect(await get(`GET /contact/${owner.profileId}`, member, as('connection'))).toHaveLength(1);
    expect(await get(page, undefined, as('member'))).toMatchObject({ per_day: null });
    for (const invalid of ['owner', '', 'Member', 'blocked', 'stranger, member']) {
      const answer = await testServer.call<{ errors: object }>(page, { token: owner.token, headers: as(invalid) });
      expect([answer.status, Object.keys(answer.body.errors)], invalid).toEqual([422, ['X-View-As']]);
    }
    // The header does not affect writes.
    const write = { token: owner.token, headers: as('stranger'), body: { profile_id: owner.profileId, title: 'X' } };
    expect((await testServer.call('PUT /profile/update', write)).status).toBe(200);
  });
});

test('hides an inactive profile everywhere immediately and shows it again on reactivation', async () => {
  const owner = await addPerformer();
  const [friend, member] = [await testServer.join(), await testServer.join()];
  await connect(testServer, friend, owner);
  const credit = await addCredit(testServer, owner, owner.profileId);
  const photo = await addPhoto(testServer, owner, owner.profileId);
  await testServer.call(`POST /profile/${owner.profileId}/save`, { token: friend.token });
  const slug = owner.name.toLowerCase().replace(' ', '-');
  const openapi = await get<{ paths: Record<string, { get?: object }> }>('GET /openapi.json');
  const sections = Object.keys(openapi.paths)
    .filter((each) => each.includes('{profileId}') && openapi.paths[each]?.get)
    .map((each) => `GET ${each.replace('{profileId}', owner.profileId)}`);
  expect(sections.length).toBeGreaterThan(10);
  const reads = [
    `GET /profile/details/${owner.profileId}`,
    `GET /profiles/by-slug/${slug}/actor-performer`,
    `GET /profiles/page/${slug}/actor-performer`,
    `GET /media?profile_id=${owner.profileId}`,
    `GET ${photo.path}`,
    `GET ${photo.thumb_path}`,
    ...sections,
  ];
  const getTraces = async (viewer?: Person) => ({
    reads: new Set(await Promise.all(reads.map((read) => getStatus(read, viewer)))),
    shared: (await get<object[]>(`GET /profiles/shared/all/${owner.id}`, viewer)).length,
    listed: viewer
      ? (await get<{ id: string }[]>('GET /profiles/all?limit=100', viewer)).some((each) => each.id === owner.profileId)
      : null,
    saved: viewer
      ? (await pull(viewer)).records.some((each) => each.type === 'saved_profile' && each.body !== null)
      : null,
    titles: viewer
      ? (await pull(viewer)).records.filter((each) => each.type === 'connection').map((each) => each.body?.['title'])
      : null,
    tags: (
      await testServer.app.inject({ url: `/profile/${slug}/actor-performer`, headers: { accept: 'text/html' } })
    ).body.includes('og:title'),
    edits: viewer ? await getStatus(`DELETE /profile/experience/${credit.id}`, viewer) : null,
  });
  const visible = [
    { reads: new Set([200]), shared: 1, listed: null, saved: null, titles: null, tags: true, edits: null },
    { reads: new Set([200]), shared: 1, listed: true, saved: false, titles: [], tags: true, edits: 403 },
    { reads: new Set([200]), shared: 1, listed: true, saved: true, titles: ['Actor'], tags: true, edits: 403 },
  ];
  const gone = [
    { reads: new Set([404]), shared: 0, listed: null, saved: null, titles: null, tags: false, edits: null },
    { reads: new Set([404]), shared: 0, listed: false, saved: false, titles: [], tags: false, edits: 404 },
    { reads: new Set([404]), shared: 0, listed: false, saved: false, titles: [null], tags: false, edits: 404 },
  ];
  const seen = async () => [await getTraces(), await getTraces(member), await getTraces(friend)];
  expect(await seen()).toEqual(visible);
  await change(owner, owner.profileId, { status: 'inactive' });
  expect(await seen()).toEqual(gone);
  expect(await Promise.all(reads.map((read) => getStatus(read, owner)))).toEqual(reads.map(() => 200));
  await change(owner, owner.profileId, { status: 'active' });
  expect(await seen()).toEqual(visible);
});
