import { randomUUID } from 'node:crypto';
import { solveChallenge } from 'altcha-lib';
import { deriveKey } from 'altcha-lib/algorithms/pbkdf2';
import { expect, test } from 'vitest';
import type { Challenge, SolvedChallenge } from '#contract/records/registration.ts';
import { CHALLENGE_MS } from '#server/features/account/registration-challenge.ts';
import { openTestServer, useTestServer } from './support/test-server.ts';

const testServer = useTestServer({ env: { CHALLENGE: '1' } });

async function fetchChallenge(on = testServer): Promise<Challenge> {
  const { status, headers, body } = await on.call<{ challenge: Challenge }>('GET /challenge');
  expect([status, headers['cache-control']]).toEqual([200, 'no-store']);
  return body.challenge;
}
async function solve(challenge: Challenge): Promise<SolvedChallenge> {
  const solution = await solveChallenge({ challenge, deriveKey });
  return { challenge, solution: { counter: solution!.counter, derivedKey: solution!.derivedKey } };
}
const register = (challenge?: unknown, on = testServer, fields: object = {}) =>
  on.call<{ errors?: Record<string, string[]> }>('POST /register', {
    body: {
      name: 'Noor Rahman',
      email: `noor-${randomUUID()}@callboard.example`,
      password: 'the prompter never sleeps',
      ...(challenge !== undefined && {
        challenge: typeof challenge === 'string' ? challenge : JSON.stringify(challenge),
      }),
      ...fields,
    },
  });
const REFUSED = { challenge: ['Something went wrong. Try again.'] };

test('registers a person whose device has solved the challenge, once', async () => {
  const solved = await solve(await fetchChallenge());
  expect((await register(solved)).status).toBe(201);
  const again = await register(solved);
  expect([again.status, again.body.errors]).toEqual([422, REFUSED]);
});

test('registers one of two people who use a solution at the same moment', async () => {
  const solved = await solve(await fetchChallenge());
  const answers = await Promise.all([register(solved), register(solved)]);
  expect(answers.map(({ status }) => status).sort()).toEqual([201, 422]);
});

test('asks an app that does not know challenges to be loaded again', async () => {
  const { status, body } = await register();
  expect([status, body.errors]).toEqual([422, { challenge: ['Reload this page and try again.'] }]);
});

test('refuses a solution that is wrong, edited, of another server, too old, or no solution', async () => {
  const solved = await solve(await fetchChallenge());
  const { challenge, solution } = solved;
  const edit = (parameters: Partial<Challenge['parameters']>) => ({
    ...solved,
    challenge: { ...challenge, parameters: { ...challenge.parameters, ...parameters } },
  });
  const easy = await solve({ ...challenge, parameters: { ...challenge.parameters, keyPrefix: '00', cost: 1 } });
  const refused = [
    { challenge, solution: { ...solution, counter: solution.counter + 1 } },
    { challenge, solution: { ...solution, derivedKey: '0'.repeat(64) } },
    {
      ...solved,
      challenge: { ...challenge, signature: challenge.signature.replace(/^./, (a) => (a === '0' ? '1' : '0')) },
    },
    edit({ data: { until: challenge.parameters.data.until + 1 } }),
    edit({ nonce: '0'.repeat(32) }),
    easy,
    { challenge },
    'null',
    'not JSON',
    '',
  ];
  for (const each of refused) {
    const { status, body } = await register(each);
    expect([status, body.errors]).toEqual([422, REFUSED]);
  }
  // None of that has used it up.
  expect((await register(solved)).status).toBe(201);
  const late = await solve(await fetchChallenge());
  testServer.clock.advance(CHALLENGE_MS);
  expect((await register(late)).body.errors).toEqual(REFUSED);
});

test('keeps a solution while the form has slips that cost nothing to find', async () => {
  const solved = await solve(await fetchChallenge());
  for (const fields of [{ password: 'Password123' }, { name: 'Callboard Support' }, { email: 'nowhere' }]) {
    expect(Object.keys((await register(solved, testServer, fields)).body.errors ?? {})).toEqual(Object.keys(fields));
  }
  expect((await register(solved)).status).toBe(201);
});

test('costs four times as much once unusually many accounts were made, and refuses nobody', async () => {
  const server = await openTestServer({ env: { CHALLENGE: '1', RATE_LIMIT_SCALE: '0.02' } });
  try {
    const calm = await fetchChallenge(server);
    expect((await register(await solve(calm), server)).status).toBe(201);
    // Of 2,000 an hour at this scale.
    await server.database.pool.query(`update limits set points = 40 where key like 'register.all%'`);
    const crowded = await fetchChallenge(server);
    expect([calm.parameters.cost, crowded.parameters.cost]).toEqual([2000, 8000]);
    expect((await register(await solve(crowded), server)).status).toBe(201);
  } finally {
    await server.close();
  }
});

test('asks for no solution where the operator has switched that off', async () => {
  const server = await openTestServer();
  try {
    expect((await server.call('GET /challenge')).body).toEqual({ challenge: null });
    expect((await register(undefined, server)).status).toBe(201);
    expect((await register('anything', server)).status).toBe(201);
  } finally {
    await server.close();
  }
});
