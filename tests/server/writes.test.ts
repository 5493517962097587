import { randomUUID } from 'node:crypto';
import pg, { type QueryResult } from 'pg';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import type { Db } from '#server/platform/db/connect.ts';
import { conflict, type HttpError, invalid, unprocessable } from '#server/platform/http/errors.ts';
import { created, type RouteResponse } from '#server/platform/http/response.ts';
import { runWrite } from '#server/platform/http/write.ts';
import { addCredit, addProfile, CREDIT } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';

const testServer = useTestServer();

type Row = Record<string, unknown> & { id: string; version: number };

async function addPerformer(): Promise<Person & { profileId: string }> {
  const person = await testServer.join();
  return { ...person, profileId: (await addProfile(testServer, person)).id };
}

const credits = async (profileId: string) =>
  (await testServer.call<Row[]>(`GET /profile/experiences/${profileId}`)).body;

describe('Idempotency-Key', () => {
  test('replays the stored response to a repeat and changes nothing', async () => {
    const { token, profileId } = await addPerformer();
    const ask = { token, headers: { 'idempotency-key': randomUUID() }, body: { profile_id: profileId, ...CREDIT } };
    const first = await testServer.call<{ data: Row }>('POST /profile/experience', ask);
    const again = await testServer.call<{ data: Row }>('POST /profile/experience', ask);
    expect([first.status, again.status]).toEqual([201, 201]);
    expect(again.body).toEqual(first.body);
    expect(first.headers['idempotency-replayed']).toBeUndefined();
    expect(again.headers['idempotency-replayed']).toBe('true');
    expect(await credits(profileId)).toHaveLength(1);
  });

  test('replays the response to a repeated edit, whatever happened since', async () => {
    const { token, profileId, ...person } = await addPerformer();
    const { id } = await addCredit(testServer, { ...person, token }, profileId);
    const key = randomUUID();
    const change = () =>
      testServer.call<{ data: Row }>(`PUT /profile/experience/${id}`, {
        token,
        headers: { 'idempotency-key': key, 'if-match': '"1"' },
        body: { details: 'Chorus' },
      });
    const first = await change();
    await testServer.call(`PUT /profile/experience/${id}`, { token, body: { details: 'Lead' } });
    expect((await change()).body).toEqual(first.body);
    expect((await credits(profileId))[0]).toMatchObject({ details: 'Lead', version: 3 });
    await testServer.call(`DELETE /profile/experience/${id}`, { token });
    expect((await change()).body).toEqual(first.body);
    expect(await credits(profileId)).toEqual([]);
  });

  test('answers 200 to a repeated delete', async () => {
    const { profileId, ...person } = await addPerformer();
    const { id } = await addCredit(testServer, person, profileId);
    const ask = { token: person.token, headers: { 'idempotency-key': randomUUID() } };
    expect((await testServer.call(`DELETE /profile/experience/${id}`, ask)).status).toBe(200);
    expect((await testServer.call(`DELETE /profile/experience/${id}`, ask)).status).toBe(200);
    expect((await testServer.call(`DELETE /profile/experience/${id}`, { token: person.token })).status).toBe(404);
  });

  test.each([
    ['another body', { path: '/skills', body: { name: 'Mime', level: 2 } }],
    ['another path', { path: '/profile/experience', body: CREDIT }],
  ])('rejects the same key with %s', async (_, other) => {
    const { token, profileId } = await addPerformer();
    const headers = { 'idempotency-key': randomUUID() };
    await testServer.call('POST /skills', { token, headers, body: { profile_id: profileId, name: 'Mime', level: 1 } });
    const answer = await testServer.call(`POST ${other.path}`, {
      token,
      headers,
      body: { profile_id: profileId, ...other.body },
    });
    expect(answer.status).toBe(422);
    expect(answer.body).toEqual({ message: expect.any(String) });
  });

  test('answers what a repeat was told if that one came before the refusal was stored', async () => {
    const { db } = testServer.database;
    const { id } = await testServer.join();
    const request = { userId: Number(id), key: randomUUID(), fingerprint: 'the same' };
    const write = (on: Db, work: () => Promise<RouteResponse>) => runWrite(on, () => new Date(), request, work);
    const accept = () => Promise.resolve(created({ message: 'Accepted' }));
    const refuse = () => Promise.reject(conflict('In the way'));
    let opened = 0;
    const raced = new Proxy(db, {
      get: (target, name: keyof Db) =>
        name !== 'transaction'
          ? target[name]
          : async (...given: Parameters<Db['transaction']>) => {
              opened += 1;
              if (opened === 2) await write(db, accept);
              return db.transaction(...given);
            },
    });
    expect(await write(raced, refuse)).toMatchObject({ status: 201, body: { message: 'Accepted' } });
    expect(await write(db, refuse)).toMatchObject({ status: 201 });
  });

  test('replays a refusal that was made under a limit which has ended, but not one that asks for the bytes again', async () => {
    const { db } = testServer.database;
    const { id } = await testServer.join();
    const attempt = async (refused: HttpError) => {
      const request = { userId: Number(id), key: randomUUID(), fingerprint: 'the same' };
      await expect(
        runWrite(
          db,
          () => new Date(),
          request,
          () => Promise.reject(refused),
        ),
      ).rejects.toBe(refused);
      return (
        await runWrite(
          db,
          () => new Date(),
          request,
          () => Promise.resolve(created({ message: 'Done' })),
        )
      ).status;
    };
    expect(await attempt(unprocessable('Up to 20 links'))).toBe(422);
    expect(await attempt(invalid({ upload_ids: ['This upload has expired. Add the file again'] }))).toBe(201);
  });

  test('lets a repeat through once the same request is no longer in progress', async () => {
    const { db } = testServer.database;
    const { id } = await testServer.join();
    const request = { userId: Number(id), key: randomUUID(), fingerprint: 'the same' };
    const write = (work: () => Promise<RouteResponse>) => runWrite(db, () => new Date(), request, work);
    await expect(write(() => Promise.reject(conflict('Still busy', 1)))).rejects.toThrow('Still busy');
    expect(await write(() => Promise.resolve(created({ message: 'Accepted' })))).toMatchObject({ status: 201 });
  });

  test('does not store a rejection that a repeat would meet again: the key can be used for something else', async () => {
    const { token } = await testServer.join();
    const other = await addPerformer();
    const types = await testServer.call<Row[]>('GET /profile_types');
    const make = () =>
      testServer.call('POST /profile', {
        token,
        headers: { 'idempotency-key': '5d0c9f58-7fb2-4a49-a2f0-3d7b7b3f4d11' },
        body: { profile_type_id: types.body[0]?.id, stage_name: 'Ila' },
      });
    const refused = await testServer.call('POST /skills', {
      token,
      headers: { 'idempotency-key': '5d0c9f58-7fb2-4a49-a2f0-3d7b7b3f4d11' },
      body: { profile_id: other.profileId, name: 'Mime', level: 1 },
    });
    expect(refused.status).toBe(403);
    expect((await make()).status).toBe(201);
  });

  test('accepts the same key from two people', async () => {
    const [one, two] = [await addPerformer(), await addPerformer()];
    const key = randomUUID();
    for (const { token, profileId } of [one, two]) {
      const answer = await testServer.call('POST /skills', {
        token,
        headers: { 'idempotency-key': key },
        body: { profile_id: profileId, name: 'Mime', level: 1 },
      });
      expect(answer.status).toBe(201);
      expect(answer.headers['idempotency-replayed']).toBeUndefined();
    }
  });

  test('rejects a key that is not a UUID with the header name', async () => {
    const { token, profileId } = await addPerformer();
    const answer = await testServer.call('POST /skills', {
      token,
      headers: { 'idempotency-key': 'again' },
      body: { profile_id: profileId, name: 'Mime', level: 1 },
    });
    expect(answer.status).toBe(422);
    expect(answer.body.errors).toHaveProperty('Idempotency-Key');
  });

  test('answers 409 to a duplicate while the first request is in progress', async () => {
    const { id: userId, token, profileId } = await addPerformer();
    const key = randomUUID();
    const ask = { token, headers: { 'idempotency-key': key }, body: { profile_id: profileId, ...CREDIT } };
    // Simulates another node that processes this key: an open transaction holds the same lock.
    const holder = await testServer.database.pool.connect();
    await holder.query('begin');
    await holder.query('select pg_advisory_xact_lock(hashtextextended($1, 0))', [`${userId} ${key}`]);
    const during = await testServer.call('POST /profile/experience', ask);
    await holder.query('rollback');
    holder.release();
    expect(during.status).toBe(409);
    expect(Number(during.headers['retry-after'])).toBeGreaterThan(0);
    expect((await testServer.call('POST /profile/experience', ask)).status).toBe(201);
  });

  test('applies one of twenty concurrent duplicates and replays its response later', async () => {
    const { token, profileId } = await addPerformer();
    const ask = { token, headers: { 'idempotency-key': randomUUID() }, body: { profile_id: profileId, ...CREDIT } };
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => testServer.call<{ data: Row }>('POST /profile/experience', ask)),
    );
    expect(new Set(answers.map((answer) => answer.status))).toEqual(
      new Set(answers.some((answer) => answer.status === 409) ? [201, 409] : [201]),
    );
    expect(answers.filter((answer) => answer.status === 201 && !answer.headers['idempotency-replayed'])).toHaveLength(
      1,
    );
    expect(await credits(profileId)).toHaveLength(1);
    expect((await testServer.call('POST /profile/experience', ask)).headers['idempotency-replayed']).toBe('true');
  });
});

