import {
  PdfScanner,
  readObjects,
  toDictionary,
  type PdfDictionary,
  type PdfObject,
  type PdfValue,
} from './pdf-objects.ts';

/** Glyphs that were drawn together. */
export interface ShownGlyphs {
  /** Number of the font's object. */
  font: number;
  /** Codes in the embedded font. */
  glyphs: number[];
}

/** A piece of marked content. */
export interface MarkedContent {
  /** Text by the glyphs, in the order in which they are drawn. */
  text: string;
  /** What the mark says is written there; null if it says nothing. */
  actual: string | null;
  shown: ShownGlyphs[];
  drawCount: number;
}

export interface StructureNode {
  tag: string;
  alt: string | null;
  actual: string | null;
  lang: string | null;
  scope: string | null;
  hasBox: boolean;
  children: StructureNode[];
  contents: MarkedContent[];
  links: { url: string; contents: string; page: number }[];
  /** Pages of the contents and links, counted from 0. */
  pages: number[];
  /** Text in reading order, as a screen reader says it. */
  text: string;
}

export interface ReadPdf {
  objects: ReadonlyMap<number, PdfObject>;
  catalog: PdfDictionary;
  info: Readonly<Record<string, PdfValue>>;
  metadata: string;
  pageCount: number;
  pages: PdfDictionary[];
  structure: StructureNode;
  /** Operators that draw something outside of every mark. */
  unmarkedCount: number;
  /** Marked contents that no structure element names. */
  orphanCount: number;
}

const DRAWING = new Set(['Tj', 'TJ', 'f', 'f*', 'S', 'B', 'Do']);

interface Mark {
  tag: string;
  content: MarkedContent | null;
  isArtifact: boolean;
}

/** Reads the operators of a page. */
function readContent(
  stream: string,
  toText: (font: string, glyph: number) => string,
  fontNumber: (name: string) => number,
) {
  const scanner = new PdfScanner(stream);
  const contents = new Map<number, MarkedContent>();
  const marks: Mark[] = [];
  let operands: PdfValue[] = [];
  let unmarkedCount = 0;
  let font = '';
  const show = (codes: string) => {
    const content = marks.findLast((mark) => mark.content)?.content;
    const glyphs = (codes.match(/.{4}/g) ?? []).map((digits) => Number.parseInt(digits, 16));
    if (!content) return;
    content.text += glyphs.map((glyph) => toText(font, glyph)).join('');
    content.shown.push({ font: fontNumber(font), glyphs });
  };
  const run = (operator: string) => {
    if (DRAWING.has(operator)) {
      const mark = marks.findLast((each) => each.isArtifact || each.content);
      if (!mark) unmarkedCount += 1;
      if (mark?.content) mark.content.drawCount += 1;
    }
    if (operator === 'BDC' || operator === 'BMC') {
      const [tag, properties] = operands;
      const known = operator === 'BDC' ? toDictionary(properties) : new Map<string, PdfValue>();
      const number = known.get('MCID');
      const actual = known.get('ActualText');
      const content =
        typeof number === 'number'
          ? { text: '', actual: typeof actual === 'string' ? actual : null, shown: [], drawCount: 0 }
          : null;
      if (typeof number === 'number' && content) contents.set(number, content);
      marks.push({ tag: String(tag), content, isArtifact: tag === '/Artifact' });
    }
    if (operator === 'EMC') marks.pop();
    if (operator === 'Tf') font = String(operands[0]).slice(1);
    if (operator === 'Tj') show(String(operands[0]));
    if (operator === 'TJ') for (const part of operands[0] as PdfValue[]) if (typeof part === 'string') show(part);
  };
  while (!scanner.isAtEnd) {
    const value = scanner.readValue();
    if (value !== null && typeof value === 'object' && 'word' in value) {
      run(value.word);
      operands = [];
    } else operands.push(value);
  }
  if (marks.length > 0) throw new Error(`The mark ${marks[0]?.tag} is not closed`);
  return { contents, unmarkedCount };
}

/** Reads which text each glyph of a font stands for. */
function readToUnicode(stream: string): Map<number, string> {
  const texts = new Map<number, string>();
  for (const [, first, , list = ''] of stream.matchAll(/<(\w+)> <(\w+)> \[([^\]]*)\]/g)) {
    [...list.matchAll(/<([^>]*)>/g)].forEach(([, codes = ''], index) => {
      const units = (codes.match(/\w{4}/g) ?? []).map((digits) => Number.parseInt(digits, 16));
      texts.set(Number.parseInt(first ?? '', 16) + index, String.fromCharCode(...units));
    });
  }
  return texts;
}

