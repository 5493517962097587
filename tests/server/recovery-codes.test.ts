import pg from 'pg';
import { describe, expect, test, vi } from 'vitest';
import type { SignedIn } from '#contract/records/account.ts';
import type { NewRecoveryCodes } from '#contract/records/sign-in.ts';
import { replaceCodes } from '#server/features/account/recovery-codes.ts';
import { isFull } from '../support/quantity.ts';
import { mailboxOf } from './support/mailbox.ts';
import { openTestServer, useTestServer, type Person, type TestServer } from './support/test-server.ts';

const testServer = useTestServer();
const { readToken } = mailboxOf(testServer);

async function make({ token }: Person, server: TestServer = testServer): Promise<string[]> {
  const answer = await server.call<NewRecoveryCodes>('POST /recovery-codes', { token });
  expect([answer.status, answer.headers['cache-control']]).toEqual([201, 'no-store']);
  return answer.body.codes;
}
const signIn = (email: string, code: string, server: TestServer = testServer) =>
  server.call<SignedIn & { errors?: object }>('POST /login/recovery', { body: { email, code } });
const secure = (token: string) => testServer.call('POST /secure', { body: { token } });
const countLeft = async ({ token }: Person) =>
  (await testServer.call<{ left: number }>('GET /recovery-codes', { token })).body.left;

describe('recovery codes', () => {
  test('are ten, of characters that are not easily mistaken, and stored as hashes', async () => {
    const person = await testServer.join();
    expect(await countLeft(person)).toBe(0);
    const codes = await make(person);
    expect(new Set(codes).size).toBe(10);
    for (const code of codes) expect(code).toMatch(/^[0-9A-HJKMNP-TV-Z]{10}$/);
    expect(await countLeft(person)).toBe(10);
    const { rows } = await testServer.database.pool.query<{ hash: string }>(
      'select hash from recovery_codes where user_id = $1',
      [person.id],
    );
    expect(rows.every(({ hash }) => hash.startsWith('$argon2id$v=19$m=19456,t=2,p=1$'))).toBe(true);
    expect(JSON.stringify(rows)).not.toContain(codes[0]);
  });

  test('sign in once each, in whatever way they are typed', async () => {
    const person = await testServer.join();
    const codes = await make(person);
    const typed = ` ${codes[3]!.slice(0, 5).toLowerCase()} - ${codes[3]!.slice(5).replaceAll('0', 'o').replaceAll('1', 'l')} `;
    const answer = await signIn(` ${person.email.toUpperCase()}`, typed);
    expect([answer.status, answer.body.user.id]).toEqual([200, person.id]);
    const fresh = await testServer.call('POST /recovery-codes', { token: answer.body.token });
    expect(fresh.status, 'a sign-in with a code is fresh').toBe(201);
    const again = await signIn(person.email, codes[3]!);
    expect([again.status, Object.keys(again.body.errors!)]).toEqual([422, ['code']]);
  });

  test('are told by mail when one is used', async () => {
    const person = await testServer.join();
    const codes = await make(person);
    await signIn(person.email, codes[0]!);
    expect(await countLeft(person)).toBe(9);
    await testServer.runJobs();
    const mails = testServer.mails.filter(({ to, kind }) => to === person.email && kind === 'recovery.used');
    expect(mails.map(({ text }) => text.replace(/\s+/g, ' '))).toEqual([
      expect.stringContaining('You have 9 codes left.'),
    ]);
  });

  test('are told by mail when they are made, and end by the link in it', async () => {
    const person = await testServer.join();
    const [code] = await make(person);
    const token = await readToken(person, 'recovery.made');
    expect((await secure(token)).status).toBe(200);
    expect((await signIn(person.email, code!)).status).toBe(422);
  });

  test('end by “It wasn’t me” in any mail, so that they survive no new password', async () => {
    const person = await testServer.join();
    const codes = await make(person);
    await signIn(person.email, codes[0]!);
    expect((await secure(await readToken(person, 'recovery.used'))).status).toBe(200);
    expect((await signIn(person.email, codes[1]!)).status).toBe(422);
  });

  test('that were made since stay when the link of a mail is opened again', async () => {
    const person = await testServer.join();
    await make(person);
    const token = await readToken(person, 'recovery.made');
    await secure(token);
    const [code] = await make(await testServer.signIn(person));
    expect((await secure(token)).status).toBe(200);
    expect((await signIn(person.email, code!)).status).toBe(200);
  });

  test('work once for two requests at the same moment', async () => {
    const person = await testServer.join();
    const [code] = await make(person);
    const answers = await Promise.all([1, 2, 3].map(() => signIn(person.email, code!)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 422, 422]);
    expect(await countLeft(person)).toBe(9);
  });

  test('end when new ones are made', async () => {
    const person = await testServer.join();
    const [old] = await make(person);
    const [code] = await make(person);
    expect([(await signIn(person.email, old!)).status, (await signIn(person.email, code!)).status]).toEqual([422, 200]);
  });

  test('are ten of one batch when two nodes make them at the same moment', async () => {
    const person = await testServer.join();
    const { db } = testServer.database;
    const replace = (batch: string) => {
      const hashes = Array.from({ length: 10 }, (_, n) => `${batch} ${n}`);
      return db.transaction((tx) => replaceCodes(tx, Number(person.id), hashes, testServer.clock.now()));
    };
    await Promise.all(['one', 'two', 'three'].map(replace));
    expect(await countLeft(person)).toBe(10);
  });

  test('cost the same work when they are wrong, whether or not there is an account or it has codes', async () => {
    const [person, other] = [await testServer.join(), await testServer.join()];
    await make(person);
    const query = vi.spyOn(pg.Client.prototype, 'query');
    const listWork = async (email: string) => {
      query.mockClear();
      expect((await signIn(email, 'ABCDE12345')).status).toBe(422);
      const texts = query.mock.calls.map(([sent]) =>
        typeof sent === 'string' ? sent : (sent as { text: string }).text,
      );
      return texts.filter((text) => /recovery_codes|users|begin/i.test(text));
    };
    try {
      const works = [await listWork(person.email), await listWork(other.email), await listWork('nobody@example.com')];
      expect(works[0]!.length).toBeGreaterThan(2);
      expect(works).toEqual([works[0], works[0], works[0]]);
    } finally {
      query.mockRestore();
    }
  });

  test('of one person do not sign another one in', async () => {
    const [person, other] = [await testServer.join(), await testServer.join()];
    const [code] = await make(person);
    await make(other);
    const answers = [
      await signIn(other.email, code!),
      await signIn('nobody@callboard.example', code!),
      await signIn((await testServer.join()).email, code!),
    ];
    expect(answers.map(({ status }) => status)).toEqual([422, 422, 422]);
    expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
    expect(await countLeft(person)).toBe(10);
  });

  test('must look like codes', async () => {
    for (const code of ['', 'short', 'ABCDE-FGHJKL', 'ABCDE-FGHJU', 7]) {
      const answer = await testServer.call<{ errors: object }>('POST /login/recovery', {
        body: { email: 'nobody@callboard.example', code },
      });
      expect([answer.status, Object.keys(answer.body.errors)]).toEqual([422, ['code']]);
    }
  });
});