describe('version and If-Match', () => {
  test('answers 412 with the current row to a write for an older version', async () => {
    const { profileId, ...person } = await addPerformer();
    const { token } = person;
    const { id } = await addCredit(testServer, person, profileId);
    const change = (version: string, details: string) =>
      testServer.call<{ data: Row }>(`PUT /profile/experience/${id}`, {
        token,
        headers: { 'if-match': version },
        body: { details },
      });
    expect((await change('"1"', 'Lead')).body.data).toMatchObject({ details: 'Lead', version: 2 });
    const late = await change('"1"', 'Chorus');
    expect(late.status).toBe(412);
    expect(late.body).toMatchObject({ message: expect.any(String), data: { id, details: 'Lead', version: 2 } });
    expect((await change('"seven"', 'Chorus')).status).toBe(412);
    expect((await change('*', 'Dancer')).status).toBe(200);
    const remove = await testServer.call(`DELETE /profile/experience/${id}`, { token, headers: { 'if-match': '"2"' } });
    expect(remove.status).toBe(412);
    expect(await credits(profileId)).toHaveLength(1);
  });

  test('shares one version between About me and its profile and returns both on a conflict', async () => {
    const { token, profileId } = await addPerformer();
    const change = (version: number, body: object) =>
      testServer.call<{ data: Row }>('PUT /profile/update', {
        token,
        headers: { 'if-match': `"${version}"` },
        body: { profile_id: profileId, ...body },
      });
    expect((await change(1, { description: 'First words' })).status).toBe(200);
    const late = await change(1, { title: 'Actor' });
    expect(late.status).toBe(412);
    expect(late.body.data).toMatchObject({ id: profileId, version: 2, title: null, description: 'First words' });
  });

  test('applies one of two concurrent writes for the same version', async () => {
    const { profileId, ...person } = await addPerformer();
    const { id } = await addCredit(testServer, person, profileId);
    const answers = await Promise.all(
      ['Lead', 'Chorus', 'Dancer'].map((details) =>
        testServer.call(`PUT /profile/experience/${id}`, {
          token: person.token,
          headers: { 'if-match': '"1"' },
          body: { details },
        }),
      ),
    );
    expect(answers.map((answer) => answer.status).sort()).toEqual([200, 412, 412]);
  });
});

