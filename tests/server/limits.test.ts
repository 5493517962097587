import { describe, expect, test } from 'vitest';
import { useStage } from './support/stage.ts';

const MINUTE = 60_000;
const body = (email: string, password = 'not this one') => ({ body: { email, password } });

describe('sign-in', () => {
  const stage = useStage({ env: { RATE_LIMIT_SCALE: '1' } });

  test('after ten failures in a quarter of an hour even the right password waits', async () => {
    const person = await stage.join();
    for (let n = 0; n < 10; n += 1) {
      expect((await stage.call('POST /login', body(person.email))).status).toBe(422);
    }
    const refused = await stage.call('POST /login', body(person.email, person.password));
    expect(refused.status).toBe(429);
    expect(Number(refused.headers['retry-after'])).toBeGreaterThan(60);
    stage.clock.advance(31 * MINUTE);
    expect((await stage.call('POST /login', body(person.email, person.password))).status).toBe(200);
  });

  test('guesses made at once do not slip through together', async () => {
    const person = await stage.join();
    const answers = await Promise.all(Array.from({ length: 30 }, () => stage.call('POST /login', body(person.email))));
    expect(answers.filter((answer) => answer.status === 422).length).toBe(10);
    expect(answers.filter((answer) => answer.status === 429).length).toBe(20);
  });

  test('signing in rightly costs nothing', async () => {
    const person = await stage.join();
    for (let n = 0; n < 15; n += 1) {
      expect((await stage.call('POST /login', body(person.email, person.password))).status).toBe(200);
    }
  });

  test('an unknown address is throttled just so', async () => {
    const statuses: number[] = [];
    for (let n = 0; n < 11; n += 1)
      statuses.push((await stage.call('POST /login', body('ghost@callboard.example'))).status);
    expect(statuses).toEqual([...Array<number>(10).fill(422), 429]);
  });
});

describe('an address', () => {
  const stage = useStage({ env: { RATE_LIMIT_SCALE: '0.1' } });

  test('has its failures counted over all accounts', async () => {
    const statuses = new Set<number>();
    for (let n = 0; n < 10; n += 1)
      statuses.add((await stage.call('POST /login', body(`g${n}@callboard.example`))).status);
    expect(statuses).toEqual(new Set([422]));
    expect((await stage.call('POST /login', body('g10@callboard.example'))).status).toBe(429);
  });

  test('registers so many people an hour', async () => {
    const register = async (name: string) => {
      const body = { name: 'Ila Deshpande', email: `${name}@callboard.example`, password: 'the ghost light stays on' };
      return (await stage.call('POST /register', { body })).status;
    };
    for (let n = 0; n < 10; n += 1) expect(await register(`new${n}`)).toBe(201);
    expect(await register('new10')).toBe(429);
    stage.clock.advance(2 * 60 * MINUTE);
    expect(await register('new10')).toBe(201);
  });
});

describe('a person', () => {
  const stage = useStage({ env: { RATE_LIMIT_SCALE: '0.05' } });

  test('reads and writes so much a minute, and is told when to come back', async () => {
    const [one, two] = [await stage.join(), await stage.join()];
    const write = (token: string) => stage.call('PUT /profile/update', { token, body: {} });
    for (let n = 0; n < 30; n += 1) expect((await write(one.token)).status).toBe(404);
    const refused = await write(one.token);
    expect(refused.status).toBe(429);
    expect(refused.body).toEqual({ message: expect.any(String) });
    const waitS = Number(refused.headers['retry-after']);
    expect(waitS).toBeGreaterThan(0);
    expect(waitS).toBeLessThanOrEqual(60);
    expect((await write(two.token)).status).toBe(404);
    expect((await stage.call('GET /user', { token: one.token })).status).toBe(200);
    for (let n = 0; n < 149; n += 1) await stage.call('GET /user', { token: one.token });
    expect((await stage.call('GET /user', { token: one.token })).status).toBe(429);
    stage.clock.advance(2 * MINUTE);
    expect((await write(one.token)).status).toBe(404);
  });
});
