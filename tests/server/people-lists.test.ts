import { describe, expect, test } from 'vitest';
import type { IndustryFilter } from '#contract/records/lookups.ts';
import type { Connection } from '#contract/records/people.ts';
import { reportsSince } from '#server/features/people/reports.ts';
import { addProfile, askToConnect, block, connect } from './support/people.ts';
import { watchNews } from './support/live-news.ts';
import { openStage, useStage, type Person } from './support/stage.ts';
import { viewerCalls } from './support/viewers.ts';

const stage = useStage();
const { change, look, performer, pull, statusOf } = viewerCalls(stage);

const listed = async (person: Person) => {
  const names = async (path: string) =>
    (await look<Connection[]>(`GET /connections/${path}`, person)).map(({ name }) => name);
  return {
    received: await names('requests/received'),
    sent: await names('requests/sent'),
    accepted: await names('accepted'),
  };
};
/** The same by the feed. */
const mirrored = async (person: Person) => {
  const { records } = await pull(person);
  const ties = records.filter((each) => each.type === 'connection').map((each) => each.body as unknown as Connection);
  const names = (which: (tie: Connection) => boolean) => ties.filter(which).map(({ name }) => name);
  return {
    received: names((tie) => tie.status === 'pending' && tie.connected_user_id === person.id),
    sent: names((tie) => tie.status === 'pending' && tie.user_id === person.id),
    accepted: names((tie) => tie.status === 'accepted'),
  };
};
const nothing = { received: [], sent: [], accepted: [] };

describe('lists of connections', () => {
  test('are right for both sides after every step between two people', async () => {
    const [a, b] = [await performer(), await performer()];
    const both = async (ofA: object, ofB: object, step: string) => {
      for (const seen of [listed, mirrored]) {
        expect(await seen(a), step).toEqual({ ...nothing, ...ofA });
        expect(await seen(b), step).toEqual({ ...nothing, ...ofB });
      }
    };
    const asked = async () => askToConnect(stage, a, b);
    await both({}, {}, 'at first');
    let id = await asked();
    await both({ sent: [b.name] }, { received: [a.name] }, 'asked');
    await statusOf(`DELETE /connections/${id}`, a);
    await both({}, {}, 'taken back');
    id = await asked();
    await statusOf(`POST /connections/decline/${id}`, b);
    await both({}, {}, 'declined');
    id = await asked();
    await statusOf(`POST /connections/accept/${id}`, b);
    await both({ accepted: [b.name] }, { accepted: [a.name] }, 'accepted');
    await statusOf(`DELETE /connections/${id}`, b);
    await both({}, {}, 'ended');
    await asked();
    await statusOf(`POST /connections/request/${a.id}`, b);
    await both({ accepted: [b.name] }, { accepted: [a.name] }, 'asked by both');
    await block(stage, a, b);
    await both({}, {}, 'blocked');
    await statusOf(`DELETE /blocks/${b.id}`, a);
    await both({}, {}, 'no longer blocked');
    await asked();
    await both({ sent: [b.name] }, { received: [a.name] }, 'asked again');
    await stage.call('DELETE /account', { token: b.token, body: { password: b.password } });
    expect(await listed(a)).toEqual(nothing);
    expect(await mirrored(a)).toEqual(nothing);
  });

  test('show the other one, where they work and where to write, the latest first', async () => {
    const [a, b, c] = [await performer(), await performer(), await performer()];
    const industries = await look<IndustryFilter[]>('GET /filters/industry');
    const [film, theatre] = [industries[0]!.id, industries[3]!.id];
    await change(b, b.profileId, { profile_industry_id: film });
    const second = await addProfile(stage, b, 1);
    await change(b, second.id, { profile_industry_id: theatre });
    const third = await addProfile(stage, b, 2);
    await change(b, third.id, { profile_industry_id: industries[5]!.id, status: 'inactive' });
    const first = await connect(stage, a, b);
    stage.clock.advance(1000);
    await connect(stage, c, a);
    const [newest, oldest] = await look<Connection[]>('GET /connections/accepted', a);
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
    const [conversation] = await look<{ conversation_id: string }[]>('GET /conversations', b);
    expect(oldest?.conversation_id).toBe(conversation?.conversation_id);
    const { cursor } = await pull(a);
    await change(b, second.id, { profile_industry_id: null });
    const changes = (await pull(a, cursor)).records.filter(({ type }) => type === 'connection');
    expect(changes).toMatchObject([{ body: { industry_ids: [film] } }]);
  });

  test('tell both people’s devices of every step', async () => {
    const [a, b] = [await performer(), await performer()];
    const live = watchNews<{ connection: Connection }>('ConnectionChanged');
    const heard = () =>
      [a, b].map((person) => live(person).map(({ connection }) => [connection.status, connection.name]));
    const id = await askToConnect(stage, a, b);
    expect(heard()).toEqual([[['pending', b.name]], [['pending', a.name]]]);
    await statusOf(`POST /connections/accept/${id}`, b);
    expect(heard()).toEqual([[['accepted', b.name]], [['accepted', a.name]]]);
  });
});

test('an industry counts the people in it: each once, by what they show', async () => {
  const counts = async () =>
    Object.fromEntries((await look<IndustryFilter[]>('GET /filters/industry')).map(({ id, count }) => [id, count]));
  const [one] = await look<IndustryFilter[]>('GET /filters/industry');
  const before = (await counts())[one!.id]!;
  const [a, b] = [await performer(), await performer()];
  const second = await addProfile(stage, a, 1);
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

describe('a report', () => {
  const report = (by: Person, about: Person, fields: object = {}) =>
    stage.call('POST /reports', { token: by.token, body: { user_id: about.id, reason: 'scam', ...fields } });

  test('is kept for who runs the server, and the other hears nothing of it', async () => {
    const [a, b] = [await stage.join('Ila'), await performer()];
    const { cursor } = await pull(b);
    const since = stage.clock.now();
    expect((await report(a, b, { text: '  Asked for 500 rupees  ' })).status).toBe(201);
    expect((await report(a, b, { reason: 'other' })).status).toBe(201);
    expect(await reportsSince(stage.database.db, since)).toMatchObject([
      { reason: 'scam', text: 'Asked for 500 rupees', by: { name: 'Ila', email: a.email }, whom: { email: b.email } },
      { reason: 'other', text: null },
    ]);
    stage.clock.advance(1000);
    expect(await reportsSince(stage.database.db, stage.clock.now())).toEqual([]);
    expect((await pull(b, cursor)).records).toEqual([]);
  });

  test('may be made of somebody one has blocked, not by who was blocked', async () => {
    const [a, b] = [await performer(), await performer()];
    await block(stage, a, b);
    expect((await report(a, b)).status).toBe(201);
    expect((await report(b, a)).status).toBe(404);
  });

  test('is once under one key, and limited', async () => {
    const limited = await openStage({ env: { RATE_LIMIT_SCALE: '1' } });
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
