import * as harfbuzz from 'harfbuzzjs';
import { describe, expect, test } from 'vitest';
import { readCvFonts } from '../../../scripts/bundle/cv-fonts.ts';
import { content, make } from './support/cv.ts';
import { toDictionary } from './support/pdf-objects.ts';
import { findAll, readPdf, type ReadPdf } from './support/read-pdf.ts';

/** Matras before and after, conjuncts, a reph, a half letter, nukta, Marathi and Nepali words. */
const WORDS = [
  'मीरा कुलकर्णी',
  'हिन्दी',
  'क्षत्रिय',
  'विद्यार्थी',
  'श्रीमती शक्ति',
  'निर्देशक',
  'सत्यमेव जयते',
  'ज़िंदगी',
  'लढ्ढा',
  'ट्रॅक्टर',
  'काठमाडौँ',
  'द्व्यर्थी',
];

const open = (bytes: ArrayBuffer) => new harfbuzz.Font(new harfbuzz.Face(new harfbuzz.Blob(bytes)));

/** Shapes a text with the reference implementation. Returns the outlines of its glyphs. */
function shapeWithHarfBuzz(bytes: ArrayBuffer, text: string): string[] {
  const font = open(bytes);
  const buffer = new harfbuzz.Buffer();
  buffer.addText(text);
  buffer.guessSegmentProperties();
  harfbuzz.shape(font, buffer);
  return buffer.getGlyphInfos().map(({ codepoint: glyph }) => font.glyphToPath(glyph));
}

/** The outlines of glyphs in a font that is embedded in the PDF. */
function readOutlines({ objects }: ReadPdf, font: number, glyphs: readonly number[]): string[] {
  const follow = (value: unknown) => {
    const { ref } = value as { ref: number };
    return objects.get(ref);
  };
  const descendants = toDictionary(objects.get(font)?.value).get('DescendantFonts');
  const [descendant] = descendants as readonly unknown[];
  const descriptor = toDictionary(follow(toDictionary(follow(descendant)?.value).get('FontDescriptor'))?.value);
  const file = follow(descriptor.get('FontFile2'))?.stream ?? '';
  const embedded = open(Uint8Array.from(file, (character) => character.charCodeAt(0)).buffer);
  return glyphs.map((glyph) => embedded.glyphToPath(glyph));
}

describe('Devanagari on a CV', () => {
  test.each(WORDS)('draws the glyphs of HarfBuzz in its order: %s', async (word) => {
    const pdf = readPdf((await make(content({ title: word }))).pdf);
    const [span] = findAll(pdf.structure, 'Span');
    const shown = span?.contents.flatMap((each) => each.shown) ?? [];
    const outlines = shown.flatMap(({ font, glyphs }) => readOutlines(pdf, font, glyphs));
    const expected = shapeWithHarfBuzz(readCvFonts().get('devanagari regular') ?? new ArrayBuffer(0), word);
    expect(expected.length).toBeGreaterThan(2);
    expect(outlines).toEqual(expected);
  });
});
