import { once } from 'node:events';
import net, { type AddressInfo } from 'node:net';
import { pino } from 'pino';
import { RateLimiterPostgres } from 'rate-limiter-flexible';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { buildApp } from '#server/app.ts';
import { LIMIT } from '#server/platform/http/limits.ts';
import { deleteEndedWindows } from '#server/platform/http/shared-limiter.ts';
import { isFull } from '../support/quantity.ts';
import { addProfile, connect } from './support/people.ts';
import { createCall, openTestServer, type Person, type TestServer, useTestServer } from './support/test-server.ts';

const MINUTE_MS = 60_000;
/** The limiter answers within a second; the machine may be busy with other tests. */
const ANSWER_MS = 1500;

const DAY_MS = 24 * 60 * MINUTE_MS;

const guess = (email: string, password = 'not this one') => ({ body: { email, password } });

/** Opens a second node on the database of a test server. */
async function openNode({
  app,
  database,
  clock,
}: TestServer): Promise<Pick<TestServer, 'call'> & { close: () => Promise<void> }> {
  const { config, storage } = app.deps;
  const { db, connection } = database;
  const node = await buildApp({ config, db, connection, clock, storage });
  return { call: createCall(node), close: () => node.close() };
}

/** Runs `work` with two nodes on one database. */
async function withTwoNodes(
  work: (one: TestServer, two: Pick<TestServer, 'call'>) => Promise<void>,
  env: Record<string, string> = {},
): Promise<void> {
  const one = await openTestServer({ env: { RATE_LIMIT_SCALE: '1', ...env } });
  const two = await openNode(one);
  try {
    await work(one, two);
  } finally {
    await two.close();
    await one.close();
  }
}

describe('two nodes on one database', () => {
  test('refuse the eleventh wrong password whichever of them answers', async () => {
    await withTwoNodes(async (one, two) => {
      const person = await one.join();
      const statuses: number[] = [];
      for (let n = 0; n < 10; n += 1) {
        statuses.push((await (n % 2 === 0 ? one : two).call('POST /login', guess(person.email))).status);
      }
      expect(statuses).toEqual(Array<number>(10).fill(422));
      for (const node of [two, one]) {
        const refused = await node.call('POST /login', guess(person.email, person.password));
        expect([refused.status, refused.body]).toEqual([429, { message: expect.any(String) as string }]);
        expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
      }
    });
  });

  test('let exactly ten of forty concurrent guesses through', async () => {
    await withTwoNodes(async (one, two) => {
      const person = await one.join();
      const answers = await Promise.all(
        Array.from({ length: 40 }, (_, n) => (n % 2 === 0 ? one : two).call('POST /login', guess(person.email))),
      );
      expect(answers.filter(({ status }) => status === 422)).toHaveLength(10);
      expect(answers.filter(({ status }) => status === 429)).toHaveLength(30);
    });
  });

  if (isFull) {
    test('refuse the eleventh guess also when their clocks are 90 seconds apart', async () => {
      vi.useFakeTimers({ toFake: ['Date'] });
      try {
        await withTwoNodes(async (one, two) => {
          const person = await one.join();
          const now = Date.now();
          const statuses: number[] = [];
          for (let n = 0; n < 11; n += 1) {
            vi.setSystemTime(n % 2 === 0 ? now : now + 90_000);
            statuses.push((await (n % 2 === 0 ? one : two).call('POST /login', guess(person.email))).status);
          }
          expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
        });
      } finally {
        vi.useRealTimers();
      }
    });

    test('let a person in from a known device whom guesses from elsewhere have locked out', async () => {
      await withTwoNodes(
        async (one, two) => {
          const person = await one.join();
          const from = (network: string, cookie = '') => ({ 'x-forwarded-for': network, cookie });
          const signIn = (node: Pick<TestServer, 'call'>, headers: Record<string, string>) =>
            node.call('POST /login', { ...guess(person.email, person.password), headers });
          const known = await signIn(one, from('198.51.100.1'));
          const cookie =
            [known.headers['set-cookie']].flat().find((each) => each?.startsWith('callboard-device=')) ?? '';
          for (let n = 0; n < 51; n += 1) {
            const headers = from(`203.0.113.${Math.floor(n / 9)}`);
            await (n % 2 === 0 ? one : two).call('POST /login', { ...guess(person.email), headers });
          }
          for (const [node, network] of [
            [one, '192.0.2.1'],
            [two, '192.0.2.2'],
          ] as const) {
            expect((await signIn(node, from(network))).status).toBe(429);
            expect((await signIn(node, from(network, cookie.split(';', 1)[0]))).status).toBe(200);
          }
        },
        { TRUST_PROXY: '1' },
      );
    });
  }

  test('count neither a sign-in that succeeds nor one that is refused', async () => {
    await withTwoNodes(async (one, two) => {
      const person = await one.join();
      for (let n = 0; n < 9; n += 1) await one.call('POST /login', guess(person.email));
      // Two at once: one takes the tenth use, so the other may be refused. Neither remains counted.
      const together = await Promise.all(
        [one, one].map((node) => node.call('POST /login', guess(person.email, person.password))),
      );
      expect(together.map(({ status }) => status)).toContain(200);
      expect((await two.call('POST /login', guess(person.email, person.password))).status).toBe(200);
      await expect
        .poll(async () => (await one.call('POST /login', guess(person.email, person.password))).status)
        .toBe(200);
    });
  });
});