/** Reads a PDF that is not compressed. */
export function readPdf(bytes: Uint8Array): ReadPdf {
  const { objects, trailer } = readObjects(bytes);
  const resolve = (value: PdfValue | undefined): PdfValue => {
    if (value !== null && typeof value === 'object' && 'ref' in value) return objects.get(value.ref)?.value ?? null;
    return value ?? null;
  };
  const numberOf = (value: PdfValue | undefined): number =>
    value !== null && typeof value === 'object' && 'ref' in value ? value.ref : NaN;
  const dictionaryAt = (from: PdfDictionary, key: string) => toDictionary(resolve(from.get(key)));
  const textAt = (from: PdfDictionary, key: string): string | null => {
    const value = resolve(from.get(key));
    return typeof value === 'string' ? value : null;
  };
  const streamAt = (from: PdfDictionary, key: string) => objects.get(numberOf(from.get(key)))?.stream ?? '';
  const list = (value: PdfValue | undefined): readonly PdfValue[] => {
    const found = resolve(value);
    return Array.isArray(found) ? found : found === null ? [] : [found];
  };

  const catalog = dictionaryAt(trailer, 'Root');
  const kids = list(dictionaryAt(catalog, 'Pages').get('Kids'));
  const pageNumbers = kids.map(numberOf);
  const pages = kids.map((kid) => toDictionary(resolve(kid)));
  const toUnicode = new Map<number, Map<number, string>>();
  const read = pages.map((page) => {
    const fonts = page.get('Resources') ? dictionaryAt(page, 'Resources').get('Font') : undefined;
    const named = fonts === undefined ? new Map<string, PdfValue>() : toDictionary(resolve(fonts));
    const fontNumber = (name: string) => numberOf(named.get(name));
    return readContent(
      streamAt(page, 'Contents'),
      (name, glyph) => {
        const font = fontNumber(name);
        const known =
          toUnicode.get(font) ?? readToUnicode(streamAt(toDictionary(objects.get(font)?.value), 'ToUnicode'));
        toUnicode.set(font, known);
        return known.get(glyph) ?? '\ufffd';
      },
      fontNumber,
    );
  });

  let namedCount = 0;
  const readNode = (value: PdfValue): StructureNode => {
    const element = toDictionary(resolve(value));
    const attributes = element.get('A') === undefined ? new Map<string, PdfValue>() : dictionaryAt(element, 'A');
    const node: StructureNode = {
      tag: (textAt(element, 'S') ?? '').slice(1),
      alt: textAt(element, 'Alt'),
      actual: textAt(element, 'ActualText'),
      lang: textAt(element, 'Lang'),
      scope: textAt(attributes, 'Scope')?.slice(1) ?? null,
      hasBox: attributes.has('BBox'),
      children: [],
      contents: [],
      links: [],
      pages: [],
      text: '',
    };
    const parts: string[] = [];
    const addContent = (page: number, number: number) => {
      const content = read[page]?.contents.get(number);
      if (!content) throw new Error(`There is no content ${number} on page ${page}`);
      namedCount += 1;
      node.contents.push(content);
      node.pages.push(page);
      parts.push(content.actual ?? content.text);
    };
    for (const kid of list(element.get('K'))) {
      const child = resolve(kid);
      if (typeof child === 'number') addContent(pageNumbers.indexOf(numberOf(element.get('Pg'))), child);
      else {
        const entry = toDictionary(child);
        const page = pageNumbers.indexOf(numberOf(entry.get('Pg')));
        if (entry.get('Type') === '/MCR') addContent(page, Number(entry.get('MCID')));
        else if (entry.get('Type') === '/OBJR') {
          const link = dictionaryAt(entry, 'Obj');
          node.links.push({
            url: textAt(dictionaryAt(link, 'A'), 'URI') ?? '',
            contents: textAt(link, 'Contents') ?? '',
            page,
          });
          node.pages.push(page);
        } else {
          const inner = readNode(child);
          node.children.push(inner);
          parts.push(inner.text);
        }
      }
    }
    node.text = node.actual ?? parts.join('');
    return node;
  };
  const [root] = list(dictionaryAt(catalog, 'StructTreeRoot').get('K'));
  const structure = readNode(root ?? null);
  const info = Object.fromEntries([...dictionaryAt(trailer, 'Info')].map(([key, value]) => [key, resolve(value)]));
  const contentCount = read.reduce((sum, { contents }) => sum + contents.size, 0);
  return {
    objects,
    catalog,
    info,
    metadata: Buffer.from(streamAt(catalog, 'Metadata'), 'latin1').toString('utf8'),
    pageCount: pages.length,
    pages,
    structure,
    unmarkedCount: read.reduce((sum, page) => sum + page.unmarkedCount, 0),
    orphanCount: contentCount - namedCount,
  };
}

/** All elements with a tag, in reading order. */
export function findAll(node: StructureNode, tag: string): StructureNode[] {
  const found = node.children.flatMap((child) => findAll(child, tag));
  return node.tag === tag ? [node, ...found] : found;
}
