import { describe, expect, test } from 'vitest';
import { addPhoto, addProfile, requestConnection, block, connect } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';
import { viewerCalls } from './support/viewers.ts';

const testServer = useTestServer();
const { change, get, addPerformer, pull, getStatus } = viewerCalls(testServer);

describe('connection', () => {
  test('is requested, shown to both people, accepted and ended', async () => {
    const [a, b] = [await addPerformer(), await addPerformer()];
    const [before, after] = [(await pull(a)).cursor, (await pull(b)).cursor];
    const requested = await testServer.call<{ data: Record<string, unknown> }>(`POST /connections/request/${b.id}`, {
      token: a.token,
      body: { message: '  We met at Prithvi  ' },
    });
    expect(requested.status).toBe(201);
    const { id } = requested.body.data as { id: string };
    expect(requested.body.data).toMatchObject({
      status: 'pending',
      sender: { id: a.id, name: a.name },
      receiver: { id: b.id, name: b.name },
      user_id: a.id,
      connected_user_id: b.id,
      name: b.name,
      title: 'Actor',
      message: 'We met at Prithvi',
      profile_type: { slug: 'actor-performer' },
    });
    const page = (person: { profileId: string }) => `GET /profile/details/${person.profileId}`;
    expect((await get(page(b), a)).connection).toEqual({ id, status: 'pending', direction: 'sent' });
    expect((await get(page(a), b)).connection).toEqual({ id, status: 'pending', direction: 'received' });
    expect(await get(`GET /contact/${b.profileId}`, a)).toHaveLength(1);
    expect((await pull(a, before)).records).toMatchObject([{ type: 'connection', id, body: { name: b.name } }]);
    expect((await pull(b, after)).records).toMatchObject([
      { type: 'notification', body: { type: 'connection.requested', data: { connection_id: id } } },
      { type: 'connection', id, body: { name: a.name } },
    ]);

    expect(await getStatus(`POST /connections/accept/${id}`, a)).toBe(403);
    expect(await getStatus(`POST /connections/decline/${id}`, a)).toBe(403);
    expect(await getStatus(`POST /connections/accept/${id}`, b)).toBe(200);
    expect(await getStatus(`POST /connections/accept/${id}`, b)).toBe(200);
    expect(await getStatus(`POST /connections/decline/${id}`, b)).toBe(422);
    expect((await get(page(b), a)).connection).toEqual({ id, status: 'accepted', direction: 'sent' });
    expect(await get(`GET /contact/${b.profileId}`, a)).toHaveLength(2);

    expect(await getStatus(`DELETE /connections/${id}`, b)).toBe(200);
    expect((await get(page(b), a)).connection).toBeNull();
    expect(await get(`GET /contact/${b.profileId}`, a)).toHaveLength(1);
    const gone = { type: 'connection', id, parent: null, body: null };
    for (const records of [(await pull(a, before)).records, (await pull(b, after)).records]) {
      expect(records.filter(({ type }) => type === 'connection')).toEqual([gone]);
      expect(records.filter(({ body }) => body !== null).map(({ type }) => type)).toEqual([]);
    }
    expect(await getStatus(`POST /connections/accept/${id}`, b)).toBe(404);
  });

  test('can be requested again after it was declined', async () => {
    const [a, b] = [await testServer.join(), await addPerformer()];
    const id = await requestConnection(testServer, a, b);
    expect(await getStatus(`POST /connections/decline/${id}`, b)).toBe(200);
    expect(await requestConnection(testServer, a, b)).not.toBe(id);
  });

  test('is created once for repeated requests with a key, a client id or neither', async () => {
    const [a, b, c] = [await testServer.join(), await addPerformer(), await addPerformer()];
    const client_id = crypto.randomUUID();
    const ask = (to: Person, headers = {}) =>
      testServer.call<{ data: { id: string; client_id: string } }>(`POST /connections/request/${to.id}`, {
        token: a.token,
        headers,
        body: { client_id },
      });
    const key = { 'idempotency-key': crypto.randomUUID() };
    const answers = [await ask(b, key), await ask(b, key), await ask(b)];
    expect(answers.map((each) => each.status)).toEqual([201, 201, 200]);
    expect(new Set(answers.map((each) => each.body.data.id)).size).toBe(1);
    expect(answers[2]?.body.data.client_id).toBe(client_id);
    const reused = await ask(c);
    expect([reused.status, Object.keys((reused.body as unknown as { errors: object }).errors)]).toEqual([
      422,
      ['client_id'],
    ]);
    const [received] = (await pull(b)).records.filter((record) => record.type === 'connection');
    expect(received?.body?.['client_id']).toBeNull();
  });

  test('is accepted when both people request it concurrently', async () => {
    for (let round = 0; round < 8; round += 1) {
      const [a, b] = [await addPerformer(), await addPerformer()];
      const ask = (from: Person, to: Person) =>
        testServer.call(`POST /connections/request/${to.id}`, { token: from.token });
      const answers = await Promise.all([ask(a, b), ask(b, a), ask(a, b)]);
      expect(answers.map((each) => each.status).sort()).toEqual([200, 200, 201]);
      const seen = await get(`GET /profile/details/${b.profileId}`, a);
      expect(seen.connection).toMatchObject({ status: 'accepted' });
      expect((await pull(a)).records.filter((record) => record.type === 'connection')).toHaveLength(1);
    }
  });

  test('ends in the same state for both people after concurrent accept, decline and withdrawal', async () => {
    const [a, b] = [await testServer.join(), await addPerformer()];
    const id = await requestConnection(testServer, a, b);
    const answers = await Promise.all([
      testServer.call(`POST /connections/accept/${id}`, { token: b.token }),
      testServer.call(`DELETE /connections/${id}`, { token: a.token }),
      testServer.call(`POST /connections/decline/${id}`, { token: b.token }),
    ]);
    for (const { status } of answers) expect([200, 404, 422]).toContain(status);
    for (const person of [a, b]) {
      expect((await pull(person)).records.filter((record) => record.type === 'connection')).toEqual([]);
    }
  });

  test.each([
    ['a message of 1,001 characters', { message: 'ä'.repeat(1001) }, ['message']],
    ['a message that is not text', { message: { text: 'hi' } }, ['message']],
    ['a message with NUL', { message: 'a\0b' }, ['message']],
    ['a client_id that is not a UUID', { client_id: '7' }, ['client_id']],
  ])('request rejects %s', async (_, body, fields) => {
    const [a, b] = [await testServer.join(), await addPerformer()];
    const answer = await testServer.call<{ errors: object }>(`POST /connections/request/${b.id}`, {
      token: a.token,
      body,
    });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, fields]);
  });

  test('cannot be requested with oneself, an unknown person or somebody without a profile', async () => {
    const [a, hidden] = [await testServer.join(), await testServer.join()];
    const ask = (id: string) => getStatus(`POST /connections/request/${id}`, a);
    expect([await ask(a.id), await ask(hidden.id), await ask('0'), await ask('x'), await ask('9'.repeat(30))]).toEqual([
      422, 404, 404, 404, 404,
    ]);
  });
});

