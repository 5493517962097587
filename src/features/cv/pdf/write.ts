import PDFDocument, { type StructureElement, type StructureOptions } from 'pdfkit';
import { isReordered, type Face, type Fonts } from './fonts.ts';
import {
  PAGE,
  type CodeMark,
  type Mark,
  type PlacedNode,
  type PlacedRun,
  type PortraitMark,
  type TextMark,
} from './marks.ts';
import type { TextPicture, TextPictures } from './pictures.ts';
import type { Ruler } from './typeset.ts';

/**
 * Devanagari writes many languages; the profile does not say which. Screen readers need one to choose a voice, and the voice of Hindi reads
 * them all.
 */
const DEVANAGARI_LANGUAGE = 'hi';
/** The font of the space that stands for a picture. */
const INVISIBLE_FACE: Face = 'latin regular';

export interface PdfInput {
  nodes: readonly PlacedNode[];
  pageCount: number;
  /** JPEG in the shape of the portrait. */
  portrait: ArrayBuffer | null;
  pictures: TextPictures | null;
}

/** An open document, which measures text with the same fonts that it embeds. */
export interface PdfWriter {
  ruler: Ruler;
  write: (input: PdfInput) => Promise<Uint8Array<ArrayBuffer>>;
}

/** Makes a font the current one. Fonts are parsed and embedded only if they are used. */
type SelectFont = (face: Face, size: number) => PDFDocument;

interface Context extends PdfInput {
  pdf: PDFDocument;
  select: SelectFont;
  /** Pictures of the runs that no embedded font has. */
  drawn: ReadonlyMap<PlacedRun, TextPicture>;
}

function collectBytes(pdf: PDFDocument): Promise<Uint8Array<ArrayBuffer>> {
  return new Promise((resolve) => {
    const parts: Uint8Array[] = [];
    pdf.on('data', (bytes) => void parts.push(bytes));
    pdf.on('end', () => {
      const whole = new Uint8Array(parts.reduce((sum, { length }) => sum + length, 0));
      let at = 0;
      for (const part of parts) {
        whole.set(part, at);
        at += part.length;
      }
      resolve(whole);
    });
  });
}

function createSelect(pdf: PDFDocument, fonts: Fonts): SelectFont {
  const registered = new Set<Face>();
  return (face, size) => {
    if (!registered.has(face)) pdf.registerFont(face, fonts.get(face));
    registered.add(face);
    return pdf.font(face).fontSize(size);
  };
}

function createRuler(select: SelectFont, fonts: Fonts, pictures: TextPictures | null): Ruler {
  const widths = new Map<string, number>();
  return {
    fonts,
    widthOf: (text, face, weight, size) => {
      if (face === null) return pictures?.widthOf(text, weight, size) ?? 0;
      const key = `${face} ${text}`;
      // Widths grow with the size, so that one measurement serves all sizes.
      let width = widths.get(key);
      if (width === undefined) {
        width = select(face, 1000).widthOfString(text);
        widths.set(key, width);
      }
      return (width * size) / 1000;
    },
  };
}

async function drawPictures(nodes: readonly PlacedNode[], pictures: TextPictures | null) {
  const drawn = new Map<PlacedRun, TextPicture>();
  if (pictures === null) return drawn;
  const visit = async (node: PlacedNode) => {
    for (const mark of node.marks) {
      if (mark.kind !== 'text') continue;
      for (const run of mark.runs) {
        if (run.face === null && run.text.trim() !== '') drawn.set(run, await pictures.draw(run.text, mark));
      }
    }
    for (const child of node.children) await visit(child);
  };
  for (const node of nodes) await visit(node);
  return drawn;
}

function drawPicture(run: PlacedRun, mark: TextMark, { pdf, drawn }: Context): void {
  const picture = drawn.get(run);
  if (picture === undefined) return;
  const { bytes, width, height, below } = picture;
  pdf.image(bytes, run.x, mark.y + below - height, { width, height });
}

/** Draws a run in embedded letters, or as a picture. */
function drawRun(run: PlacedRun, mark: TextMark, context: Context): void {
  if (run.face === null) return drawPicture(run, mark, context);
  context.select(run.face, mark.size).fillColor(mark.color);
  context.pdf.text(run.text, run.x, mark.y, { lineBreak: false, baseline: 'alphabetic' });
}