describe('client_id', () => {
  test('returns the existing row with 200 for a repeated create', async () => {
    const { token, profileId } = await addPerformer();
    const client_id = randomUUID();
    const make = (details: string) =>
      testServer.call<{ data: Row }>('POST /profile/experience', {
        token,
        headers: { 'idempotency-key': randomUUID() },
        body: { profile_id: profileId, client_id, ...CREDIT, details },
      });
    const first = await make('Lead');
    const again = await make('Chorus');
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body.data).toEqual(first.body.data);
    expect(first.body.data.client_id).toBe(client_id);
    expect((await credits(profileId)).map((row) => row.client_id)).toEqual([client_id]);
  });

  test('creates one row for concurrent requests', async () => {
    const { token, profileId } = await addPerformer();
    const body = { profile_id: profileId, client_id: randomUUID(), ...CREDIT };
    const answers = await Promise.all(
      Array.from({ length: 8 }, () => testServer.call<{ data: Row }>('POST /profile/experience', { token, body })),
    );
    expect(answers.filter((answer) => answer.status === 201)).toHaveLength(1);
    expect(answers.filter((answer) => answer.status === 200)).toHaveLength(7);
    expect(new Set(answers.map((answer) => answer.body.data.id)).size).toBe(1);
  });

  test('creates the row again that another request deletes at that moment', async () => {
    const { token, profileId } = await addPerformer();
    const body = { profile_id: profileId, client_id: randomUUID(), ...CREDIT };
    const make = () => testServer.call<{ data: Row }>('POST /profile/experience', { token, body });
    const { id } = (await make()).body.data;
    const query = pg.Client.prototype.query as (...args: unknown[]) => Promise<QueryResult>;
    const spy = vi.spyOn(pg.Client.prototype, 'query');
    onTestFinished(() => spy.mockRestore());
    spy.mockImplementation(async function (this: pg.Client, ...args: unknown[]) {
      const result = await query.apply(this, args);
      if ((args[0] as { name?: string }).name !== 'insert section row') return result;
      spy.mockRestore();
      expect(result.rowCount).toBe(0);
      expect((await testServer.call(`DELETE /profile/experience/${id}`, { token })).status).toBe(200);
      return result;
    } as never);
    const again = await make();
    expect(again.status).toBe(201);
    expect((await credits(profileId)).map((row) => row.id)).toEqual([again.body.data.id]);
  });

  test('is scoped to the person and the record type', async () => {
    const [one, two] = [await addPerformer(), await addPerformer()];
    const client_id = randomUUID();
    for (const { token, profileId } of [one, two]) {
      const credit = { profile_id: profileId, client_id, ...CREDIT };
      expect((await testServer.call('POST /profile/experience', { token, body: credit })).status).toBe(201);
      const skill = { profile_id: profileId, client_id, name: 'Mime', level: 1 };
      expect((await testServer.call('POST /skills', { token, body: skill })).status).toBe(201);
    }
  });

  test('creates a profile once', async () => {
    const { token } = await testServer.join();
    const types = await testServer.call<Row[]>('GET /profile_types');
    const body = { profile_type_id: types.body[0]?.id, stage_name: 'Ila', client_id: randomUUID() };
    const first = await testServer.call<{ data: Row }>('POST /profile', { token, body });
    const again = await testServer.call<{ data: Row }>('POST /profile', { token, body });
    expect([first.status, again.status]).toEqual([201, 200]);
    expect(again.body.data.id).toBe(first.body.data.id);
    const second = await testServer.call('POST /profile', { token, body: { ...body, client_id: randomUUID() } });
    expect(second.body.errors).toEqual({ profile_type_id: [expect.any(String)] });
  });
});