describe('the table of limits', () => {
  const testServer = useTestServer({ env: { RATE_LIMIT_SCALE: '1', TRUST_PROXY: '1' } });

  test('holds no address, network or person in the clear, and is not logged', async () => {
    const person = await testServer.join();
    const headers = { 'x-forwarded-for': '203.0.113.77' };
    await testServer.call('POST /login', { ...guess(person.email), headers });
    await testServer.call('POST /password/forgot', { body: { email: person.email }, headers });
    await testServer.call('DELETE /account', { token: person.token, body: { password: 'a guess' } });
    const { rows } = await testServer.database.pool.query<{ key: string }>('select key from limits order by key');
    const names = rows.map(({ key }) => key.split(':')[0]);
    expect(names).toEqual([
      'confirm.user',
      'reset.address',
      'reset.network',
      'signin.account',
      'signin.account_network',
      'signin.network',
    ]);
    for (const { key } of rows) expect(key).toMatch(/^[a-z._]+:[\w-]{43}$/);
    const table = await testServer.database.pool.query(`select relpersistence from pg_class where relname = 'limits'`);
    expect(table.rows).toEqual([{ relpersistence: 'u' }]);
  });

  test('loses the rows of windows that ended more than an hour ago', async () => {
    const { pool, db } = testServer.database;
    const now = testServer.clock.now();
    await pool.query('delete from limits');
    await pool.query('insert into limits (key, points, expire) values ($1, 1, $2), ($3, 1, $4)', [
      'reset.address:old',
      now.getTime() - 61 * MINUTE_MS,
      'reset.address:new',
      now.getTime() - 59 * MINUTE_MS,
    ]);
    await deleteEndedWindows(db, now);
    expect((await pool.query('select key from limits')).rows).toEqual([{ key: 'reset.address:new' }]);
  });
});

