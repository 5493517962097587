import { experience } from '#contract/sections/experience.ts';
import { makePerson, makeProfile } from '../tests/e2e/support/people.ts';
import { appServer } from '../tests/e2e/support/server.ts';
import { openEngine } from './engine-browser.ts';
import { atMost, type Figure, paired, percentile } from './figures.ts';

const PART = 'Saving on the device (strict durability)';

/** Measures from the call until the promise of create or update resolves, in Chromium with a profile on disk. */
export async function measureSaving({ runs, count }: { runs: number; count: number }): Promise<Figure[]> {
  const server = await appServer();
  await server.start();
  const person = await makePerson(server.url);
  const profile = await makeProfile(person);
  for (let n = 0; n < 20; n += 1) {
    await person.call('POST', '/profile/experience', { ...experience.example, profile_id: profile.id });
  }
  const { device, page } = await openEngine(server.url, person);
  const ours: number[][] = [];
  const bare: number[][] = [];
  try {
    // The first saves warm up the code. People do not save by the hundred.
    await page.evaluate(() => window.enginePage.save(20));
    for (let run = 0; run < runs; run += 1) {
      const timing = await page.evaluate((each) => window.enginePage.save(each), count);
      ours.push(timing.ours);
      bare.push(timing.bare);
    }
  } finally {
    await device.dispose();
    await server.dispose();
  }
  const figure = (name: string, share: number): Figure => {
    const runsOf = (all: readonly number[][]) => all.map((run) => percentile(run, share));
    const peer = { name: 'bare strict put', runs: runsOf(bare) };
    return { part: PART, name, unit: 'ms', ...paired(runsOf(ours), peer) };
  };
  return [figure('An edit or a new record, p50', 0.5), { ...figure('the same, p95', 0.95), bar: atMost(10) }];
}
