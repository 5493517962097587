import type { CvLinks, CvList, CvPart, CvRow, CvTable } from './content.ts';
import { branch, leaf, type Node } from './marks.ts';
import { BODY, CONTENT_WIDTH, MARGIN, QUIET, STRONG } from './style.ts';
import { wrapText, type Ruler, type TextBlock, type TextStyle } from './typeset.ts';

/** A node whose marks begin at 0, and the height that it takes. */
export interface Sized {
  node: Node;
  height: number;
}

/** A heading and what stands below it. `wrapper` holds the rows; null: they stand by themselves. */
export interface Block {
  heading: Sized | null;
  rows: Sized[];
  wrapper: 'Table' | 'L' | null;
}

export interface PartContext {
  /** How many rows or entries are left out. */
  cut: number;
  /** Where the others are; null if nowhere. */
  pageUrl: string | null;
  accent: string;
}

const LEFT = MARGIN.side;
const ROW_GAP = 2.5;
/** Left edges of the columns, and where the last one ends. */
const COLUMNS = {
  when: LEFT,
  title: LEFT + 43,
  middle: LEFT + 210,
  right: LEFT + 362,
  end: LEFT + CONTENT_WIDTH,
} as const;
const COLUMN_GAP = 8;

/** '12 more credits' */
const toNoteText = (cut: number, noun: string) =>
  `${cut} more ${cut === 1 ? noun : noun.endsWith('y') ? `${noun.slice(0, -1)}ies` : `${noun}s`}`;

/** An address as people write it. */
export const toShortUrl = (url: string): string => url.replace(/^https?:\/\/(www\.)?/u, '').replace(/\/$/u, '');

function layOutHeading(title: string, accent: string, ruler: Ruler): Sized {
  const style: TextStyle = { ...STRONG, size: 9.75, color: accent };
  const above = 11;
  const block = wrapText(title, LEFT, CONTENT_WIDTH, style, ruler);
  const marks = block.marks.map((mark) => ({ ...mark, y: mark.y + above }));
  const rule = {
    kind: 'rule',
    x: LEFT,
    y: above + block.height + 1,
    width: CONTENT_WIDTH,
    height: 1,
    color: accent,
  } as const;
  return { node: leaf('H2', [...marks, rule]), height: above + block.height + 6 };
}

/** A cell of a table, with a link if there is one. An empty one keeps its place in the table. */
function toCell(tag: 'TH' | 'TD', block: TextBlock, url: string | null): Node {
  if (url === null) return leaf(tag, block.marks);
  return branch(tag, [leaf('Link', block.marks, { url })]);
}

/** One row: its title names it for screen readers. */
function layOutRow(row: CvRow, ruler: Ruler): Sized {
  const { when, title, middle, right, end } = COLUMNS;
  const cells = [
    wrapText(row.when, when, title - when - COLUMN_GAP, BODY, ruler),
    wrapText(row.title, title, middle - title - COLUMN_GAP, STRONG, ruler),
    wrapText(row.middle, middle, right - middle - COLUMN_GAP, BODY, ruler),
    wrapText(row.right, right, end - right, BODY, ruler),
  ] as const;
  const node = branch('TR', [
    toCell('TD', cells[0], null),
    toCell('TH', cells[1], row.url),
    toCell('TD', cells[2], null),
    toCell('TD', cells[3], null),
  ]);
  return { node, height: Math.max(BODY.lineHeight, ...cells.map(({ height }) => height)) + ROW_GAP };
}

function layOutNote(noun: string, { cut, pageUrl }: PartContext, ruler: Ruler): Sized[] {
  if (cut === 0) return [];
  const words = toNoteText(cut, noun);
  const block = wrapText(
    pageUrl === null ? words : `${words} at ${toShortUrl(pageUrl)}`,
    LEFT,
    CONTENT_WIDTH,
    QUIET,
    ruler,
  );
  const node = pageUrl === null ? leaf('P', block.marks) : branch('P', [leaf('Link', block.marks, { url: pageUrl })]);
  return [{ node, height: block.height + ROW_GAP }];
}

function layOutTable(part: CvTable, context: PartContext, ruler: Ruler): Block[] {
  const blocks = part.groups.map(({ title, rows }): Block => ({
    heading: layOutHeading(title, context.accent, ruler),
    rows: rows.map((row) => layOutRow(row, ruler)),
    wrapper: 'Table',
  }));
  const note = layOutNote(part.noun, context, ruler);
  return note.length === 0 ? blocks : [...blocks, { heading: null, rows: note, wrapper: null }];
}

function layOutList({ title, noun, entries }: CvList, { cut, accent }: PartContext, ruler: Ruler): Block[] {
  const more = cut === 0 ? '' : ` and ${toNoteText(cut, noun)}`;
  const block = wrapText(entries.join(', ') + more, LEFT, CONTENT_WIDTH, BODY, ruler);
  const row = { node: leaf('P', block.marks), height: block.height + ROW_GAP };
  return [{ heading: layOutHeading(title, accent, ruler), rows: [row], wrapper: null }];
}

function layOutLinks({ title, links }: CvLinks, { accent }: PartContext, ruler: Ruler): Block[] {
  const rows = links.map(({ label, url }): Sized => {
    const name = wrapText(label, LEFT, 80, QUIET, ruler);
    const address = wrapText(toShortUrl(url), LEFT + 84, CONTENT_WIDTH - 84, BODY, ruler);
    const body = branch('LBody', [leaf('Link', address.marks, { url })]);
    const node = branch('LI', [leaf('Lbl', name.marks), body]);
    return { node, height: Math.max(name.height, address.height) + ROW_GAP };
  });
  return [{ heading: layOutHeading(title, accent, ruler), rows, wrapper: 'L' }];
}

/** Lays out a part: a heading with rows below it, once for each group. */
export function layOutPart(part: CvPart, context: PartContext, ruler: Ruler): Block[] {
  switch (part.kind) {
    case 'table':
      return layOutTable(part, context, ruler);
    case 'list':
      return layOutList(part, context, ruler);
    case 'links':
      return layOutLinks(part, context, ruler);
  }
}
