import { describe, expect, test } from 'vitest';
import type { IndustryFilter } from '#contract/records/lookups.ts';
import type { Connection } from '#contract/records/people.ts';
import { listReportsSince } from '#server/features/people/reports.ts';
import { addProfile, requestConnection, block, connect } from './support/people.ts';
import { watchLiveEvents } from './support/live-events.ts';
import { openTestServer, useTestServer, type Person } from './support/test-server.ts';
import { viewerCalls } from './support/viewers.ts';

const testServer = useTestServer();
const { change, get, addPerformer, pull, getStatus } = viewerCalls(testServer);

const getListed = async (person: Person) => {
  const names = async (path: string) =>
    (await get<Connection[]>(`GET /connections/${path}`, person)).map(({ name }) => name);
  return {
    received: await names('requests/received'),
    sent: await names('requests/sent'),
    accepted: await names('accepted'),
  };
};
/** Computes the same lists from the sync feed. */
const getSynced = async (person: Person) => {
  const { records } = await pull(person);
  const connections = records
    .filter((each) => each.type === 'connection')
    .map((each) => each.body as unknown as Connection);
  const names = (which: (connection: Connection) => boolean) => connections.filter(which).map(({ name }) => name);
  return {
    received: names((each) => each.status === 'pending' && each.connected_user_id === person.id),
    sent: names((each) => each.status === 'pending' && each.user_id === person.id),
    accepted: names((each) => each.status === 'accepted'),
  };
};
const EMPTY = { received: [], sent: [], accepted: [] };

describe('connection lists', () => {
  test('are correct for both people after every step between them', async () => {
    const [a, b] = [await addPerformer(), await addPerformer()];
    const expectLists = async (ofA: object, ofB: object, step: string) => {
      for (const read of [getListed, getSynced]) {
        expect(await read(a), step).toEqual({ ...EMPTY, ...ofA });
        expect(await read(b), step).toEqual({ ...EMPTY, ...ofB });
      }
    };
    const ask = async () => requestConnection(testServer, a, b);
    await expectLists({}, {}, 'at first');
    let id = await ask();
    await expectLists({ sent: [b.name] }, { received: [a.name] }, 'asked');
    await getStatus(`DELETE /connections/${id}`, a);
    await expectLists({}, {}, 'taken back');
    id = await ask();
    await getStatus(`POST /connections/decline/${id}`, b);
    await expectLists({}, {}, 'declined');
    id = await ask();
    await getStatus(`POST /connections/accept/${id}`, b);
    await expectLists({ accepted: [b.name] }, { accepted: [a.name] }, 'accepted');
    await getStatus(`DELETE /connections/${id}`, b);
    await expectLists({}, {}, 'ended');
    await ask();
    await getStatus(`POST /connections/request/${a.id}`, b);
    await expectLists({ accepted: [b.name] }, { accepted: [a.name] }, 'asked by both');
    await block(testServer, a, b);
    await expectLists({}, {}, 'blocked');
    await getStatus(`DELETE /blocks/${b.id}`, a);
    await expectLists({}, {}, 'no longer blocked');
    await ask();
    await expectLists({ sent: [b.name] }, { received: [a.name] }, 'asked again');
    await testServer.call('DELETE /account', { token: b.token, body: { password: b.password } });
    expect(await getListed(a)).toEqual(EMPTY);
    expect(await getSynced(a)).toEqual(EMPTY);
  });

  test('return the other person with industries and conversation, latest first', async () => {
    const [a, b, c] = [await addPerformer(), await addPerformer(), await addPerformer()];
    const industries = await get<IndustryFilter[]>('GET /filters/industry');
    const [film, theatre] = [industries[0]!.id, industries[3]!.id];
    await change(b, b.profileId, { profile_industry_id: film });
    const second = await addProfile(testServer, b, 1);
    await change(b, second.id, { profile_industry_id: theatre });
    const third = await addProfile(testServer, b, 2);
    await change(b, third.id, { profile_industry_id: industries[5]!.id, status: 'inactive' });
    const first = await connect(testServer, a, b);
    testServer.clock.advance(1000);
    await connect(testServer, c, a);
    const [newest, oldest] = await get<Connection[]>('GET /connections/accepted', a);
    expect(newest).toMatchObject({ name: c.name, sender: { id: c.id }, industry_ids: [] });
    expect(oldest).toMatchObject({
      id: first,
      status: 'accepted',
      user_id: a.id,
      connected_user_id: b.id,
      title: 'Actor',
      profile_type: { slug: 'actor-performer' },
      industry_ids: [film, theatre],
    });
    const [conversation] = await get<{ conversation_id: string }[]>('GET /conversations', b);
    expect(oldest?.conversation_id).toBe(conversation?.conversation_id);
    const { cursor } = await pull(a);
    await change(b, second.id, { profile_industry_id: null });
    const changes = (await pull(a, cursor)).records.filter(({ type }) => type === 'connection');
    expect(changes).toMatchObject([{ body: { industry_ids: [film] } }]);
  });

  test('publish every step to the devices of both people', async () => {
    const [a, b] = [await addPerformer(), await addPerformer()];
    const live = watchLiveEvents<{ connection: Connection }>('ConnectionChanged');
    const getStatuses = () =>
      [a, b].map((person) => live(person).map(({ connection }) => [connection.status, connection.name]));
    const id = await requestConnection(testServer, a, b);
    expect(getStatuses()).toEqual([[['pending', b.name]], [['pending', a.name]]]);
    await getStatus(`POST /connections/accept/${id}`, b);
    expect(getStatuses()).toEqual([[['accepted', b.name]], [['accepted', a.name]]]);
  });
});

