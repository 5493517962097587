import { randomUUID } from 'node:crypto';
import { beforeEach, describe, expect, test } from 'vitest';
import type { Account } from '#contract/records/consent.ts';
import type { DeskAgeRequestList, DeskPersonDetail, DeskReportList } from '#contract/records/desk.ts';
import { deleteOldAgeRequests } from '#server/features/account/age-requests.ts';
import { deskCalls } from './support/desk.ts';
import { mailboxOf } from './support/mailbox.ts';
import { newcomersOf } from './support/newcomers.ts';
import { addProfile } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';
import { unzip } from './support/unzip.ts';

const DAY_MS = 24 * 60 * 60_000;
const ADULT_DAY = '1994-08-17';
const testServer = useTestServer();
const { addMinor, bornYearsAgo, confirm, decide, register } = newcomersOf(testServer);
const { joinDesk, act, ask, undo } = deskCalls(testServer);
const { readMails } = mailboxOf(testServer);

type Token = Pick<Person, 'token'>;
const say = ({ token }: Token, born_on: string, more: object = {}, headers: Record<string, string> = {}) =>
  testServer.call<{ message: string; reason?: string; errors?: object; data: { asks: string | null } }>(
    'PUT /born-on',
    { token, body: { born_on, ...more }, headers },
  );
const withdraw = ({ token }: Token) => testServer.call<{ message: string }>('DELETE /born-on/request', { token });
const readAccount = async ({ token }: Token) => (await testServer.call<Account>('GET /account', { token })).body;
const isShown = async ({ id }: { id: string }) => (await testServer.call(`GET /profile/details/${id}`)).status === 200;
const listWaiting = async ({ token }: Token) =>
  (await testServer.call<DeskAgeRequestList>('GET /desk/age-requests?limit=100', { token })).body.data;
const findWaiting = async (worker: Token, { id }: { id: string }) =>
  (await listWaiting(worker)).filter(({ person }) => person.id === id);

/** A person of 15 by a slip, with a page, who has asked for the right date. */
async function addAsking(reason?: string) {
  const person = await addMinor();
  const page = await addProfile(testServer, person);
  const asked = await say(person, ADULT_DAY, reason === undefined ? {} : { reason });
  expect(asked.status).toBe(202);
  return { person, page };
}

let operator: Person;
beforeEach(async () => {
  operator = await joinDesk('operator');
});
const grant = (id: string) => ask(operator, 'age.grant', 'age_request', id);
const decline = (id: string, words = 'We could not confirm it.') =>
  ask(operator, 'age.decline', 'age_request', id, { words });

