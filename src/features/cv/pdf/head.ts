import type { CvContent, CvFact } from './content.ts';
import type { CvDesign } from './design.ts';
import { branch, leaf, type Mark, type Node, type TextMark } from './marks.ts';
import { toShortUrl } from './parts.ts';
import { BODY, CONTENT_WIDTH, MARGIN, QUIET, SMALL } from './style.ts';
import { wrapText, type Ruler, type TextBlock, type TextStyle } from './typeset.ts';

/** The head of a CV: portrait, name, facts and QR code. Its marks begin at 0. */
export interface Head {
  nodes: Node[];
  height: number;
}

const PORTRAIT = { width: 112.5, height: 140.6, radius: 9 } as const;
const CODE_SIZE = 66;
const GAP = 19;
const CODE_COLOR = '#17231d';
/** A name takes the largest of these sizes that needs two lines at most. */
const NAME_SIZES = [25.5, 20, 16, 13] as const;
const LABEL_WIDTH = 62;
/** More contacts than this would push the credits off the page. */
const MAX_FACTS = 16;

const moveDown = (marks: readonly TextMark[], by: number): TextMark[] =>
  marks.map((mark) => ({ ...mark, y: mark.y + by }));

function layOutName(name: string, x: number, width: number, color: string, ruler: Ruler): TextBlock {
  const layOut = (size: number) =>
    wrapText(name, x, width, { size, weight: 'bold', color, lineHeight: size * 1.15 }, ruler);
  const fitting = NAME_SIZES.map(layOut).find(({ marks }) => marks.length <= 2);
  return fitting ?? layOut(NAME_SIZES.at(-1) ?? BODY.size);
}

interface Column {
  x: number;
  width: number;
}

/** One fact: its label, and its value beside it. */
function layOutFact({ label, value }: CvFact, { x, width }: Column, labelWidth: number, ruler: Ruler) {
  const name = wrapText(label, x, labelWidth, QUIET, ruler);
  const text = wrapText(value, x + labelWidth, width - labelWidth, BODY, ruler);
  return { name, text, height: Math.max(name.height, text.height) + 1.5 };
}

/** The facts as a list: short ones in two columns, long ones across. */
function layOutFacts(
  facts: readonly CvFact[],
  { x, width }: Column,
  top: number,
  ruler: Ruler,
): { node: Node | null; bottom: number } {
  const half = (width - 12) / 2;
  const items: Node[] = [];
  let y = top;
  /** Height of a short fact that stands alone in the left column. */
  let openHeight: number | null = null;
  for (const fact of facts) {
    const isLeft = openHeight === null;
    const column = { x: isLeft ? x : x + half + 12, width: half };
    const short = layOutFact(fact, column, isLeft ? LABEL_WIDTH : 48, ruler);
    const isShort = short.text.marks.length === 1 && short.name.marks.length === 1;
    if (!isShort && openHeight !== null) {
      y += openHeight;
      openHeight = null;
    }
    const laidOut = isShort ? short : layOutFact(fact, { x, width }, LABEL_WIDTH, ruler);
    items.push(
      branch('LI', [leaf('Lbl', moveDown(laidOut.name.marks, y)), leaf('LBody', moveDown(laidOut.text.marks, y))]),
    );
    if (isShort && openHeight === null) openHeight = laidOut.height;
    else {
      y += Math.max(laidOut.height, openHeight ?? 0);
      openHeight = null;
    }
  }
  return { node: items.length === 0 ? null : branch('L', items), bottom: y + (openHeight ?? 0) };
}

/** The QR code, and below it the address that it holds, as a link. */
function layOutCode(
  url: string,
  name: string,
  code: { path: string; size: number },
  ruler: Ruler,
): { nodes: Node[]; height: number } {
  const x = MARGIN.side + CONTENT_WIDTH - CODE_SIZE;
  const mark: Mark = { kind: 'code', x, y: 0, size: CODE_SIZE, modules: code.size, path: code.path, color: CODE_COLOR };
  const words = wrapText(toShortUrl(url), x, CODE_SIZE, { ...SMALL, size: 6, lineHeight: 7.5 }, ruler);
  const nodes = [
    leaf('Figure', [mark], { alt: `QR code that opens ${name}’s profile` }),
    branch('P', [leaf('Link', moveDown(words.marks, CODE_SIZE + 3), { url })]),
  ];
  return { nodes, height: CODE_SIZE + 3 + words.height };
}

/** Lays out the head in reading order: name, title, portrait, facts, QR code. */
export function layOutHead(content: CvContent, { accent, hasPortrait, code }: CvDesign, ruler: Ruler): Head {
  const x = MARGIN.side + (hasPortrait ? PORTRAIT.width + GAP : 0);
  const qr = code && content.pageUrl !== null ? layOutCode(content.pageUrl, content.name, code, ruler) : null;
  const width = MARGIN.side + CONTENT_WIDTH - x - (qr ? CODE_SIZE + GAP : 0);
  const name = layOutName(content.name, x, width, CODE_COLOR, ruler);
  const titleStyle: TextStyle = { ...BODY, size: 11, lineHeight: 15, color: accent };
  const title = wrapText(content.title, x, width, titleStyle, ruler);
  const facts = layOutFacts(content.facts.slice(0, MAX_FACTS), { x, width }, name.height + title.height + 9, ruler);
  const portrait: Mark = { kind: 'portrait', x: MARGIN.side, y: 0, ...PORTRAIT };
  const nodes = [
    ...(name.marks.length > 0 ? [leaf('H1', name.marks)] : []),
    ...(title.marks.length > 0 ? [leaf('P', moveDown(title.marks, name.height + 2))] : []),
    ...(hasPortrait ? [leaf('Figure', [portrait], { alt: `Portrait of ${content.name}` })] : []),
    ...(facts.node ? [facts.node] : []),
    ...(qr?.nodes ?? []),
  ];
  return { nodes, height: Math.max(facts.bottom, hasPortrait ? PORTRAIT.height : 0, qr?.height ?? 0) + 4 };
}
