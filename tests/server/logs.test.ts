import { pino } from 'pino';
import { expect, test } from 'vitest';
import { formatEntry } from '#server/platform/log.ts';
import { openTestServer } from './support/test-server.ts';

test('logs each request as JSON with its id and without secrets', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'debug', base: undefined }, { write: (line) => lines.push(line) });
  const testServer = await openTestServer({ log });
  const person = await testServer.join();
  const answer = await testServer.call('GET /sync?cursor=signed-secret', { token: person.token });
  await testServer.call('POST /login', { body: { email: person.email, password: 'a wrong secret' } });
  const newcomer = { name: 'New Face', email: 'newcomer@callboard.example', password: 'never seen in a log' };
  await testServer.database.pool.query('alter table users add constraint nobody check (false) not valid');
  expect((await testServer.call('POST /register', { body: newcomer })).status).toBe(500);
  await testServer.close();

  expect(lines.join('')).toContain('insert into');
  const entries = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  expect(entries.find((entry) => entry.reqId === answer.headers['x-request-id'])).toMatchObject({
    method: 'GET',
    route: '/sync',
    status: 410,
    user: Number(person.id),
  });
  expect(entries.filter((entry) => entry.level === 50)).toHaveLength(1);
  for (const secret of [
    person.token,
    person.password,
    person.email,
    'signed-secret',
    'a wrong secret',
    newcomer.email,
    newcomer.password,
    '$argon2id$',
  ]) {
    expect(lines.join('')).not.toContain(secret);
  }
});

test('logs who signs in, who fails to, what is refused and whom, each with its address', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'info', base: undefined }, { write: (line) => lines.push(line) });
  const testServer = await openTestServer({ log, env: { RATE_LIMIT_SCALE: '1' } });
  const [person, other] = [await testServer.join(), await testServer.join()];
  const { id, email, password } = person;
  lines.length = 0;
  const newcomer = { name: 'New Face', email: 'newcomer@callboard.example', password: 'the ghost light stays on' };
  const { body } = await testServer.call<{ user: { id: string } }>('POST /register', { body: newcomer });
  await testServer.call('POST /login', { body: { email, password } });
  await testServer.call('POST /login', { body: { email, password: 'a guess' } });
  await testServer.call('POST /login', { body: { email: 'nobody@callboard.example', password } });
  await testServer.call('POST /login/recovery', { body: { email, code: 'ABCDEFGHJK' } });
  await testServer.call('GET /user', { token: 'x'.repeat(43) });
  // More than five minutes after the sign-in, the call asks for a proof.
  testServer.clock.advance(6 * 60_000);
  await testServer.call('POST /recovery-codes', { token: other.token });
  await testServer.call('PUT /profile/update', { token: other.token, body: { profile_id: '999999' } });
  for (let n = 0; n < 11; n += 1) await testServer.call('POST /login', { body: { email, password: 'a guess' } });
  await testServer.close();

  const events = lines.map((line) => JSON.parse(line) as Record<string, unknown>);
  const answers = events.filter(({ msg }) => msg === 'answered');
  expect(answers.every(({ ip, reqId, time }) => ip === '127.0.0.1' && Boolean(reqId) && Number(time) > 0)).toBe(true);
  const facts = answers.map(({ method, route, status, user, account }) => [
    `${String(method)} ${String(route)}`,
    status,
    user,
    account,
  ]);
  expect(facts.slice(0, 8)).toEqual([
    ['POST /register', 201, undefined, Number(body.user.id)],
    ['POST /login', 200, undefined, Number(id)],
    ['POST /login', 422, undefined, Number(id)],
    ['POST /login', 422, undefined, undefined],
    ['POST /login/recovery', 422, undefined, Number(id)],
    ['GET /user', 401, undefined, undefined],
    ['POST /recovery-codes', 403, Number(other.id), undefined],
    ['PUT /profile/update', 404, Number(other.id), undefined],
  ]);
  expect(facts.at(-1)).toEqual(['POST /login', 429, undefined, Number(id)]);
});

test('logs a database error without the values in it', async () => {
  const lines: string[] = [];
  const log = pino({ level: 'error', base: undefined }, { write: (line) => lines.push(line) });
  const testServer = await openTestServer({ log });
  await testServer.database.pool.query(`
    create function refuse() returns trigger language plpgsql as
      $$ begin raise exception 'syntax error in "%"', new.email; end $$;
    create trigger refuse before insert on users for each row execute function refuse()`);
  const body = { name: 'New Face', email: 'newcomer@callboard.example', password: 'never seen in a log' };
  expect((await testServer.call('POST /register', { body })).status).toBe(500);
  await testServer.close();

  expect(lines).toHaveLength(1);
  expect(lines[0]).toContain('syntax error in \\"…\\"');
  expect(lines[0]).not.toContain('newcomer');
});

test('prints warnings and errors in a readable form on a terminal', () => {
  const lines: string[] = [];
  const log = pino({ level: 'info', base: undefined }, { write: (line) => lines.push(formatEntry(line)) });
  log.warn({ reason: 'restart' }, 'lost an idle database connection');
  log.error({ err: new Error('disk full') }, 'request failed');
  log.warn({ code: 'ENOSPC', hint: 'store.ts:12' }, 'the search index waits');
  expect(lines[0]).toBe('Warning: lost an idle database connection\n');
  expect(lines[2]).toBe('Warning: the search index waits (ENOSPC, store.ts:12)\n');
  expect(lines[1]).toMatch(/^Error: request failed\nError: disk full\n {4}at /);
});
