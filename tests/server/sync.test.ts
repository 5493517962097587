import { expect, test } from 'vitest';
import { deleteOldResponses, deleteOldTombstones } from '#server/read-models/sync/retention.ts';
import { addCredit, addProfile, addSkill, CREDIT } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';

const testServer = useTestServer();

interface Page {
  records: { type: string; id: string; parent: string | null; body: Record<string, unknown> | null }[];
  cursor: string;
  has_more: boolean;
}

const pull = async (person: Person, cursor?: string) =>
  testServer.call<Page>(`GET /sync${cursor === undefined ? '' : `?cursor=${cursor}`}`, { token: person.token });

/** The mirror of a device: applies pages until there are no more. */
class Mirror {
  readonly records = new Map<string, Record<string, unknown>>();
  cursor: string | undefined;
  async catchUp(person: Person): Promise<number> {
    for (let pages = 1; ; pages += 1) {
      const page = await pull(person, this.cursor);
      if (page.status !== 200) throw new Error(page.text);
      for (const { type, id, body } of page.body.records) {
        if (body) this.records.set(`${type} ${id}`, body);
        else this.records.delete(`${type} ${id}`);
      }
      this.cursor = page.body.cursor;
      if (!page.body.has_more) return pages;
    }
  }
}

test('returns all records of the caller first and then only changes', async () => {
  const person = await testServer.join();
  const profile = await addProfile(testServer, person);
  const credit = await addCredit(testServer, person, profile.id);
  const skill = await addSkill(testServer, person, profile.id);
  const other = await testServer.join();
  await addProfile(testServer, other);

  const all = await pull(person);
  expect(all.body.records.map(({ type, id, parent }) => [type, id, parent])).toEqual([
    ['profile', profile.id, null],
    ['about_me', profile.id, profile.id],
    ['experience', credit.id, profile.id],
    ['skill', skill.id, profile.id],
  ]);
  expect(all.body.has_more).toBe(false);
  const listed = await testServer.call<object[]>(`GET /profile/experiences/${profile.id}`);
  expect(all.body.records[2]?.body).toEqual(listed.body[0]);

  const nothing = await pull(person, all.body.cursor);
  expect(nothing.body.records).toEqual([]);

  await testServer.call(`PUT /skills/${skill.id}`, { token: person.token, body: { level: 3 } });
  await testServer.call(`DELETE /profile/experience/${credit.id}`, { token: person.token });
  await testServer.call('PUT /profile/update', { token: person.token, body: { description: 'Words' } });
  const changes = await pull(person, nothing.body.cursor);
  expect(changes.body.records.map(({ type, body }) => [type, body && body.version])).toEqual([
    ['skill', 2],
    ['experience', null],
    ['profile', 2],
    ['about_me', 2],
  ]);
  expect(changes.body.records[1]?.parent).toBe(profile.id);
  expect(changes.body.records[3]?.body).toMatchObject({ description: 'Words' });
});

test('returns a first sync in pages and without tombstones', async () => {
  const person = await testServer.join();
  const { id } = await addProfile(testServer, person);
  const rows: string[] = [];
  for (let n = 0; n < 230; n += 1) rows.push((await addSkill(testServer, person, id, `Skill ${n}`)).id);
  await testServer.call(`DELETE /skills/${rows[3]}`, { token: person.token });
  const mirror = new Mirror();
  expect(await mirror.catchUp(person)).toBe(2);
  expect(mirror.records.size).toBe(2 + 229);
});

test('never skips late commits while devices pull continuously', async () => {
  const person = await testServer.join();
  const profile = await addProfile(testServer, person);
  const mirror = new Mirror();
  let writing = true;
  const pulling = (async () => {
    while (writing) await mirror.catchUp(person);
  })();
  const write = async (n: number) => {
    for (let step = 0; step < 12; step += 1) {
      const row = await addCredit(testServer, person, profile.id, { details: `Lane ${n} step ${step}` });
      if (step % 3 === 0) await testServer.call(`DELETE /profile/experience/${row.id}`, { token: person.token });
      if (step % 3 === 1) {
        await testServer.call(`PUT /profile/experience/${row.id}`, {
          token: person.token,
          body: { details: 'Changed' },
        });
      }
    }
  };
  await Promise.all(Array.from({ length: 8 }, (_, n) => write(n)));
  writing = false;
  await pulling;
  await mirror.catchUp(person);
  const fresh = new Mirror();
  await fresh.catchUp(person);
  expect(Object.fromEntries(mirror.records)).toEqual(Object.fromEntries(fresh.records));
  const listed = await testServer.call<object[]>(`GET /profile/experiences/${profile.id}`);
  expect(listed.body).toHaveLength(64);
  expect(mirror.records.size).toBe(2 + 64);
});

