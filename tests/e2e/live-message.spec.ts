import { isMet, toTable } from '../../bench/figures.ts';
import { measureLiveMessage } from '../../bench/live-message.ts';
import { expect, test } from './support/test.ts';

test('brings a message to an open conversation with one event, one receipt and no pull', { tag: '@full' }, async () => {
  const figures = await measureLiveMessage();
  const missed = figures.filter((figure) => !isMet(figure));
  expect(missed, toTable(figures)).toEqual([]);
});
