import { expect, test } from '@playwright/test';
import { appendFile, readFile, writeFile } from 'node:fs/promises';
import { FAULTS } from './faults.ts';
import { type Counts, openRound } from './round.ts';

const numberFrom = (variable: string) => {
  const value = Number(process.env[variable]);
  if (!Number.isInteger(value)) throw new Error(`${variable} is not set: start these tests with npm run test:network`);
  return value;
};
const first = numberFrom('NETWORK_SEED');
const seeds = Array.from({ length: numberFrom('NETWORK_ROUNDS') }, (_, at) => first + at);
/** One line of JSON for each round: a round that fails ends the process, and with it what was counted there. */
const countsFile = process.env['NETWORK_COUNTS'] ?? '';

for (const seed of seeds) {
  test(`round ${seed}: all that was written is there once, for ${seed % 2 === 1 ? 'one member at two browsers' : 'two members'}`, async ({}, info) => {
    const startedAt = performance.now();
    const round = await openRound(seed);
    let result = 'broken';
    try {
      await round.play();
      result = 'as written';
    } catch (error) {
      console.log(round.report());
      await writeFile(info.outputPath('report.txt'), round.report());
      await writeFile(info.outputPath('server.log'), round.serverLog());
      for (const [at, { page }] of round.devices().entries()) {
        if (page.isClosed()) continue;
        await page.screenshot({ path: info.outputPath(`browser-${at}.png`) });
        await writeFile(info.outputPath(`browser-${at}.txt`), await page.locator('body').innerText());
      }
      throw error;
    } finally {
      const seconds = ((performance.now() - startedAt) / 1000).toFixed(0);
      const counts = round.counts();
      const words = Object.entries(counts).map(([name, count]) => `${count} ${name}`);
      console.log(`round ${seed}: ${words.join(', ')}; ${seconds} s; ${result}`);
      await appendFile(countsFile, `${JSON.stringify(counts)}\n`);
      await round.dispose();
    }
  });
}

// Fewer rounds need not meet every fault.
if (seeds.length >= 5) {
  test('every fault has struck', async () => {
    const lines = (await readFile(countsFile, 'utf8')).trim().split('\n');
    const rounds = lines.map((line) => JSON.parse(line) as Counts);
    // Pictures are fetched seldom: they stay in the worker's cache.
    const wanted = [...FAULTS, 'call', 'shell', 'live', 'browsers killed', 'server killed'];
    const missing = wanted.filter((name) => rounds.every((counts) => (counts[name] ?? 0) === 0));
    expect(missing).toEqual([]);
  });
}