test('does not block readers while a write is uncommitted', async () => {
  const person = await testServer.join();
  const profile = await addProfile(testServer, person);
  const before = await pull(person);
  const slow = await testServer.database.pool.connect();
  await slow.query('begin');
  await slow.query('update users set sync_seq = sync_seq + 1 where id = $1', [person.id]);
  const during = await pull(person, before.body.cursor);
  expect([during.status, during.body.records.length]).toEqual([200, 0]);
  const waiting = addSkill(testServer, person, profile.id);
  await slow.query(
    `insert into sync_records (user_id, type, record_id, parent, seq)
     select id, 'skill', '987654', null, sync_seq from users where id = $1`,
    [person.id],
  );
  await slow.query('commit');
  slow.release();
  const quick = await waiting;
  const after = await pull(person, during.body.cursor);
  expect(after.body.records.map((record) => record.id)).toEqual(['987654', quick.id]);
});

test('records nothing for a rejected write', async () => {
  const person = await testServer.join();
  const profile = await addProfile(testServer, person);
  const { cursor } = (await pull(person)).body;
  await testServer.call('POST /profile/experience', {
    token: person.token,
    body: { ...CREDIT, profile_id: profile.id, details: '' },
  });
  await testServer.call('DELETE /skills/999999', { token: person.token });
  expect((await pull(person, cursor)).body).toMatchObject({ records: [], cursor });
});

test('deletes tombstones after 180 days and answers 410 to older cursors', async () => {
  const person = await testServer.join();
  const profile = await addProfile(testServer, person);
  const credit = await addCredit(testServer, person, profile.id);
  const old = (await pull(person)).body.cursor;
  await testServer.call(`DELETE /profile/experience/${credit.id}`, { token: person.token });
  const recent = (await pull(person, old)).body.cursor;
  await deleteOldTombstones(testServer.database.db, testServer.clock.now());
  expect((await pull(person, old)).body.records).toHaveLength(1);

  testServer.clock.advance(181 * 86_400_000);
  await deleteOldTombstones(testServer.database.db, testServer.clock.now());
  const later = await testServer.signIn(person);
  expect((await pull(later, old)).status).toBe(410);
  expect((await pull(later, recent)).status).toBe(200);
  expect((await pull(later)).body.records.map((record) => record.type)).toEqual(['profile', 'about_me']);
});

test('keeps stored responses for 90 days', async () => {
  const person = await testServer.join();
  const profile = await addProfile(testServer, person);
  const credit = await addCredit(testServer, person, profile.id);
  const countStored = async () => {
    await deleteOldResponses(testServer.database.db, testServer.clock.now());
    const { rows } = await testServer.database.pool.query(
      'select count(*)::int as n from idempotency_keys where user_id = $1',
      [person.id],
    );
    return (rows[0] as { n: number }).n;
  };
  testServer.clock.advance(89 * 86_400_000);
  expect([credit.version, await countStored()]).toEqual([1, 1]);
  testServer.clock.advance(2 * 86_400_000);
  expect(await countStored()).toBe(0);
});

test('continues a paged first sync while tombstones are deleted', async () => {
  const person = await testServer.join();
  const { id } = await addProfile(testServer, person);
  for (let n = 0; n < 205; n += 1) await addSkill(testServer, person, id, `Skill ${n}`);
  const gone = await addCredit(testServer, person, id);
  await testServer.call(`DELETE /profile/experience/${gone.id}`, { token: person.token });
  testServer.clock.advance(181 * 86_400_000);
  const later = await testServer.signIn(person);
  const first = await pull(later);
  expect(first.body.has_more).toBe(true);
  await deleteOldTombstones(testServer.database.db, testServer.clock.now());
  expect((await pull(later, first.body.cursor)).status).toBe(200);
});

test('answers 410 to a cursor of another database or from the future', async () => {
  const person = await testServer.join();
  const { cursor } = (await pull(person)).body;
  const [epoch] = cursor.split('.');
  expect((await pull(person, cursor)).status).toBe(200);
  expect((await pull(person, `0${cursor}`)).status).toBe(410);
  expect((await pull(person, `${epoch}.0.99`)).status).toBe(410);
  expect((await pull(person, `${epoch}.99.0`)).status).toBe(410);
});