describe('a correction of a date under 18', () => {
  test('waits for the desk if it makes the person older, and changes nothing until then', async () => {
    const { person, page } = await addAsking(' I mistyped the year. ');
    const account = await readAccount(person);
    expect(account).toMatchObject({
      born_on: bornYearsAgo(15),
      is_minor: true,
      age_request: { born_on: ADULT_DAY, reason: 'I mistyped the year.', state: 'open', words: null },
    });
    expect(await isShown(page)).toBe(false);
    expect((await testServer.call('POST /of-age', { token: person.token })).status).toBe(422);
  });

  test('cannot reach 18 in many small steps', async () => {
    const person = await addMinor();
    for (const day of [bornYearsAgo(15, -1), bornYearsAgo(16), bornYearsAgo(18, 1), bornYearsAgo(18)])
      expect((await say(person, day)).status).toBe(202);
    // A step back, and two forward.
    expect((await say(person, bornYearsAgo(14))).status).toBe(200);
    expect((await say(person, bornYearsAgo(15))).status).toBe(202);
    expect(await readAccount(person)).toMatchObject({ born_on: bornYearsAgo(14), is_minor: true });
  });

  test('counts at once if it makes the person younger, and takes the request back', async () => {
    const { person } = await addAsking();
    expect((await say(person, bornYearsAgo(13))).status).toBe(200);
    expect(await readAccount(person)).toMatchObject({ born_on: bornYearsAgo(13), is_minor: true, age_request: null });
    expect(await findWaiting(operator, person)).toEqual([]);
  });

  test('counts at once after the 18th birthday by the date of before, and opens nothing by itself', async () => {
    const person = await addMinor('Mina', bornYearsAgo(18, 1));
    expect((await say(person, ADULT_DAY)).status).toBe(202);
    testServer.clock.advance(2 * DAY_MS);
    expect((await say(person, ADULT_DAY)).status).toBe(200);
    expect(await readAccount(person)).toMatchObject({ born_on: ADULT_DAY, is_minor: true, age_request: null });
  });

  test('takes a repeated tap once', async () => {
    const { person } = await addAsking('The year is wrong.');
    const [first] = await findWaiting(operator, person);
    await Promise.all([1, 2].map(() => say(person, ADULT_DAY, { reason: 'The year is wrong.' })));
    const key = { 'idempotency-key': randomUUID() };
    for (let tap = 0; tap < 2; tap += 1) await say(person, ADULT_DAY, { reason: 'The year is wrong.' }, key);
    expect(await findWaiting(operator, person)).toEqual([first]);
    const other = await addMinor();
    await Promise.all([1, 2, 3].map(() => say(other, ADULT_DAY)));
    expect(await findWaiting(operator, other)).toHaveLength(1);
  });

  test('replaces the open request, which can no longer be decided', async () => {
    const { person } = await addAsking();
    const [first] = await findWaiting(operator, person);
    expect((await say(person, '1993-08-17', { reason: 'The year was wrong too.' })).status).toBe(202);
    const waiting = await findWaiting(operator, person);
    expect(waiting).toEqual([expect.objectContaining({ wanted: '1993-08-17', reason: 'The year was wrong too.' })]);
    for (const answer of [await grant(first!.id), await decline(first!.id)]) {
      expect(answer.status).toBe(409);
      expect(answer.body.message).toBe('The person has taken this request back, or asked for another date');
    }
    expect((await readAccount(person)).born_on).toBe(bornYearsAgo(15));
  });

  test('is refused with the name of what is wrong', async () => {
    const person = await addMinor();
    const fields = async (...args: [string, object?]) => Object.keys((await say(person, ...args)).body.errors ?? {});
    expect(await fields(ADULT_DAY, { reason: 'x'.repeat(501) })).toEqual(['reason']);
    expect(await fields(ADULT_DAY, { reason: 'a\0b' })).toEqual(['reason']);
    expect(await fields('1994-02-30')).toEqual(['born_on']);
    expect(await fields(bornYearsAgo(0, 1))).toEqual(['born_on']);
    expect((await readAccount(person)).age_request).toBeNull();
  });

  test('is taken back once, and not after the decision', async () => {
    const { person } = await addAsking();
    const [request] = await findWaiting(operator, person);
    expect((await withdraw(person)).status).toBe(200);
    expect((await withdraw(person)).status).toBe(404);
    expect([await findWaiting(operator, person), (await readAccount(person)).age_request]).toEqual([[], null]);
    expect((await grant(request!.id)).status).toBe(409);
    await say(person, ADULT_DAY);
    const [second] = await findWaiting(operator, person);
    await decline(second!.id);
    const late = await withdraw(person);
    expect([late.status, late.body.message]).toEqual([409, 'We have decided this meanwhile']);
  });
});

