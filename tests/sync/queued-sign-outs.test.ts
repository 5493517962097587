import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { queueSignOut, readPendingSignOuts } from '#db/pending-sign-outs.ts';
import type { WireAnswer } from '#net/wire.ts';
import { sendSignOuts } from '#sync/send-sign-outs.ts';

beforeEach(() => {
  vi.stubGlobal('indexedDB', new IDBFactory());
  vi.stubGlobal('IDBKeyRange', IDBKeyRange);
});
afterEach(() => vi.unstubAllGlobals());

const STORE = { name: 'store', userId: '1', keepsUnsent: false };

const answer = (status: number, body: unknown, redirected = false): WireAnswer => ({
  status,
  body,
  redirected,
  header: () => null,
});

test('ends a session that was left offline, with its own token only', async () => {
  await queueSignOut({ token: 'one', apiBase: 'https://api.example' }, STORE, false);
  const sent: unknown[] = [];
  const left = await sendSignOuts((request, farewell) => {
    sent.push([request.method, request.path, request.body, farewell]);
    return Promise.resolve(answer(200, { message: 'Signed out' }));
  });
  expect(sent).toEqual([['POST', '/logout', undefined, { token: 'one', apiBase: 'https://api.example' }]]);
  expect(left).toBe(0);
  expect(await readPendingSignOuts()).toEqual([]);
});

test('forgets a token that the server does not know', async () => {
  await queueSignOut({ token: 'one', apiBase: '' }, STORE, false);
  expect(await sendSignOuts(async () => answer(401, { message: 'Unauthenticated.' }))).toBe(0);
});

test.each([
  ['no answer', { status: 0, reason: 'network' } as const],
  ['a page of a captive portal', answer(200, undefined)],
  ['a gateway that refuses', answer(401, undefined)],
  ['a redirect', answer(200, { message: 'Welcome' }, true)],
  ['a server in trouble', answer(503, { message: 'Later' })],
])('keeps a token after %s', async (_, response) => {
  await queueSignOut({ token: 'one', apiBase: '' }, STORE, false);
  expect(await sendSignOuts(async () => response)).toBe(1);
  expect(await readPendingSignOuts()).toEqual([{ token: 'one', apiBase: '' }]);
});
