import type { CvContent, CvPart, CvRow } from './content.ts';
import type { CvDesign } from './design.ts';
import { layOutHead, type Head } from './head.ts';
import { PAGE, place, type Node, type PlacedNode } from './marks.ts';
import { layOutPart, type Block, type Sized } from './parts.ts';
import { MARGIN, SMALL } from './style.ts';
import { rightAligned, wrapText, type Ruler } from './typeset.ts';

/** The lowest line that content may reach; the foot stands below. */
const BOTTOM = PAGE.height - MARGIN.bottom - 16;

/** A casting side reads the newest credits. One page has this many at most. */
const MAX_CREDITS_ON_ONE_PAGE = 25;
const MAX_CREDITS = 100;

export interface CvLayout {
  /** In reading order. */
  nodes: PlacedNode[];
  pageCount: number;
  /** How many rows and entries did not fit. */
  cutCount: number;
}

/** How much of the parts is printed. `credits`: of all credits together. `others`: rows or entries of each other part. */
interface Limits {
  credits: number;
  others: number;
}
const NOTHING: Limits = { credits: 0, others: 0 };

/** Pages that are filled from top to bottom. */
interface Pages {
  count: () => number;
  /** Starts a new page unless this much fits on the current one. */
  makeRoom: (height: number) => void;
  /** Puts a node below what is already there. */
  put: (block: Sized) => PlacedNode;
}

function createPages(firstTop: number): Pages {
  let page = 0;
  let top = firstTop;
  return {
    count: () => page + 1,
    makeRoom: (height) => {
      if (top + height <= BOTTOM) return;
      page += 1;
      top = MARGIN.top;
    },
    put: ({ node, height }) => {
      const placed = place(node, page, top);
      top += height;
      return placed;
    },
  };
}

/** Puts the blocks of a part on pages. A heading stays with the first row below it, and no row is torn apart. */
function putPart(blocks: readonly Block[], pages: Pages): PlacedNode[] {
  return blocks.flatMap(({ heading, rows, wrapper }) => {
    pages.makeRoom((heading?.height ?? 0) + (rows[0]?.height ?? 0));
    const above = heading === null ? [] : [pages.put(heading)];
    const children = rows.map((row) => {
      pages.makeRoom(row.height);
      return pages.put(row);
    });
    const [first] = children;
    if (wrapper === null || first === undefined) return [...above, ...children];
    return [...above, { tag: wrapper, page: first.page, marks: [], children }];
  });
}

/** The newest credits, in their groups. */
function limitCredits(part: CvPart, count: number): CvPart {
  if (part.kind !== 'table') return part;
  const newest = part.groups
    .flatMap(({ rows }) => rows)
    .map((row, index) => ({ row, index }))
    .sort((a, b) => b.row.rank - a.row.rank || a.index - b.index)
    .slice(0, count);
  const kept = new Set<CvRow>(newest.map(({ row }) => row));
  const groups = part.groups.map((group) => ({ ...group, rows: group.rows.filter((row) => kept.has(row)) }));
  return { ...part, groups: groups.filter(({ rows }) => rows.length > 0) };
}

function limitPart(part: CvPart, { credits, others }: Limits): CvPart {
  if (part.kind === 'table') return limitCredits(part, part.noun === 'credit' ? credits : others);
  if (part.kind === 'list') return { ...part, entries: part.entries.slice(0, others) };
  return { ...part, links: part.links.slice(0, others) };
}

function sizeOf(part: CvPart): number {
  if (part.kind === 'table') return part.groups.reduce((sum, { rows }) => sum + rows.length, 0);
  return part.kind === 'list' ? part.entries.length : part.links.length;
}

/** What is tried, from everything to almost nothing: older credits go first. */
function* getLimits({ parts }: CvContent, maxPages: number): Generator<Limits> {
  const cap = maxPages === 1 ? MAX_CREDITS_ON_ONE_PAGE : MAX_CREDITS;
  const isCredits = (part: CvPart) => part.kind === 'table' && part.noun === 'credit';
  const count = Math.min(cap, Math.max(0, ...parts.filter(isCredits).map(sizeOf)));
  const most = Math.max(0, ...parts.filter((part) => !isCredits(part)).map(sizeOf));
  const few = Math.min(count, 5);
  for (let credits = count; credits > few; credits -= 1) yield { credits, others: most };
  for (let others = most; others > 3; others = Math.max(3, Math.ceil(others * 0.7) - 1)) yield { credits: few, others };
  for (let credits = few; credits >= 0; credits -= 1) yield { credits, others: Math.min(most, 3) };
  for (const others of [2, 1]) yield { credits: 0, others };
}

function layOutFoot(page: number, pageCount: number, name: string, design: CvDesign, ruler: Ruler): PlacedNode {
  const right = PAGE.width - MARGIN.side;
  const endText = pageCount > 1 ? `${design.date} · ${page + 1} of ${pageCount}` : design.date;
  const end = rightAligned(endText, right, SMALL, ruler);
  const [start = null] = page === 0 ? [] : wrapText(name, MARGIN.side, 360, SMALL, ruler).marks;
  const node: Node = { tag: 'Artifact', children: [], marks: [...(start ? [start] : []), ...end.marks] };
  return place(node, page, PAGE.height - MARGIN.bottom);
}

/** Lays out what the limits leave. It may take more pages than wanted. */
function layOutWithin(limits: Limits, head: Head, content: CvContent, design: CvDesign, ruler: Ruler): CvLayout {
  const pages = createPages(MARGIN.top + head.height);
  const nodes = head.nodes.map((node) => place(node, 0, MARGIN.top));
  let cutCount = 0;
  for (const part of content.parts) {
    const limited = limitPart(part, limits);
    const cut = sizeOf(part) - sizeOf(limited);
    cutCount += cut;
    if (sizeOf(limited) === 0) continue;
    nodes.push(...putPart(layOutPart(limited, { cut, pageUrl: content.pageUrl, accent: design.accent }, ruler), pages));
  }
  return { nodes, pageCount: pages.count(), cutCount };
}

/**
 * Lays out a CV on at most the wanted number of pages. What does not fit is left out, the oldest credits first, and a line says how much
 * that is.
 */
export function layOutCv(content: CvContent, design: CvDesign, ruler: Ruler): CvLayout {
  const head = layOutHead(content, design, ruler);
  const tries = [...getLimits(content, design.maxPages)];
  const layOut = (at: number) => layOutWithin(tries[at] ?? NOTHING, head, content, design, ruler);
  // The first that fits. The later ones, which print less, fit as well.
  let [low, high] = [0, tries.length];
  while (low < high) {
    const middle = Math.floor((low + high) / 2);
    if (layOut(middle).pageCount <= design.maxPages) high = middle;
    else low = middle + 1;
  }
  const { nodes, pageCount, cutCount } = layOut(low);
  const feet = Array.from({ length: pageCount }, (_, page) => layOutFoot(page, pageCount, content.name, design, ruler));
  return { nodes: [...nodes, ...feet], pageCount, cutCount };
}