describe('ETag', () => {
  test('answers 304 to a matching ETag and changes the ETag after an edit', async () => {
    const { profileId, ...person } = await addPerformer();
    const path = `GET /profile/experiences/${profileId}`;
    const first = await testServer.call(path);
    const etag = first.headers.etag ?? '';
    expect(etag).toMatch(/^".+"$/);
    const same = await testServer.call(path, { headers: { 'if-none-match': etag } });
    expect([same.status, same.text]).toEqual([304, '']);
    expect(same.headers.etag).toBe(etag);
    expect((await testServer.call(path, { headers: { 'if-none-match': `"x", W/${etag}` } })).status).toBe(304);
    await addCredit(testServer, person, profileId);
    const after = await testServer.call(path, { headers: { 'if-none-match': etag } });
    expect(after.status).toBe(200);
    expect(after.headers.etag).not.toBe(etag);
  });

  test('varies by viewer', async () => {
    const { token, profileId } = await addPerformer();
    await testServer.call('PUT /profile/update', { token, body: { profile_id: profileId, dob: '1994-08-17' } });
    const path = `GET /profile/details/${profileId}`;
    const own = await testServer.call(path, { token });
    const visitor = await testServer.call(path);
    expect(own.headers.etag).not.toBe(visitor.headers.etag);
    expect(own.headers['cache-control']).toBe('private, no-cache');
    expect(own.headers.vary).toBe('Accept, X-Requested-With, Authorization, X-View-As, Accept-Encoding');
  });
});