describe('a correction that makes an adult a minor', () => {
  test('counts at once, needs a fresh sign-in, and only the desk takes it back', async () => {
    const person = await register();
    await confirm(person);
    const page = await addProfile(testServer, person);
    expect(await isShown(page)).toBe(true);
    testServer.clock.advance(6 * 60_000);
    const stale = await say(person, bornYearsAgo(16));
    expect([stale.status, stale.body.reason, await isShown(page)]).toEqual([403, 'reauth', true]);
    // Other corrections need none.
    expect((await say(person, '1994-08-18')).status).toBe(200);
    const done = await say(await testServer.signIn(person as Person), bornYearsAgo(16));
    expect([done.status, done.body.data.asks]).toEqual([200, 'guardian']);
    expect(await isShown(page)).toBe(false);
    const back = await testServer.signIn(person as Person);
    expect((await say(back, '1994-08-18')).status).toBe(202);
    expect(await isShown(page)).toBe(false);
  });

  test('asks the guardian of before again', async () => {
    const { person, page } = await addAsking();
    await decide(person.guardian, true);
    expect(await isShown(page)).toBe(true);
    const [request] = await findWaiting(operator, person);
    await grant(request!.id);
    expect((await say(person, bornYearsAgo(16))).status).toBe(200);
    expect(await isShown(page)).toBe(false);
    expect((await readAccount(person)).guardian).toEqual({ email: person.guardian.email, state: 'asked' });
    // The link of the new mail works.
    expect((await decide(person.guardian, true)).status).toBe(200);
    expect(await isShown(page)).toBe(true);
  });
});