describe('connection requests', () => {
  const limited = useTestServer({ env: { RATE_LIMIT_SCALE: '0.05' } });

  test('are limited per hour, without counting repeats', async () => {
    const joined = await limited.join();
    limited.clock.advance(8 * 24 * 60 * 60_000);
    const asker = await limited.signIn(joined);
    const people: Person[] = [];
    for (let n = 0; n < 4; n += 1) {
      people.push(await limited.join());
      await addProfile(limited, people[n] as Person);
    }
    const ask = async (n: number) =>
      (await limited.call(`POST /connections/request/${people[n]?.id}`, { token: asker.token })).status;
    expect([await ask(0), await ask(0), await ask(0), await ask(1), await ask(2), await ask(3)]).toEqual([
      201, 200, 200, 201, 201, 429,
    ]);
  });
});

describe('block', () => {
  test('ends the connection and hides each person from the other everywhere', async () => {
    const [a, b] = [await addPerformer(), await addPerformer()];
    const photo = await addPhoto(testServer, a, a.profileId);
    await connect(testServer, b, a);
    await testServer.call(`POST /profile/${a.profileId}/save`, { token: b.token });
    await testServer.call(`POST /profile/${b.profileId}/save`, { token: a.token });
    const cursor = (await pull(b)).cursor;
    await block(testServer, a, b);
    await block(testServer, a, b);
    for (const [viewer, other] of [
      [a, b],
      [b, a],
    ] as const) {
      const reads = [
        `GET /profile/details/${other.profileId}`,
        `GET /profiles/by-slug/${other.name.toLowerCase().replace(' ', '-')}/actor-performer`,
        `GET /profiles/shared/all/${other.id}`,
        `GET /contact/${other.profileId}`,
        `GET /profile/aboutme/${other.profileId}`,
        `GET /media?profile_id=${other.profileId}`,
        `POST /profile/${other.profileId}/save`,
        `POST /connections/request/${other.id}`,
        `DELETE /contact/${other.agentId}`,
      ];
      for (const read of reads) expect(await getStatus(read, viewer), read).toBe(404);
      const listed = await get<{ id: string }[]>('GET /profiles/all?limit=100', viewer);
      expect(listed.map((each) => each.id)).not.toContain(other.profileId);
      const remaining = (await pull(viewer)).records.filter((each) =>
        ['connection', 'saved_profile'].includes(each.type),
      );
      expect(remaining).toEqual([]);
    }
    expect(await getStatus(`GET ${photo.path}`, b)).toBe(404);
    const changes = (await pull(b, cursor)).records;
    expect(changes.map(({ type, body }) => [type, body]).sort()).toEqual([
      ['connection', null],
      ['conversation', null],
      ['notification', null],
      ['notification', null],
      ['saved_profile', null],
    ]);
    // The blocked person cannot see the other, and so can neither block them nor lift the block.
    expect(await getStatus(`POST /blocks/${a.id}`, b)).toBe(404);
    expect(await getStatus(`DELETE /blocks/${a.id}`, b)).toBe(404);
  });

  test('hides the feedback of the blocked person on the pages of others', async () => {
    const [page, author, reader] = [await addPerformer(), await addPerformer(), await testServer.join()];
    await connect(testServer, author, page);
    const body = { profile_id: page.profileId, feedback: 'Never missed a call.' };
    expect((await testServer.call('POST /feedback', { token: author.token, body })).status).toBe(201);
    const read = (person?: Person) => get<object[]>(`GET /feedback/${page.profileId}`, person);
    expect(await read(reader)).toHaveLength(1);
    await block(testServer, reader, author);
    expect(await read(reader)).toEqual([]);
    expect([(await read()).length, (await read(page)).length, (await read(author)).length]).toEqual([1, 1, 1]);
  });

  const listed = (person: Person) =>
    get<{ user_id: string; name: string; created_at: string }[]>('GET /blocks', person);

  test('is listed only for the person who made it, latest first', async () => {
    const [a, b, c] = [
      await addPerformer(),
      await addPerformer(await testServer.join('Bela Rane')),
      await addPerformer(await testServer.join('Chetan Rane')),
    ];
    expect(await listed(a)).toEqual([]);
    await block(testServer, a, b);
    testServer.clock.advance(1000);
    await block(testServer, a, c);
    expect(await listed(a)).toEqual([
      { user_id: c.id, name: 'Chetan Rane', created_at: expect.any(String) },
      { user_id: b.id, name: 'Bela Rane', created_at: expect.any(String) },
    ]);
    expect(await listed(b)).toEqual([]);
    expect(await getStatus(`DELETE /blocks/${c.id}`, a)).toBe(200);
    expect((await listed(a)).map((each) => each.name)).toEqual(['Bela Rane']);
  });

  test('tells no name of a person that the blocker could not know', async () => {
    const a = await addPerformer();
    const [hidden, connected] = [await testServer.join('Bela Rane'), await testServer.join('Chetan Rane')];
    const inactive = await addPerformer(await testServer.join('Dev Rane'));
    await testServer.call('PUT /profile/update', {
      token: inactive.token,
      body: { profile_id: inactive.profileId, status: 'inactive' },
    });
    await connect(testServer, connected, a);
    for (const person of [hidden, inactive, connected]) {
      await block(testServer, a, person);
      testServer.clock.advance(1000);
    }
    const none = 'Someone you can’t see';
    expect((await listed(a)).map(({ name }) => name)).toEqual(['Chetan Rane', none, none]);
    // A page that appears later does not tell who it was.
    await addProfile(testServer, hidden);
    expect((await listed(a)).map(({ name }) => name)).toEqual(['Chetan Rane', none, none]);
  });

  test('restores the view and nothing else when it is lifted', async () => {
    const [a, b] = [await addPerformer(), await addPerformer()];
    await connect(testServer, b, a);
    await block(testServer, a, b);
    expect(await getStatus(`DELETE /blocks/${b.id}`, a)).toBe(200);
    expect(await getStatus(`DELETE /blocks/${b.id}`, a)).toBe(404);
    expect(await get(`GET /profile/details/${a.profileId}`, b)).toMatchObject({ connection: null, is_saved: 0 });
  });

  test('leaves nobody connected when it coincides with a request', async () => {
    for (let round = 0; round < 5; round += 1) {
      const [a, b] = [await addPerformer(), await testServer.join()];
      await Promise.all([
        testServer.call(`POST /blocks/${b.id}`, { token: a.token }),
        testServer.call(`POST /connections/request/${a.id}`, { token: b.token }),
      ]);
      expect((await pull(a)).records.filter((each) => each.type === 'connection')).toEqual([]);
      expect(await getStatus(`GET /profile/details/${a.profileId}`, b)).toBe(404);
    }
  });
});

