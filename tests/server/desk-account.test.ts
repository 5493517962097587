import { expect, test } from 'vitest';
import type { Account } from '#contract/records/consent.ts';
import { deskCalls } from './support/desk.ts';
import { useTestServer } from './support/test-server.ts';

const testServer = useTestServer();
const { joinDesk, act, undo } = deskCalls(testServer);

test('tells a suspended person in the account why, until when, and whether they have answered', async () => {
  const ishaan = await joinDesk('operator');
  const vik = await testServer.join('Vik Anand');
  const read = async () => (await testServer.call<Account>('GET /account', { token: vik.token })).body;
  expect(await read()).toMatchObject({ role: 'person', state: 'active', suspension: null });
  const until = new Date(testServer.clock.now().getTime() + 86_400_000).toISOString();
  const done = await act(ishaan, 'suspend', 'user', vik.id, { until });
  const suspension = { reason: 'scam', words: 'No fees for auditions.', until, appealed: false };
  expect(await read()).toMatchObject({ state: 'suspended', suspension });
  await testServer.call('POST /appeals', { token: vik.token, body: { text: 'It was a joke.' } });
  expect((await read()).suspension?.appealed).toBe(true);
  await undo(ishaan, done);
  expect(await read()).toMatchObject({ state: 'active', suspension: null });
});
