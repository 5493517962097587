/**
 * The fonts of the CV, for the app to import as `virtual:cv-fonts`. The package has them as WOFF files, which fontkit would unpack on the
 * phone for each CV. They are unpacked here instead, and compressed on their way like every other file. The fonts are Noto Sans, under
 * the SIL Open Font License 1.1, whose text goes along with them.
 */
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import path from 'node:path';
import { inflateSync } from 'node:zlib';
import type { Plugin } from 'vite';
import { SUBSETS, WEIGHTS, type Face, type FontFiles } from '#features/cv/pdf/fonts.ts';

const MODULE = 'virtual:cv-fonts';
const FOLDER = 'node_modules/.cache/cv-fonts';
const WOFF_SIGNATURE = 0x774f4646;
const WEIGHT_NAMES = { regular: '400', bold: '700' } as const;

const FACES = WEIGHTS.flatMap((weight) =>
  SUBSETS.map((subset) => ({ face: `${subset} ${weight}` as const, subset, weight })),
);

/**
 * Unpacks a font from WOFF 1.0 to TrueType. Source: https://www.w3.org/TR/WOFF/.
 * @throws if the bytes are no such font
 */
export function unpackWoff(woff: Buffer): Buffer {
  if (woff.length < 44 || woff.readUInt32BE(0) !== WOFF_SIGNATURE) throw new Error('This is no font in WOFF 1.0');
  const tableCount = woff.readUInt16BE(12);
  const head = Buffer.alloc(12 + tableCount * 16);
  woff.copy(head, 0, 4, 8);
  head.writeUInt16BE(tableCount, 4);
  const largestPower = 2 ** Math.floor(Math.log2(tableCount));
  head.writeUInt16BE(largestPower * 16, 6);
  head.writeUInt16BE(Math.log2(largestPower), 8);
  head.writeUInt16BE((tableCount - largestPower) * 16, 10);
  const parts: Buffer[] = [head];
  let at = head.length;
  for (let index = 0; index < tableCount; index += 1) {
    const entry = 44 + index * 20;
    const offset = woff.readUInt32BE(entry + 4);
    const packedLength = woff.readUInt32BE(entry + 8);
    const length = woff.readUInt32BE(entry + 12);
    const packed = woff.subarray(offset, offset + packedLength);
    const table = packedLength < length ? inflateSync(packed) : packed;
    if (table.length !== length) throw new Error('A table of the font has another length than it says');
    const record = 12 + index * 16;
    woff.copy(head, record, entry, entry + 4);
    woff.copy(head, record + 4, entry + 16, entry + 20);
    head.writeUInt32BE(at, record + 8);
    head.writeUInt32BE(length, record + 12);
    const padding = Buffer.alloc((4 - (length % 4)) % 4);
    parts.push(table, padding);
    at += length + padding.length;
  }
  return Buffer.concat(parts);
}

/** The folder of the package that has the fonts. */
const getPackageFolder = () =>
  path.dirname(createRequire(import.meta.url).resolve('@fontsource/noto-sans/package.json'));

const readFace = ({ subset, weight }: (typeof FACES)[number]): Buffer =>
  unpackWoff(
    readFileSync(path.join(getPackageFolder(), `files/noto-sans-${subset}-${WEIGHT_NAMES[weight]}-normal.woff`)),
  );

/** Reads the fonts as the app gets them. */
export function readCvFonts(): FontFiles {
  return new Map(FACES.map((each): [Face, ArrayBuffer] => [each.face, new Uint8Array(readFace(each)).buffer]));
}

/** Name of the file of a face, without its hash. Files that begin like this are stored when they are first used: src/sw/precache-list.ts. */
const nameOf = ({ subset, weight }: (typeof FACES)[number]) => `later-cv-${subset}-${weight}.ttf`;

/** Lets the app import `virtual:cv-fonts`: the URL of each font. */
export const cvFonts: Plugin = {
  name: 'cv-fonts',
  resolveId: (source) => (source === MODULE ? `\0${MODULE}` : undefined),
  load(id) {
    if (id !== `\0${MODULE}`) return;
    const folder = path.resolve(FOLDER);
    mkdirSync(folder, { recursive: true });
    for (const each of FACES) writeFileSync(path.join(folder, nameOf(each)), readFace(each));
    const imports = FACES.map(
      (each, index) => `import font${index} from ${JSON.stringify(`${path.join(folder, nameOf(each))}?url`)};`,
    );
    const entries = FACES.map(({ face }, index) => `[${JSON.stringify(face)}, font${index}]`);
    return `${imports.join('\n')}\nexport const FONT_URLS = [${entries.join(', ')}];`;
  },
  generateBundle() {
    this.emitFile({
      type: 'asset',
      fileName: 'noto-sans-license.txt',
      source: readFileSync(path.join(getPackageFolder(), 'LICENSE'), 'utf8'),
    });
  },
};
