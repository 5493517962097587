import { expect, test } from 'vitest';
import { getWritten } from '#features/casting/ask-draft.ts';

test('what was written in the form that asks is all but its performers and PDFs', () => {
  const written = { sides_text: 'NASEEM\nYou came.', deadline: '2027-01-10T18:00' };
  expect(getWritten({ ...written, to: '[]', files: ['a'], titles: { a: 'Scene 14' } })).toEqual(written);
});
