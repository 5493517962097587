import { expect, test } from 'vitest';
import { claimRun, type Job, runJobs } from '#server/platform/jobs.ts';
import { tidyingJobs } from '#server/tidying.ts';
import { quiet } from './support/quiet.ts';
import { useStage } from './support/stage.ts';

const HOUR_MS = 3_600_000;
const stage = useStage();
const parts = () => ({ db: stage.database.db, clock: stage.clock, log: quiet });

test('a job that fails is logged by its name and holds up none of the others', async () => {
  const done: string[] = [];
  const told: unknown[] = [];
  const jobs: Job[] = [
    { name: 'first', run: async () => done.push('first') },
    { name: 'broken', run: () => Promise.reject(new Error('No such table')) },
    { name: 'last', run: async () => done.push('last') },
  ];
  const log = { ...quiet, error: (...said: unknown[]) => void told.push(said[0]) };
  await runJobs(jobs, HOUR_MS, { ...parts(), log });
  expect(done).toEqual(['first', 'last']);
  expect(told).toMatchObject([{ job: 'broken', err: { message: 'No such table' } }]);
});

test('of many nodes one does a job, and each what is of its own', async () => {
  let [shared, own] = [0, 0];
  const jobs: Job[] = [
    { name: 'shared', run: async () => (shared += 1) },
    { name: 'own', isOfEachNode: true, run: async () => (own += 1) },
  ];
  const round = () => Promise.all([1, 2, 3].map(() => runJobs(jobs, HOUR_MS, parts())));
  await round();
  expect([shared, own]).toEqual([1, 3]);
  stage.clock.advance(HOUR_MS / 2);
  await round();
  expect([shared, own]).toEqual([1, 6]);
  stage.clock.advance(HOUR_MS / 2);
  await round();
  expect([shared, own]).toEqual([2, 9]);
});

test('a beginning that a wrong clock wrote into the future stops nobody', async () => {
  const { db } = stage.database;
  const now = stage.clock.now();
  expect(await claimRun(db, 'wrong clock', HOUR_MS, new Date(now.getTime() + 30 * HOUR_MS))).toBe(true);
  expect(await claimRun(db, 'wrong clock', HOUR_MS, now)).toBe(true);
  expect(await claimRun(db, 'wrong clock', HOUR_MS, now)).toBe(false);
});

test('everything a server tidies can be run on a new database', async () => {
  const told: unknown[] = [];
  const log = { ...quiet, error: (...said: unknown[]) => void told.push(said) };
  await runJobs(tidyingJobs(stage.app.deps), HOUR_MS, { ...parts(), log });
  expect(told).toEqual([]);
});