/** Rounded as PDFKit rounds. */
const toNumber = (value: number) => String(Math.round(value * 1e5) / 1e5);

/**
 * Draws glyphs of the current font in the coordinates of the page, which begin at its bottom.
 * @param y of the baseline
 */
function showGlyphs(pdf: PDFDocument, text: string, x: number, y: number, size: number): void {
  const { page, _font: font } = pdf;
  page.fonts[font.id] ??= font.ref();
  pdf.addContent(`/${font.id} ${toNumber(size)} Tf`);
  const [glyphs, positions] = font.encode(text);
  let left = x;
  glyphs.forEach((glyph, index) => {
    const { xOffset = 0, yOffset = 0, xAdvance = 0 } = positions[index] ?? {};
    const at = `${toNumber(left + (xOffset * size) / 1000)} ${toNumber(y + (yOffset * size) / 1000)}`;
    pdf.addContent(`1 0 0 1 ${at} Tm <${glyph}> Tj`);
    left += (xAdvance * size) / 1000;
  });
}

function drawPortrait({ x, y, width, height, radius }: PortraitMark, { pdf, portrait }: Context): void {
  if (portrait === null) return;
  pdf.save().roundedRect(x, y, width, height, radius).clip();
  pdf.image(portrait, x, y, { width, height }).restore();
}

function drawCode({ x, y, size, modules, path, color }: CodeMark, { pdf }: Context): void {
  pdf
    .save()
    .translate(x, y)
    .scale(size / modules)
    .path(path)
    .fill(color)
    .restore();
}

function drawArtifact(marks: readonly Mark[], type: 'Layout' | 'Pagination', context: Context): void {
  if (marks.length === 0) return;
  context.pdf.markContent('Artifact', { type });
  for (const mark of marks) {
    if (mark.kind === 'rule') context.pdf.rect(mark.x, mark.y, mark.width, mark.height).fill(mark.color);
    if (mark.kind === 'text') for (const run of mark.runs) drawRun(run, mark, context);
  }
  context.pdf.endMarkedContent();
}

/** Draws inside a structure element, as one piece of its content. */
function drawContent(element: StructureElement, tag: string, { pdf }: Context, draw: () => void): void {
  const content = pdf.markStructureContent(tag);
  draw();
  pdf.endMarkedContent();
  element.add(content);
}

/**
 * Draws text whose glyphs are not in reading order, or are a picture, in an element of its own that says what is written there. It is said
 * twice, since some readers look at the element and some at the content.
 *
 * PDFKit turns the page upside down for each text and back after it. Poppler places a replaced text by the coordinates in force where it
 * ends, and would take the words for the last ones of the page. So the glyphs are drawn here, in the same coordinates as the marks.
 */
function drawSpan(run: PlacedRun, mark: TextMark, parent: StructureElement, context: Context): void {
  const { pdf, select } = context;
  const options: StructureOptions = {
    actual: run.text,
    ...(run.face !== null && { lang: DEVANAGARI_LANGUAGE }),
  };
  const span = pdf.struct('Span', options);
  parent.add(span);
  if (run.face === null) {
    drawContent(span, 'Span', context, () => drawPicture(run, mark, context));
  }
  pdf.save().transform(1, 0, 0, -1, 0, PAGE.height);
  const content = pdf.markStructureContent('Span', options);
  // Readers replace text by text only: an unseen space stands for a picture.
  select(run.face ?? INVISIBLE_FACE, mark.size).fillColor(mark.color);
  pdf.addContent(run.face === null ? 'BT 3 Tr' : 'BT');
  showGlyphs(pdf, run.face === null ? ' ' : run.text, run.x, PAGE.height - mark.y, mark.size);
  pdf
    .addContent(run.face === null ? '0 Tr ET' : 'ET')
    .endMarkedContent()
    .restore();
  span.add(content);
  span.end();
}

