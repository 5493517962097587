/**
 * What is drawn, in points from the top left corner of a page. The PDF and its preview are drawn from the same marks, so that both look
 * the same.
 */
import type { Weight } from './fonts.ts';
import type { Run } from './runs.ts';

/** A4. */
export const PAGE = { width: 595.28, height: 841.89 } as const;

export interface PlacedRun extends Run {
  x: number;
  width: number;
}

/** One line of text. `y` is its baseline. */
export interface TextMark {
  kind: 'text';
  y: number;
  size: number;
  weight: Weight;
  color: string;
  runs: readonly PlacedRun[];
}
export interface RuleMark {
  kind: 'rule';
  x: number;
  y: number;
  width: number;
  height: number;
  color: string;
}
export interface PortraitMark {
  kind: 'portrait';
  x: number;
  y: number;
  width: number;
  height: number;
  radius: number;
}
/** A QR code. `path` is an SVG path in modules. */
export interface CodeMark {
  kind: 'code';
  x: number;
  y: number;
  size: number;
  modules: number;
  path: string;
  color: string;
}
export type Mark = TextMark | RuleMark | PortraitMark | CodeMark;

/** Structure types of PDF, as screen readers know them. An Artifact is not read. */
export type Tag =
  'H1' | 'H2' | 'P' | 'Figure' | 'Table' | 'TR' | 'TH' | 'TD' | 'L' | 'LI' | 'Lbl' | 'LBody' | 'Link' | 'Artifact';

/** An element of the document: it has elements or marks, never both. */
export interface Node {
  tag: Tag;
  /** What a figure shows. */
  alt?: string;
  /** Where a link leads. */
  url?: string;
  children: readonly Node[];
  marks: readonly Mark[];
}

/** A node that stands on one page, counted from 0. */
export interface PlacedNode extends Omit<Node, 'children'> {
  page: number;
  children: readonly PlacedNode[];
}

export const leaf = (tag: Tag, marks: readonly Mark[], more: Pick<Node, 'alt' | 'url'> = {}): Node => ({
  tag,
  marks,
  children: [],
  ...more,
});
export const branch = (tag: Tag, children: readonly Node[]): Node => ({ tag, marks: [], children });

function moveMark(mark: Mark, down: number): Mark {
  return { ...mark, y: mark.y + down };
}

/** Puts a node, whose marks begin at 0, on a page. */
export const place = (node: Node, page: number, top: number): PlacedNode => ({
  ...node,
  page,
  marks: node.marks.map((mark) => moveMark(mark, top)),
  children: node.children.map((child) => place(child, page, top)),
});

/** All marks of nodes, in reading order, by page. */
export function marksByPage(nodes: readonly PlacedNode[], pageCount: number): Mark[][] {
  const pages: Mark[][] = Array.from({ length: pageCount }, () => []);
  const visit = (node: PlacedNode) => {
    pages[node.page]?.push(...node.marks);
    node.children.forEach(visit);
  };
  nodes.forEach(visit);
  return pages;
}
