import { readdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { expect, test } from 'vitest';
import { readConfig } from '#server/platform/config.ts';
import { openDatabase } from '#server/platform/db/open.ts';
import { quietLog } from './support/quiet.ts';
import { useBackup } from './support/restore.ts';

const backedUp = useBackup();

const STEPS = [
  'Checking table 3',
  'Placing file',
  'Making the database',
  'Loading table 9',
  'Comparing table 2',
  'Migrating',
  'Deleting accounts',
  'Trying the server',
  'Keeping',
];

/** Restores again, as soon as the database of the killed process has ended. */
const restoreAgain = async () => {
  let done: Awaited<ReturnType<typeof backedUp.restore>> | null = null;
  await expect
    .poll(
      async () => {
        done = await backedUp.restore({ replace: true }).catch((error: Error) => {
          if (!/still stopping/.test(error.message)) throw error;
          return null;
        });
        return done !== null;
      },
      { timeout: 30_000, interval: 50 },
    )
    .toBe(true);
  return done!;
};

test('killed at any step, leaves what was there, and the next restore clears up', async () => {
  await backedUp.restore();
  await backedUp.askRestored(`update users set name = 'Somebody'`);
  for (const step of STEPS) {
    await backedUp.restoreUntilKilled(step);
    const left = (await readdir(backedUp.root)).filter((name) => !name.startsWith('data.new-'));
    expect(left, step).toEqual(['data']);
  }
  expect(await backedUp.askRestored(`select id from users where name <> 'Somebody'`)).toEqual([]);
  const { restorePoint } = await restoreAgain();
  expect((await readdir(backedUp.root)).sort()).toEqual(['data', path.basename(restorePoint!)]);
}, 300_000);

test('killed between the two renames, the server does not start empty, and another restore completes it', async () => {
  await backedUp.restore();
  await backedUp.restoreUntilKilled('Moving the restored data');
  const names = (await readdir(backedUp.root)).sort();
  expect(names).toEqual([expect.stringMatching(/^data\.before-/), expect.stringMatching(/^data\.new-/)]);
  const starting = openDatabase(readConfig({ DATA_DIR: backedUp.into }), quietLog);
  await expect(starting).rejects.toThrow(
    /A restore into \S+ was interrupted; nothing is lost\. Run it again, or rename/,
  );
  expect((await readdir(backedUp.root)).sort()).toEqual(names);
  await restoreAgain();
  expect((await readdir(backedUp.root)).sort()).toEqual(['data', names[0]]);
  // As the message says, the other way.
  await rm(backedUp.into, { recursive: true });
  await rename(path.join(backedUp.root, names[0]!), backedUp.into);
  expect((await backedUp.askRestored('select id from users')).length).toBeGreaterThan(0);
}, 120_000);