describe('saved profile', () => {
  const pullSaved = async (person: Person, cursor?: string) =>
    (await pull(person, cursor)).records.filter((each) => each.type === 'saved_profile');

  test('is synced once with the data of a list row until it is unsaved', async () => {
    const [a, b] = [await addPerformer(), await testServer.join()];
    const save = () => testServer.call(`POST /profile/${a.profileId}/save`, { token: b.token });
    const answers = await Promise.all([save(), save(), save()]);
    for (const { status, body } of answers) expect([status, body.is_saved]).toEqual([200, 1]);
    expect((await get(`GET /profile/details/${a.profileId}`, b)).is_saved).toBe(1);
    expect((await get(`GET /profile/details/${a.profileId}`, a)).is_saved).toBe(0);
    const saved = await pullSaved(b);
    expect(saved).toMatchObject([
      {
        id: a.profileId,
        parent: null,
        body: {
          id: a.profileId,
          profile_id: a.profileId,
          stage_name: a.name,
          title: 'Actor',
          location: null,
          profile_type: { slug: 'actor-performer' },
          slug: a.name.toLowerCase().replace(' ', '-'),
          profile_photo: null,
        },
      },
    ]);
    expect(Object.keys(saved[0]?.body ?? {})).not.toContain('per_day');
    const unsave = () => testServer.call(`POST /profile/${a.profileId}/unsave`, { token: b.token });
    expect((await unsave()).body).toMatchObject({ is_saved: 0 });
    expect((await unsave()).body).toMatchObject({ is_saved: 0 });
    expect(await pullSaved(b)).toEqual([]);
  });

  test('is synced again on changes and hidden while the profile is inactive', async () => {
    const [a, b] = [await addPerformer(), await testServer.join()];
    await testServer.call(`POST /profile/${a.profileId}/save`, { token: b.token });
    let { cursor } = await pull(b);
    const next = async () => {
      const page = await pull(b, cursor);
      cursor = page.cursor;
      return page.records.map((each) => each.body && each.body['title']);
    };
    await change(a, a.profileId, { title: 'Director' });
    expect(await next()).toEqual(['Director']);
    await change(a, a.profileId, { per_day: 20_000 });
    expect(await next()).toEqual([]);
    await change(a, a.profileId, { status: 'inactive' });
    expect(await next()).toEqual([null]);
    await change(a, a.profileId, { status: 'active' });
    expect(await next()).toEqual(['Director']);
    await change(a, a.profileId, { status: 'inactive' });
    expect(await getStatus(`POST /profile/${a.profileId}/unsave`, b)).toBe(200);
    expect(await getStatus(`POST /profile/${a.profileId}/unsave`, b)).toBe(404);
  });

  test('requires the XSRF token when the cookie is sent', async () => {
    const [a, b] = [await addPerformer(), await testServer.join()];
    const save = async (header: string) => {
      const headers = { cookie: 'XSRF-TOKEN=abc', 'x-xsrf-token': header };
      return (await testServer.call(`POST /profile/${a.profileId}/save`, { token: b.token, headers })).status;
    };
    expect([await save('abd'), await save('abc')]).toEqual([419, 200]);
  });
});