function writeText(mark: TextMark, tag: string, element: StructureElement, context: Context): void {
  for (const run of mark.runs) {
    if (run.face === null || isReordered(run.face)) drawSpan(run, mark, element, context);
    else drawContent(element, tag, context, () => drawRun(run, mark, context));
  }
}

const textOf = (node: PlacedNode): string =>
  node.marks.flatMap((mark) => (mark.kind === 'text' ? mark.runs.map(({ text }) => text) : [])).join('');

function boxOf(mark: Mark): StructureOptions['bbox'] {
  if (mark.kind === 'portrait') return [mark.x, mark.y, mark.x + mark.width, mark.y + mark.height];
  if (mark.kind === 'code') return [mark.x, mark.y, mark.x + mark.size, mark.y + mark.size];
  return undefined;
}

function toOptions({ tag, alt, marks }: PlacedNode): StructureOptions {
  const bbox = marks[0] && boxOf(marks[0]);
  return {
    ...(alt !== undefined && { alt }),
    ...(tag === 'TH' && { scope: 'Row' as const }),
    ...(bbox && { bbox }),
  };
}

/** Makes each line of a link clickable. */
function addLinks(node: PlacedNode, element: StructureElement, { pdf }: Context): void {
  if (node.url === undefined) return;
  for (const mark of node.marks) {
    const [first, last] = mark.kind === 'text' ? [mark.runs[0], mark.runs.at(-1)] : [];
    if (mark.kind !== 'text' || first === undefined || last === undefined) continue;
    const width = last.x + last.width - first.x;
    const options = { structParent: element, Contents: toPdfString(textOf(node).trim()) };
    pdf.link(first.x, mark.y - mark.size, width, mark.size * 1.3, node.url, options);
  }
}

/** PDFKit writes a text of the document as a String object, and a name of PDF as a plain one. */
const toPdfString = (text: string): object => Object(text) as object;

function writeNode(node: PlacedNode, parent: StructureElement, context: Context): void {
  const { pdf } = context;
  pdf.switchToPage(node.page);
  if (node.tag === 'Artifact') return drawArtifact(node.marks, 'Pagination', context);
  const element = pdf.struct(node.tag, toOptions(node));
  parent.add(element);
  for (const mark of node.marks) {
    if (mark.kind === 'text') writeText(mark, node.tag, element, context);
    if (mark.kind === 'portrait') drawContent(element, node.tag, context, () => drawPortrait(mark, context));
    if (mark.kind === 'code') drawContent(element, node.tag, context, () => drawCode(mark, context));
  }
  addLinks(node, element, context);
  for (const child of node.children) writeNode(child, element, context);
  // An element that ends on another page than its links would name the wrong page for them.
  element.end();
  drawArtifact(
    node.marks.filter(({ kind }) => kind === 'rule'),
    'Layout',
    context,
  );
}

/**
 * Opens a tagged PDF for PDF/UA: everything that is drawn is in a structure element or an artifact, and no font is taken for granted.
 * @param title shown in the title bar of readers
 * @param compress false keeps the content readable, for tests
 */
export function openPdf(
  fonts: Fonts,
  title: string,
  now: Date,
  pictures: TextPictures | null,
  compress = true,
): PdfWriter {
  const pdf = new PDFDocument({
    pdfVersion: '1.7',
    subset: 'PDF/UA',
    tagged: true,
    displayTitle: true,
    lang: 'en',
    size: [PAGE.width, PAGE.height],
    margin: 0,
    autoFirstPage: false,
    bufferPages: true,
    font: null,
    compress,
    info: { Title: title, Creator: 'Callboard', Producer: 'Callboard', CreationDate: now },
  });
  const select = createSelect(pdf, fonts);
  return {
    ruler: createRuler(select, fonts, pictures),
    write: async (input) => {
      const bytes = collectBytes(pdf);
      const context: Context = { ...input, pdf, select, drawn: await drawPictures(input.nodes, input.pictures) };
      for (let page = 0; page < input.pageCount; page += 1) pdf.addPage();
      const root = pdf.struct('Document');
      pdf.addStructure(root);
      for (const node of input.nodes) writeNode(node, root, context);
      root.end();
      pdf.end();
      return bytes;
    },
  };
}
