import { downloadZip } from 'client-zip';
import { expect, test } from 'vitest';
import { isWholeZip } from '#features/account/is-whole-zip.ts';

test('tells a complete ZIP from one that broke off', async () => {
  const files = ['a.txt', 'b.txt'].map((name) => ({ name, input: name.repeat(99), lastModified: new Date(0) }));
  const zip = await downloadZip(files).blob();
  expect(await isWholeZip(zip)).toBe(true);
  for (const size of [0, 5, 120, zip.size - 1]) expect(await isWholeZip(zip.slice(0, size))).toBe(false);
});