describe('partial writes', () => {
  test('keep omitted fields, clear optional ones with null and reject clearing a required one', async () => {
    const { profileId, ...person } = await addPerformer();
    const { token } = person;
    const { id } = await addCredit(testServer, person, profileId, {
      link: 'https://example.org/a',
      production_details: 'X',
    });
    const change = (body: object) => testServer.call<{ data: Row }>(`PUT /profile/experience/${id}`, { token, body });
    expect((await change({ details: 'Lead' })).body.data).toMatchObject({
      link: 'https://example.org/a',
      details: 'Lead',
    });
    expect((await change({ link: '' })).body.data).toMatchObject({ link: null, production_details: 'X' });
    expect((await change({ production_details: null })).body.data).toMatchObject({ production_details: null });
    expect((await change({ details: null })).status).toBe(422);
  });

  test('check rules across fields against the stored row', async () => {
    const { profileId, ...person } = await addPerformer();
    const { id } = await addCredit(testServer, person, profileId);
    const answer = await testServer.call(`PUT /profile/experience/${id}`, {
      token: person.token,
      body: { start_year: 2025 },
    });
    expect(answer.body.errors).toEqual({ end_year: [expect.any(String)] });
    const ages = await testServer.call('PUT /profile/update', {
      token: person.token,
      body: { min_age_range: 20, max_age_range: 30 },
    });
    expect(ages.status).toBe(200);
    const low = await testServer.call('PUT /profile/update', { token: person.token, body: { min_age_range: 31 } });
    expect(low.body.errors).toEqual({ min_age_range: [expect.any(String)] });
  });

  test('apply to the oldest profile without a profile_id', async () => {
    const person = await testServer.join();
    const first = await addProfile(testServer, person, 2);
    testServer.clock.advance(1000);
    await addProfile(testServer, person, 0);
    const answer = await testServer.call<{ data: Row }>('PUT /profile/update', {
      token: person.token,
      body: { status: 'inactive' },
    });
    expect(answer.body.data).toMatchObject({ id: first.id, status: 'inactive' });
  });

  test('cannot move a row to another profile', async () => {
    const { profileId, ...person } = await addPerformer();
    const second = await addProfile(testServer, person, 1);
    const { id } = await addCredit(testServer, person, profileId);
    const answer = await testServer.call(`PUT /profile/experience/${id}`, {
      token: person.token,
      body: { profile_id: second.id, details: 'Lead' },
    });
    expect(answer.body.errors).toEqual({ profile_id: [expect.any(String)] });
  });
});
