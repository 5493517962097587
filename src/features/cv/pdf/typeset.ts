import type { Face, Fonts, Weight } from './fonts.ts';
import type { PlacedRun, TextMark } from './marks.ts';
import { toLineText, toRuns } from './runs.ts';

/** Widths of text in points. */
export interface Ruler {
  fonts: Fonts;
  widthOf: (text: string, face: Face | null, weight: Weight, size: number) => number;
}

export interface TextStyle {
  size: number;
  weight: Weight;
  color: string;
  /** From one baseline to the next. */
  lineHeight: number;
}

/** Wrapped text. Its marks begin at `y` = 0. */
export interface TextBlock {
  marks: TextMark[];
  height: number;
}

/** A line may end after a space, a slash or a hyphen. */
const BREAK = /(?<=[ /-])/u;

/** Of capital letters, which are centered in their line, as a share of the size. */
const CAP_HEIGHT = 0.714;

const segmenter = new Intl.Segmenter(undefined, { granularity: 'grapheme' });

function measure(text: string, { size, weight }: TextStyle, ruler: Ruler): number {
  return toRuns(text, weight, ruler.fonts).reduce(
    (sum, run) => sum + ruler.widthOf(run.text, run.face, weight, size),
    0,
  );
}

/** Splits a word that is wider than a line. Letters with their marks stay together. */
function splitWord(word: string, width: number, style: TextStyle, ruler: Ruler): string[] {
  const pieces: string[] = [];
  let piece = '';
  for (const { segment } of segmenter.segment(word)) {
    if (piece !== '' && measure(piece + segment, style, ruler) > width) {
      pieces.push(piece);
      piece = '';
    }
    piece += segment;
  }
  return [...pieces, piece];
}

/** Splits text into lines. The space at the end of a line stays, so that the text can be read out of the PDF as it was typed. */
function toLines(text: string, width: number, style: TextStyle, ruler: Ruler): string[] {
  const lines: string[] = [];
  let line = '';
  for (const word of toLineText(text).split(BREAK)) {
    if (measure((line + word).trimEnd(), style, ruler) <= width) {
      line += word;
      continue;
    }
    if (line !== '') lines.push(line);
    const pieces = measure(word.trimEnd(), style, ruler) <= width ? [word] : splitWord(word, width, style, ruler);
    lines.push(...pieces.slice(0, -1));
    line = pieces.at(-1) ?? '';
  }
  return line === '' ? lines : [...lines, line];
}

function placeRuns(line: string, x: number, { size, weight }: TextStyle, ruler: Ruler): PlacedRun[] {
  let left = x;
  return toRuns(line, weight, ruler.fonts).map((run) => {
    const width = ruler.widthOf(run.text, run.face, weight, size);
    const placed = { ...run, x: left, width };
    left += width;
    return placed;
  });
}

/** Wraps text into a column. */
export function wrapText(text: string, x: number, width: number, style: TextStyle, ruler: Ruler): TextBlock {
  const lines = toLines(text, width, style, ruler);
  const { size, weight, color, lineHeight } = style;
  const first = (lineHeight + CAP_HEIGHT * size) / 2;
  const marks = lines.map((line, index): TextMark => ({
    kind: 'text',
    y: first + index * lineHeight,
    size,
    weight,
    color,
    runs: placeRuns(line, x, style, ruler),
  }));
  return { marks, height: lines.length * lineHeight };
}

/** Text on one line that ends at `right`. */
export function rightAligned(text: string, right: number, style: TextStyle, ruler: Ruler): TextBlock {
  return wrapText(text, right - measure(toLineText(text), style, ruler), Infinity, style, ruler);
}