describe('a limit', () => {
  const testServer = useTestServer({ env: { RATE_LIMIT_SCALE: '0.05' } });
  const toLongAgo = (days: number) => testServer.clock.advance(days * DAY_MS);

  /** Connects a person with others, and returns the body of the first message to each. */
  async function addConversations(person: Person, count: number) {
    const bodies: { conversation_id: string; receiver_id: string; message: string; client_id: string }[] = [];
    for (let n = 0; n < count; n += 1) {
      const other = await testServer.join();
      await addProfile(testServer, other);
      await connect(testServer, other, person);
      const { body } = await testServer.call<{ conversation_id: string }[]>('GET /conversations', {
        token: other.token,
      });
      const conversation_id = body[0]!.conversation_id;
      bodies.push({ conversation_id, receiver_id: other.id, message: 'Places', client_id: crypto.randomUUID() });
    }
    return bodies;
  }

  test('on first messages counts each conversation once, and neither answers nor repeats', async () => {
    const person = await testServer.join();
    await addProfile(testServer, person);
    toLongAgo(8);
    const bodies = await addConversations(await testServer.signIn(person), 2);
    const { token } = await testServer.signIn(person);
    const key = { 'idempotency-key': crypto.randomUUID() };
    const send = async (n: number, headers = {}) =>
      (await testServer.call('POST /chat/send', { token, headers, body: bodies[n] })).status;
    // One message is a twentieth of twenty.
    expect(await send(0, key)).toBe(201);
    expect([await send(0, key), await send(0)]).toEqual([201, 200]);
    const again = { ...bodies[0]!, message: 'Beginners', client_id: crypto.randomUUID() };
    expect((await testServer.call('POST /chat/send', { token, body: again })).status).toBe(201);
    const refused = await testServer.call('POST /chat/send', { token, body: bodies[1] });
    expect(refused.status).toBe(429);
    // The app sends nothing for as long, so the wait is short.
    expect(Number(refused.headers['retry-after'])).toBeLessThanOrEqual(60);
    expect([await send(0, key), await send(0)]).toEqual([201, 200]);
  });

  test('on connection requests is a third for accounts of under a week', async () => {
    const [fresh, settled] = [await testServer.join(), await testServer.join()];
    const ids: string[] = [];
    for (let n = 0; n < 4; n += 1) {
      const other = await testServer.join();
      await addProfile(testServer, other);
      ids.push(other.id);
    }
    const ask = async ({ token }: Person) => {
      const statuses: number[] = [];
      for (const id of ids) statuses.push((await testServer.call(`POST /connections/request/${id}`, { token })).status);
      return statuses;
    };
    expect(await ask(fresh)).toEqual([201, 429, 429, 429]);
    toLongAgo(8);
    expect(await ask(await testServer.signIn(settled))).toEqual([201, 201, 201, 429]);
  });

  test('on uploads counts those that are begun, not repeats', async () => {
    const { token } = await testServer.join();
    const begin = async (id: string) => {
      const metadata = `id ${Buffer.from(id).toString('base64')}`;
      const headers = { 'tus-resumable': '1.0.0', 'upload-length': '5', 'upload-metadata': metadata };
      return (await testServer.call('POST /uploads', { token, headers })).status;
    };
    const ids = Array.from({ length: 16 }, () => crypto.randomUUID());
    for (const id of ids.slice(0, 15)) expect(await begin(id)).toBe(201);
    expect(await begin(ids[15]!)).toBe(429);
    expect(await begin(ids[0]!)).toBe(201);
  });
});

test('a use that was refused while another was being taken back shuts nobody out', async () => {
  const testServer = await openTestServer({ env: { RATE_LIMIT_SCALE: '0.001' } });
  const { sharedLimiter } = testServer.app.deps;
  const { pool } = testServer.database;
  const giveBack = await sharedLimiter.take(LIMIT.reports, '1');
  const holder = await pool.connect();
  await holder.query('begin');
  await holder.query('select 1 from limits for update');
  const isWaiting = async (count: number) => {
    const { rows } = await pool.query<{ n: number }>(
      `select count(*)::int as n from pg_stat_activity
       where datname = current_database() and application_name = 'callboard limits' and wait_event_type = 'Lock'`,
    );
    return rows[0]?.n === count;
  };
  // The second use reaches the database before the first is taken back.
  const second = sharedLimiter.take(LIMIT.reports, '1').catch(() => 'refused');
  await vi.waitUntil(() => isWaiting(1), { interval: 5 });
  const givenBack = giveBack();
  await vi.waitUntil(() => isWaiting(2), { interval: 5 });
  await holder.query('commit');
  holder.release();
  await givenBack;
  expect(await second).toBe('refused');
  await vi.waitFor(async () => {
    await sharedLimiter.take(LIMIT.reports, '1');
  });
  await testServer.close();
});

test('a use that was refused while a refused one was being taken back shuts nobody out', async () => {
  const testServer = await openTestServer({ env: { RATE_LIMIT_SCALE: '0.001' } });
  const { sharedLimiter } = testServer.app.deps;
  const take = () => sharedLimiter.take(LIMIT.reports, '1');
  const giveBack = await take();
  let release: () => void = () => {};
  const released = new Promise<void>((resolve) => (release = resolve));
  const original = RateLimiterPostgres.prototype.reward;
  const reward = vi.spyOn(RateLimiterPostgres.prototype, 'reward').mockImplementationOnce(async function (
    this: RateLimiterPostgres,
    ...args
  ) {
    await released;
    return original.apply(this, args);
  });
  await expect(take()).rejects.toThrow('Too many requests');
  await giveBack();
  await expect(take()).rejects.toThrow('Too many requests');
  release();
  await vi.waitFor(() =>
    expect(reward.mock.settledResults.map(({ type }) => type)).toEqual(Array(3).fill('fulfilled')),
  );
  await expect(take()).resolves.toBeInstanceOf(Function);
  reward.mockRestore();
  await testServer.close();
});