describe('wrong codes', () => {
  test('count as failed sign-ins, together with wrong passwords', async () => {
    const server = await openTestServer({ env: { RATE_LIMIT_SCALE: '1' } });
    try {
      const person = await server.join();
      const codes = await make(person, server);
      for (let n = 0; n < 5; n += 1) {
        expect((await signIn(person.email, 'AAAAAAAAAA', server)).status).toBe(422);
        const body = { email: person.email, password: 'a wrong guess' };
        expect((await server.call('POST /login', { body })).status).toBe(422);
      }
      expect((await signIn(person.email, codes[0]!, server)).status).toBe(429);
    } finally {
      await server.close();
    }
  });
});

if (isFull) {
  describe('making codes', () => {
    test('does not keep others from signing in, nor the server from answering', async () => {
      const person = await testServer.join();
      let isDone = false;
      const made = make(person).finally(() => (isDone = true));
      let answered = 0;
      const { email, password } = await testServer.join();
      // Each sign-in waits for at most one of the ten hashes.
      const signedIn = await testServer.call('POST /login', { body: { email, password } });
      expect([signedIn.status, isDone]).toEqual([200, false]);
      while (!isDone) {
        expect((await testServer.call('GET /healthz')).status).toBe(200);
        answered += 1;
      }
      await made;
      expect(answered).toBeGreaterThan(5);
    });
  });
}
