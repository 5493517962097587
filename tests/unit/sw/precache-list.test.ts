import { expect, it } from 'vitest';
import { packList, unpackList } from '../../../src/sw/precache-list.ts';

const files = [
  { url: 'index.html', revision: 'a1B2c3' },
  { url: 'assets/Abc-_12.js', revision: 'b1B2c3' },
  { url: 'assets/f-Home-AbCd123.js', revision: 'c1B2c3' },
  { url: 'guides/install.webp', revision: 'd1B2c3' },
  { url: 'assets/Xyz9876.js', revision: 'e1B2c3' },
];
const sorted = (list: typeof files) => list.map(({ url, revision }) => `${url} ${revision}`).sort();

it('packs every file of the build and unpacks the same files', () => {
  expect(sorted(unpackList(packList(files)))).toEqual(sorted(files));
});

it('packs a script into its hash and its digest', () => {
  expect(packList(files)).toBe(
    'Abc-_12b1B2c3Xyz9876e1B2c3 index.htmla1B2c3 assets/f-Home-AbCd123.jsc1B2c3 guides/install.webpd1B2c3',
  );
});

it.each([[[]], [[files[0]!]], [[files[1]!]]])('unpacks a list of few files', (few) => {
  expect(unpackList(packList(few))).toEqual(few);
});