test('a flood of refused uses does not reach the database', async () => {
  const testServer = await openTestServer({ env: { RATE_LIMIT_SCALE: '0.001' } });
  const { sharedLimiter } = testServer.app.deps;
  const take = () => sharedLimiter.take(LIMIT.reports, '1');
  await take();
  await expect(take()).rejects.toThrow('Too many requests');
  const consume = vi.spyOn(RateLimiterPostgres.prototype, 'consume');
  await vi.waitFor(async () => {
    consume.mockClear();
    await expect(take()).rejects.toThrow('Too many requests. Try again in about 60 minutes');
    expect(consume).not.toHaveBeenCalled();
  });
  consume.mockRestore();
  await testServer.close();
});

test('a pause of the whole process does not make a node count by itself', async () => {
  const warnings: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line) => warnings.push(line) });
  const testServer = await openTestServer({ env: { RATE_LIMIT_SCALE: '1' }, log });
  const { sharedLimiter } = testServer.app.deps;
  await sharedLimiter.take(LIMIT.reports, '1');
  const taking = sharedLimiter.take(LIMIT.reports, '1');
  // The query is on its way when the process pauses for longer than it waits for an answer.
  await new Promise((resolve) => setImmediate(resolve));
  for (const startedAt = performance.now(); performance.now() - startedAt < 1200;);
  await taking;
  expect(warnings).toEqual([]);
  await testServer.close();
});

describe('while the database does not answer the limiter', () => {
  let close: () => Promise<void> = async () => {};
  afterEach(() => close());

  /** Guesses until refused, and returns how many guesses were allowed and the longest time of an answer. */
  async function guessUntilRefused(testServer: TestServer): Promise<{ allowed: number; slowestMs: number }> {
    const { email } = await testServer.join();
    let slowestMs = 0;
    for (let allowed = 0; allowed < 20; allowed += 1) {
      const startedAt = performance.now();
      const { status } = await testServer.call('POST /login', guess(email));
      slowestMs = Math.max(slowestMs, performance.now() - startedAt);
      if (status === 429) return { allowed, slowestMs };
      expect(status).toBe(422);
    }
    throw new Error('No guess was refused');
  }

  test('each node allows half as much by itself when connections are refused', async () => {
    const closed = net.createServer().listen(0, '127.0.0.1');
    await once(closed, 'listening');
    const { port } = closed.address() as AddressInfo;
    closed.close();
    const connection = { connectionString: `postgres://127.0.0.1:${port}/nowhere` };
    const testServer = await openTestServer({ env: { RATE_LIMIT_SCALE: '1' }, connection });
    close = () => testServer.close();
    expect((await guessUntilRefused(testServer)).allowed).toBe(5);
  });

  if (isFull) {
    test('each node answers within a second when connections are silent or busy', async () => {
      const silent = net.createServer().listen(0, '127.0.0.1');
      await once(silent, 'listening');
      const { port } = silent.address() as AddressInfo;
      const connection = { connectionString: `postgres://127.0.0.1:${port}/nowhere` };
      const testServer = await openTestServer({ env: { RATE_LIMIT_SCALE: '1' }, connection });
      close = async () => {
        await testServer.close();
        silent.close();
      };
      const { sharedLimiter } = testServer.app.deps;
      const startedAt = performance.now();
      await Promise.all(Array.from({ length: 5 }, (_, n) => sharedLimiter.take(LIMIT.reports, String(n))));
      expect(performance.now() - startedAt).toBeLessThan(ANSWER_MS);
      expect((await guessUntilRefused(testServer)).allowed).toBe(5);
    });
  }

  test('each node answers within a second when the table is locked', async () => {
    const testServer = await openTestServer({ env: { RATE_LIMIT_SCALE: '1' } });
    const holder = await testServer.database.pool.connect();
    await holder.query('begin; lock table limits in access exclusive mode');
    close = async () => {
      await holder.query('rollback');
      holder.release();
      await testServer.close();
    };
    const { sharedLimiter } = testServer.app.deps;
    const startedAt = performance.now();
    await sharedLimiter.take(LIMIT.reports, '1');
    expect(performance.now() - startedAt).toBeLessThan(ANSWER_MS);
  });
});
