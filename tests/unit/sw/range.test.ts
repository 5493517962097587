import { describe, expect, it } from 'vitest';
import { answerRange } from '../../../src/sw/range.ts';

const full = () =>
  new Response('0123456789', { headers: { 'Content-Type': 'audio/mpeg', 'Content-Length': '10', ETag: '"a"' } });

const ask = async (range: string) => {
  const answer = await answerRange(full(), range);
  const { status, headers } = answer;
  return {
    status,
    text: await answer.text(),
    range: headers.get('Content-Range'),
    length: headers.get('Content-Length'),
    type: headers.get('Content-Type'),
  };
};

describe('answers of a kept file to a player that seeks', () => {
  it.each([
    ['bytes=0-', '0123456789', 'bytes 0-9/10'],
    ['bytes=2-4', '234', 'bytes 2-4/10'],
    ['bytes=7-', '789', 'bytes 7-9/10'],
    ['bytes=7-400', '789', 'bytes 7-9/10'],
    ['bytes=-3', '789', 'bytes 7-9/10'],
    ['bytes=-400', '0123456789', 'bytes 0-9/10'],
    ['bytes=9-9', '9', 'bytes 9-9/10'],
  ])('%s gets that part', async (range, text, contentRange) => {
    expect(await ask(range)).toEqual({
      status: 206,
      text,
      range: contentRange,
      length: String(text.length),
      type: 'audio/mpeg',
    });
  });

  it.each(['bytes=10-', 'bytes=400-500', 'bytes=-0'])('%s lies outside', async (range) => {
    expect(await ask(range)).toMatchObject({ status: 416, text: '', range: 'bytes */10' });
  });

  it.each(['bytes=4-2', 'bytes=0-1,4-5', 'lines=1-2', 'bytes=-', ''])('%j gets everything', async (range) => {
    expect(await ask(range)).toMatchObject({ status: 200, text: '0123456789', range: null, length: '10' });
  });
});
