import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { ReauthRecord } from '#contract/records/sign-in.ts';
import { addProfile } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';

const testServer = useTestServer();
const MINUTE_MS = 60_000;

const getStatus = async (token: string) => (await testServer.call('GET /user', { token })).status;
const prove = (token: string, body: object) => testServer.call<ReauthRecord>('POST /reauth', { token, body });
/** Renews the token of a person. @returns the new one */
async function renew(person: Person, token = person.token): Promise<string> {
  const answer = await prove(token, { password: person.password });
  expect(answer.status).toBe(200);
  return answer.body.token;
}
const listSessionIds = async (token: string) =>
  (await testServer.call<{ id: string }[]>('GET /sessions', { token })).body.map(({ id }) => id);

describe('a renewed token', () => {
  test('belongs to the same session and ends the old one at its first use', async () => {
    const person = await testServer.join();
    const before = await listSessionIds(person.token);
    const token = await renew(person);
    expect(token).not.toBe(person.token);
    expect(await getStatus(person.token)).toBe(200);
    expect(await listSessionIds(token)).toEqual(before);
    expect([await getStatus(person.token), await getStatus(token)]).toEqual([401, 200]);
  });

  test('leaves the old one for ten minutes when the answer is lost, and not longer', async () => {
    const person = await testServer.join();
    await renew(person);
    testServer.clock.advance(10 * MINUTE_MS - 1);
    expect(await getStatus(person.token)).toBe(200);
    testServer.clock.advance(1);
    expect(await getStatus(person.token)).toBe(401);
  });

  test('is replaced by another when the answer was lost and the person tries again', async () => {
    const person = await testServer.join();
    const lost = await renew(person);
    const token = await renew(person);
    expect(await getStatus(lost)).toBe(401);
    expect(await getStatus(person.token)).toBe(200);
    expect([await getStatus(token), await getStatus(person.token)]).toEqual([200, 401]);
  });

  test('survives renewals one after the other', async () => {
    const person = await testServer.join();
    let { token } = person;
    for (let round = 0; round < 3; round += 1) {
      const next = await renew(person, token);
      expect([await getStatus(next), await getStatus(token)]).toEqual([200, 401]);
      token = next;
    }
  });

  test('is one of two when two tabs ask at the same moment, and both old and newest work', async () => {
    const person = await testServer.join();
    const answers = await Promise.all([1, 2].map(() => prove(person.token, { password: person.password })));
    const tokens = answers.filter(({ status }) => status === 200).map(({ body }) => body.token);
    expect(tokens.length).toBeGreaterThan(0);
    expect(await getStatus(person.token)).toBe(200);
    const statuses = await Promise.all(tokens.map(getStatus));
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
  });

  test('lets a write with the old one that was on its way arrive once', async () => {
    const person = await testServer.join();
    const { id } = await addProfile(testServer, person);
    const key = randomUUID();
    const add = (token: string) =>
      testServer.call<{ data: { id: string } }>('POST /skills', {
        token,
        headers: { 'idempotency-key': key },
        body: { profile_id: id, name: 'Kathak', level: 2 },
      });
    const token = await renew(person);
    const first = await add(person.token);
    expect(first.status).toBe(201);
    const repeated = await add(token);
    expect(repeated.headers['idempotency-replayed']).toBe('true');
    expect(repeated.body.data.id).toBe(first.body.data.id);
    expect((await add(person.token)).status).toBe(401);
  });

  test('ends with the session, whichever of the two tokens signs out', async () => {
    for (const which of ['old', 'new']) {
      const person = await testServer.join();
      const token = await renew(person);
      expect((await testServer.call('POST /logout', { token: which === 'old' ? person.token : token })).status).toBe(
        200,
      );
      expect([await getStatus(person.token), await getStatus(token)]).toEqual([401, 401]);
    }
  });

  test('comes with a new password for an app that stores it, and not for an older one', async () => {
    const change = (person: Person, more: object) =>
      testServer.call<{ token?: string }>('PUT /password', {
        token: person.token,
        body: { current_password: person.password, password: 'the prompter never sleeps', ...more },
      });
    const old = await testServer.join();
    const answer = await change(old, {});
    expect(answer.body).toEqual({ message: 'Password changed' });
    testServer.clock.advance(11 * MINUTE_MS);
    expect(await getStatus(old.token)).toBe(200);
    const person = await testServer.join();
    const { body } = await change(person, { renew_token: true });
    expect([await getStatus(body.token!), await getStatus(person.token)]).toEqual([200, 401]);
  });
});