describe('the desk', () => {
  test('lists what a decision needs, oldest first, for operators', async () => {
    const { person } = await addAsking('I mistyped the year.');
    const later = await addMinor();
    await say(later, bornYearsAgo(17));
    const noor = await joinDesk('moderator');
    expect((await testServer.call('GET /desk/age-requests', { token: noor.token })).status).toBe(404);
    const waiting = await listWaiting(operator);
    expect(waiting.filter((each) => [person.id, later.id].includes(each.person.id))).toEqual([
      {
        id: expect.any(String),
        person: expect.objectContaining({ id: person.id, name: person.name }),
        born_on: bornYearsAgo(15),
        wanted: ADULT_DAY,
        makes_adult: true,
        reason: 'I mistyped the year.',
        asked_at: testServer.clock.now().toISOString(),
        guardian: 'asked',
        declined_before: 0,
      },
      expect.objectContaining({ wanted: bornYearsAgo(17), makes_adult: false, reason: null }),
    ]);
    const { body } = await testServer.call<DeskReportList>('GET /desk/reports', { token: operator.token });
    expect(body.counts.age_requests).toBe(waiting.length);
    const first = await testServer.call<DeskAgeRequestList>('GET /desk/age-requests?limit=1', {
      token: operator.token,
    });
    const second = await testServer.call<DeskAgeRequestList>(
      `GET /desk/age-requests?limit=1&cursor=${first.body.next_cursor}`,
      { token: operator.token },
    );
    expect([first, second].map((page) => page.body.data[0]?.id)).toEqual(waiting.slice(0, 2).map(({ id }) => id));
  });

  test('corrects the date, ends the protection, tells both, and logs the act', async () => {
    const { person, page } = await addAsking();
    const [request] = await findWaiting(operator, person);
    const entry = await act(operator, 'age.grant', 'age_request', request!.id, { words: null });
    expect(entry).toMatchObject({ act: 'age.grant', target_user_id: person.id, can_undo: true });
    expect(await isShown(page)).toBe(true);
    expect(await readAccount(person)).toMatchObject({ born_on: ADULT_DAY, is_minor: false, age_request: null });
    expect((await testServer.call(`POST /connections/request/${person.id}`, operator)).status).toBe(201);
    const [told] = await readMails(person, 'age.granted');
    expect(told!.text).toMatch(/You\s+count as an adult now/);
    expect(await readMails(person.guardian, 'age.granted.guardian')).toHaveLength(1);
    // The guardian has nothing to decide any more.
    expect((await decide(person.guardian, false)).status).toBe(422);
    const { body } = await testServer.call<DeskPersonDetail>(`GET /desk/people/${person.id}`, operator);
    expect(body.log.map((each) => each.act)).toContain('age.grant');
    for (const again of [await grant(request!.id), await decline(request!.id)]) {
      expect(again.status).toBe(409);
      expect(again.body.message).toBe('Somebody else at the desk has just decided this');
    }
  });

  test('corrects a date that still makes nobody an adult, and opens nothing', async () => {
    const person = await addMinor();
    const page = await addProfile(testServer, person);
    await say(person, bornYearsAgo(17));
    const [request] = await findWaiting(operator, person);
    expect((await grant(request!.id)).status).toBe(201);
    expect(await readAccount(person)).toMatchObject({ born_on: bornYearsAgo(17), is_minor: true });
    expect(await isShown(page)).toBe(false);
    expect(await readMails(person.guardian, 'age.granted.guardian')).toEqual([]);
  });

  test('undoes a correction: the protection is back, the guardian is asked again, the request waits', async () => {
    const { person, page } = await addAsking();
    await decide(person.guardian, true);
    const [request] = await findWaiting(operator, person);
    const entry = await act(operator, 'age.grant', 'age_request', request!.id);
    expect((await undo(operator, entry)).status).toBe(201);
    expect(await readAccount(person)).toMatchObject({
      born_on: bornYearsAgo(15),
      is_minor: true,
      guardian: { state: 'asked' },
      age_request: { state: 'open', born_on: ADULT_DAY },
    });
    expect(await isShown(page)).toBe(false);
    expect(await readMails(person, 'age.reopened')).toHaveLength(1);
    expect(await findWaiting(operator, person)).toEqual([
      expect.objectContaining({ id: request!.id, wanted: ADULT_DAY, guardian: 'asked' }),
    ]);
    expect((await undo(operator, entry)).status).toBe(409);
  });

  test('does not undo a correction that the person has changed since', async () => {
    const { person } = await addAsking();
    const [request] = await findWaiting(operator, person);
    const entry = await act(operator, 'age.grant', 'age_request', request!.id);
    expect((await say(person, '1994-08-18')).status).toBe(200);
    expect((await undo(operator, entry)).status).toBe(409);
    expect((await readAccount(person)).born_on).toBe('1994-08-18');
  });

  test('declines with words that the person reads, and who may ask again', async () => {
    const { person } = await addAsking();
    const [request] = await findWaiting(operator, person);
    const empty = await decline(request!.id, ' ');
    expect([empty.status, Object.keys(empty.body.errors ?? {})]).toEqual([422, ['words']]);
    const entry = await act(operator, 'age.decline', 'age_request', request!.id, { words: 'Your page says 2011.' });
    expect(await readAccount(person)).toMatchObject({
      is_minor: true,
      age_request: { state: 'declined', born_on: ADULT_DAY, words: 'Your page says 2011.' },
    });
    const [told] = await readMails(person, 'age.declined');
    expect(told!.text).toContain('Your page says 2011.');
    for (const again of [await grant(request!.id), await decline(request!.id)]) expect(again.status).toBe(409);

    expect((await undo(operator, entry)).status).toBe(201);
    expect((await readAccount(person)).age_request).toMatchObject({ state: 'open', words: null });
    const declined = await act(operator, 'age.decline', 'age_request', request!.id);
    expect((await say(person, ADULT_DAY, { reason: 'The page was wrong too.' })).status).toBe(202);
    expect(await findWaiting(operator, person)).toMatchObject([{ declined_before: 1 }]);
    // The new request is the one to decide.
    expect((await undo(operator, declined)).status).toBe(409);
  });

  test('leaves decisions to operators who have just proved who they are, and not about themselves', async () => {
    const { person } = await addAsking();
    const [{ id } = { id: '' }] = await findWaiting(operator, person);
    const noor = await joinDesk('moderator');
    for (const name of ['age.grant', 'age.decline'])
      expect((await ask(noor, name, 'age_request', id)).status).toBe(403);
    expect((await ask(operator, 'age.grant', 'user', person.id)).status).toBe(422);
    expect((await grant('999999')).status).toBe(404);
    await testServer.database.pool.query('update users set is_minor = true, born_on = $1 where id = $2', [
      bornYearsAgo(15),
      operator.id,
    ]);
    expect((await say(operator, ADULT_DAY)).status).toBe(202);
    const [own] = await findWaiting(operator, operator);
    expect((await grant(own!.id)).status).toBe(422);
    testServer.clock.advance(6 * 60_000);
    const late = await grant(id);
    expect([late.status, late.body]).toEqual([403, expect.objectContaining({ reason: 'reauth' })]);
    expect((await readAccount(person)).is_minor).toBe(true);
  });

  test('decides once when two operators do at the same moment', async () => {
    const { person } = await addAsking();
    const [request] = await findWaiting(operator, person);
    const other = await joinDesk('operator', 'Meher Baig');
    const answers = await Promise.all([
      grant(request!.id),
      ask(other, 'age.decline', 'age_request', request!.id),
      withdraw(person),
    ]);
    expect(answers.filter(({ status }) => status < 300)).toHaveLength(1);
    expect(answers.filter(({ status }) => status === 409 || status === 404)).toHaveLength(2);
  });
});