test('counts the people of an industry once each, by their active profiles', async () => {
  const counts = async () =>
    Object.fromEntries((await get<IndustryFilter[]>('GET /filters/industry')).map(({ id, count }) => [id, count]));
  const [one] = await get<IndustryFilter[]>('GET /filters/industry');
  const before = (await counts())[one!.id]!;
  const [a, b] = [await addPerformer(), await addPerformer()];
  const second = await addProfile(testServer, a, 1);
  for (const [person, id] of [
    [a, a.profileId],
    [a, second.id],
    [b, b.profileId],
  ] as const) {
    await change(person, id, { profile_industry_id: one!.id });
  }
  expect((await counts())[one!.id]).toBe(before + 2);
  await change(b, b.profileId, { status: 'inactive' });
  expect((await counts())[one!.id]).toBe(before + 1);
});

describe('report', () => {
  const report = (by: Person, about: Person, fields: object = {}) =>
    testServer.call('POST /reports', { token: by.token, body: { user_id: about.id, reason: 'scam', ...fields } });

  test('is stored for the operator without notifying the reported person', async () => {
    const [a, b] = [await testServer.join('Ila'), await addPerformer()];
    const { cursor } = await pull(b);
    const since = testServer.clock.now();
    expect((await report(a, b, { text: '  Asked for 500 rupees  ' })).status).toBe(201);
    expect((await report(a, b, { reason: 'other' })).status).toBe(201);
    expect(await listReportsSince(testServer.database.db, since)).toMatchObject([
      { reason: 'scam', text: 'Asked for 500 rupees', by: { name: 'Ila', email: a.email }, whom: { email: b.email } },
      { reason: 'other', text: null },
    ]);
    testServer.clock.advance(1000);
    expect(await listReportsSince(testServer.database.db, testServer.clock.now())).toEqual([]);
    expect((await pull(b, cursor)).records).toEqual([]);
  });

  test('may be about somebody the reporter blocked, but not by a blocked person', async () => {
    const [a, b] = [await addPerformer(), await addPerformer()];
    await block(testServer, a, b);
    expect((await report(a, b)).status).toBe(201);
    expect((await report(b, a)).status).toBe(404);
  });

  test('is stored once per idempotency key and rate limited', async () => {
    const limited = await openTestServer({ env: { RATE_LIMIT_SCALE: '1' } });
    try {
      const [a, b] = [await limited.join(), await limited.join()];
      const send = (headers = {}) =>
        limited.call('POST /reports', { token: a.token, headers, body: { user_id: b.id, reason: 'spam' } });
      const key = { 'idempotency-key': crypto.randomUUID() };
      expect([(await send(key)).status, (await send(key)).status]).toEqual([201, 201]);
      const { rows } = await limited.database.pool.query('select 1 from reports');
      expect(rows).toHaveLength(1);
      const more = [];
      for (let n = 0; n < 20; n += 1) more.push((await send()).status);
      expect(more).toEqual([...Array.from({ length: 19 }, () => 201), 429]);
    } finally {
      await limited.close();
    }
  });
});
