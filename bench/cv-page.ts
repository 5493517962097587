/** Runs in the browser: the code that makes a CV, and a bare document with the same text. */
import PDFDocument from 'pdfkit';
import type { CvContent } from '#features/cv/pdf/content.ts';
import { createFonts, type Face, type Fonts } from '#features/cv/pdf/fonts.ts';
import { makePdf, type MadeCv } from '#features/cv/pdf/make-pdf.ts';
import { PAGE } from '#features/cv/pdf/marks.ts';
import { toQrPath } from '#shared/qr-path.ts';

let fonts: Fonts = createFonts(new Map());
let made: MadeCv | null = null;

/** Writes the text of the last CV to a document without layout, structure, links or pictures. */
async function writeBare({ pages }: MadeCv): Promise<number> {
  const pdf = new PDFDocument({
    pdfVersion: '1.7',
    tagged: false,
    displayTitle: false,
    lang: 'en',
    size: [PAGE.width, PAGE.height],
    margin: 0,
    autoFirstPage: false,
    bufferPages: false,
    font: null,
    compress: true,
    info: {},
  });
  let size = 0;
  pdf.on('data', ({ length }) => (size += length));
  const ended = new Promise<void>((resolve) => pdf.on('end', resolve));
  const known = new Set<Face>();
  for (const marks of pages) {
    pdf.addPage();
    for (const mark of marks) {
      if (mark.kind !== 'text') continue;
      for (const { face, text, x } of mark.runs) {
        if (face === null) continue;
        if (!known.has(face)) pdf.registerFont(face, fonts.get(face));
        known.add(face);
        pdf.font(face).fontSize(mark.size).text(text, x, mark.y, { lineBreak: false, baseline: 'alphabetic' });
      }
    }
  }
  pdf.end();
  await ended;
  return size;
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const startedAt = performance.now();
  await work();
  return performance.now() - startedAt;
}

const page = {
  /** Fetches the fonts. @param urls by face */
  async open(urls: readonly (readonly [Face, string])[]): Promise<void> {
    const fetchFont = async (url: string) => (await fetch(url)).arrayBuffer();
    fonts = createFonts(
      new Map(
        await Promise.all(urls.map(async ([face, url]): Promise<[Face, ArrayBuffer]> => [face, await fetchFont(url)])),
      ),
    );
  },

  /** Makes a CV. Returns milliseconds and bytes. */
  async make(content: CvContent, portrait: readonly number[]): Promise<[ms: number, bytes: number]> {
    const design = {
      maxPages: 2 as const,
      accent: '#134834',
      code: content.pageUrl === null ? null : toQrPath(content.pageUrl),
      date: '26 Nov 2026',
    };
    const input = { content, design, portrait: new Uint8Array(portrait).buffer, now: new Date() };
    const ms = await timed(async () => {
      made = await makePdf(input, { fonts, pictures: null });
    });
    return [ms, made?.pdf.length ?? 0];
  },

  /** Writes the same text to a bare document. Returns milliseconds and bytes. */
  async bare(): Promise<[ms: number, bytes: number]> {
    if (made === null) throw new Error('No CV was made');
    const last = made;
    let bytes = 0;
    const ms = await timed(async () => {
      bytes = await writeBare(last);
    });
    return [ms, bytes];
  },
};

export type CvBenchPage = typeof page;
declare global {
  interface Window {
    cvPage: CvBenchPage;
  }
}
window.cvPage = page;