describe('requests', () => {
  test('go with the account', async () => {
    const { person } = await addAsking();
    const [request] = await findWaiting(operator, person);
    const { token, password } = person;
    expect((await testServer.call('DELETE /account', { token, body: { password } })).status).toBe(200);
    expect((await grant(request!.id)).status).toBe(404);
    const { rows } = await testServer.database.pool.query('select id from age_requests where id = $1', [request!.id]);
    expect(rows).toEqual([]);
  });

  test('are part of the export', async () => {
    const { person } = await addAsking('I mistyped the year.');
    const [request] = await findWaiting(operator, person);
    await decline(request!.id, 'Your page says 2011.');
    await say(person, '1993-08-17');
    const answer = await testServer.app.inject({
      url: '/account/export',
      headers: { authorization: `Bearer ${person.token}`, 'x-requested-with': 'XMLHttpRequest' },
    });
    const account = JSON.parse(String(unzip(answer.rawPayload).get('account.json'))) as { age_requests: object[] };
    const at = testServer.clock.now().toISOString();
    const common = { born_on: bornYearsAgo(15), asked_at: at };
    expect(account.age_requests).toEqual([
      {
        ...common,
        wanted: ADULT_DAY,
        reason: 'I mistyped the year.',
        state: 'declined',
        decided_at: at,
        words: 'Your page says 2011.',
      },
      { ...common, wanted: '1993-08-17', reason: null, state: 'open', decided_at: null, words: null },
    ]);
  });

  test('are deleted a year after they were decided, and kept while they wait', async () => {
    const [decided, waiting] = [await addAsking(), await addAsking()];
    const [request] = await findWaiting(operator, decided.person);
    const entry = await act(operator, 'age.decline', 'age_request', request!.id);
    const deleteOld = () => deleteOldAgeRequests(testServer.database.db, testServer.clock.now());
    const count = async ({ person }: typeof decided) =>
      (await testServer.database.pool.query('select id from age_requests where user_id = $1', [person.id])).rows.length;
    testServer.clock.advance(364 * DAY_MS);
    await deleteOld();
    expect(await count(decided)).toBe(1);
    testServer.clock.advance(2 * DAY_MS);
    await deleteOld();
    expect([await count(decided), await count(waiting)]).toEqual([0, 1]);
    const late = await undo(await joinDesk('operator'), entry);
    expect([late.status, late.body.message]).toEqual([409, 'It is too late to undo this']);
  });
});

describe('limits', () => {
  const limited = useTestServer({ env: { RATE_LIMIT_SCALE: '1' } });

  test('three requests a day, and any number of repeated taps and of corrections that count at once', async () => {
    const minor = await newcomersOf(limited).addMinor();
    const ask = async (born_on: string) =>
      (await limited.call('PUT /born-on', { token: minor.token, body: { born_on } })).status;
    for (let tap = 0; tap < 5; tap += 1) expect(await ask('1994-08-17')).toBe(202);
    expect([await ask('1994-08-18'), await ask('1994-08-19'), await ask('1994-08-20')]).toEqual([202, 202, 429]);
    expect(await ask('2020-01-01')).toBe(200);
  });
});
