import { expect, it } from 'vitest';
import { packList, unpackList } from '../../../src/sw/precache-list.ts';

const files = [
  { url: 'index.html', revision: 'a1B2c3D4' },
  { url: 'assets/Abc-_123.js', revision: 'b1B2c3D4' },
  { url: 'assets/f-Home-AbCd1234.js', revision: 'c1B2c3D4' },
  { url: 'guides/install.webp', revision: 'd1B2c3D4' },
  { url: 'assets/Xyz98765.js', revision: 'e1B2c3D4' },
];
const sorted = (list: typeof files) => list.map(({ url, revision }) => `${url} ${revision}`).sort();

it('packs every file of the build and unpacks the same files', () => {
  expect(sorted(unpackList(packList(files)))).toEqual(sorted(files));
});

it('packs a script into its hash and its digest', () => {
  expect(packList(files)).toBe(
    'Abc-_123b1B2c3D4Xyz98765e1B2c3D4 index.htmla1B2c3D4 assets/f-Home-AbCd1234.jsc1B2c3D4 guides/install.webpd1B2c3D4',
  );
});

it.each([[[]], [[files[0]!]], [[files[1]!]]])('unpacks a list of few files', (few) => {
  expect(unpackList(packList(few))).toEqual(few);
});