describe('a fresh sign-in', () => {
  const endSession = async (token: string, id: string, key?: string) =>
    testServer.call(`DELETE /sessions/${id}`, { token, ...(key && { headers: { 'idempotency-key': key } }) });

  test('lasts five minutes, and is renewed by the password', async () => {
    const person = await testServer.join();
    const other = await testServer.signIn(person);
    testServer.clock.advance(5 * MINUTE_MS);
    const key = randomUUID();
    const [id] = (
      await testServer.call<{ id: string; current: boolean }[]>('GET /sessions', { token: person.token })
    ).body
      .filter(({ current }) => !current)
      .map((session) => session.id);
    const refused = await endSession(person.token, id!, key);
    expect([refused.status, refused.body]).toEqual([403, { message: expect.any(String), reason: 'reauth' }]);
    expect(await getStatus(other.token)).toBe(200);
    const proven = await prove(person.token, { password: person.password });
    expect(proven.body.fresh_until).toBe(new Date(testServer.clock.now().getTime() + 5 * MINUTE_MS).toISOString());
    expect((await endSession(proven.body.token, id!, key)).status).toBe(200);
    expect((await endSession(proven.body.token, id!, key)).headers['idempotency-replayed']).toBe('true');
    expect(await getStatus(other.token)).toBe(401);
  });

  test.each([
    ['GET /account/export', undefined],
    ['DELETE /account', {}],
    ['POST /passkeys/options', undefined],
    ['POST /recovery-codes', undefined],
    ['DELETE /passkeys/nothing', undefined],
  ])('is needed for %s', async (request, body) => {
    const person = await testServer.join();
    testServer.clock.advance(5 * MINUTE_MS);
    const answer = await testServer.call(request, { token: person.token, ...(body && { body }) });
    expect([answer.status, answer.body.reason]).toEqual([403, 'reauth']);
    expect(await getStatus(person.token)).toBe(200);
  });

  test('is not needed to delete the account with the password, as older apps do', async () => {
    const person = await testServer.join();
    testServer.clock.advance(5 * MINUTE_MS);
    const { token, password } = person;
    const refused = await testServer.call('DELETE /account', { token, body: { password: 'not the password' } });
    expect([refused.status, Object.keys(refused.body.errors as object)]).toEqual([422, ['password']]);
    expect((await testServer.call('DELETE /account', { token, body: { password } })).status).toBe(200);
  });

  test('is not needed to sign out the device itself', async () => {
    const person = await testServer.join();
    testServer.clock.advance(5 * MINUTE_MS);
    const [id] = await listSessionIds(person.token);
    expect((await endSession(person.token, id!)).status).toBe(200);
  });

  test('is missing in sessions from before the release', async () => {
    const person = await testServer.join();
    await testServer.database.pool.query('update sessions set reauth_at = null where user_id = $1', [person.id]);
    expect((await testServer.call('GET /account/export', { token: person.token })).status).toBe(403);
    expect((await testServer.call('GET /account/export', { token: await renew(person) })).status).toBe(200);
  });

  test('is not given for a wrong password or nothing', async () => {
    const person = await testServer.join();
    for (const body of [{ password: 'not this one' }, {}, { password: '' }, { challenge_id: randomUUID() }]) {
      const answer = await testServer.call('POST /reauth', { token: person.token, body });
      expect([answer.status, Object.keys(answer.body.errors as object)]).toEqual([422, ['password']]);
    }
    expect(await getStatus(person.token)).toBe(200);
  });
});
