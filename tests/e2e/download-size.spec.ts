import { measureBytes } from '../../bench/bytes.ts';
import { isMet, toTable } from '../../bench/figures.ts';
import { expect, test } from './support/test.ts';

test('keeps every download within its budget', async ({ server, workerBrowser }) => {
  const figures = await measureBytes(server, workerBrowser);
  expect(figures.length).toBeGreaterThan(0);
  const missed = figures.filter((figure) => !isMet(figure));
  expect(missed, toTable(figures)).toEqual([]);
});
