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
/** One line of JSON per round. A file, since a failed round ends the process and its counters. */
const countsFile = process.env['NETWORK_COUNTS'] ?? '';

for (const seed of seeds) {
  test(`round ${seed}: stores every change exactly once, for ${seed % 2 === 1 ? 'one member with two browsers' : 'two members'}`, async ({}, info) => {
    const startedAt = performance.now();
    const round = await openRound(seed);
    let result = 'failed';
    try {
      await round.play();
      result = 'passed';
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

// Fewer rounds may not meet every fault.
if (seeds.length >= 5) {
  test('has injected every fault', async () => {
    const lines = (await readFile(countsFile, 'utf8')).trim().split('\n');
    const rounds = lines.map((line) => JSON.parse(line) as Counts);
    // Media requests are rare: the worker caches them.
    const wanted = [...FAULTS, 'call', 'shell', 'live', 'browsers killed', 'server killed'];
    const missing = wanted.filter((name) => rounds.every((counts) => (counts[name] ?? 0) === 0));
    expect(missing).toEqual([]);
  });
}
