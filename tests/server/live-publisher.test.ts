import { afterEach, expect, test, vi } from 'vitest';
import { liveOutbox } from '#server/platform/db/schema.ts';
import { addSkill } from './support/people.ts';
import { useTestServer } from './support/test-server.ts';
import { viewerCalls } from './support/viewers.ts';

const testServer = useTestServer();
const { addPerformer } = viewerCalls(testServer);

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

test('the events of writes that follow one another at once are taken from the outbox together', async () => {
  const me = await addPerformer();
  const { database } = testServer;
  const countWaiting = () => database.db.$count(liveOutbox);
  await expect.poll(countWaiting).toBe(0);
  const queries = vi.spyOn(database.pool, 'query');
  const countTakes = () =>
    queries.mock.calls.filter(([query]) => (query as { name?: string }).name === 'take broadcasts').length;
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  for (let n = 0; n < 3; n += 1) await addSkill(testServer, me, me.profileId);
  expect(countTakes()).toBeLessThanOrEqual(1);
  expect(await countWaiting()).toBeGreaterThan(0);
  // It advances the time.
  await vi.waitFor(async () => expect(await countWaiting()).toBe(0));
});
