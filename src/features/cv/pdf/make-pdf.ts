import type { CvContent } from './content.ts';
import type { CvDesign } from './design.ts';
import type { Fonts } from './fonts.ts';
import { layOutCv } from './layout.ts';
import { marksByPage, type Mark } from './marks.ts';
import type { TextPictures } from './pictures.ts';
import { toLineText } from './runs.ts';
import { openPdf } from './write.ts';

export interface CvInput {
  content: CvContent;
  design: Omit<CvDesign, 'hasPortrait'>;
  /** JPEG in the shape of the portrait; null without one. */
  portrait: ArrayBuffer | null;
  now: Date;
}

export interface MadeCv {
  pdf: Uint8Array<ArrayBuffer>;
  /** What the preview draws, by page. */
  pages: Mark[][];
  /** How many rows and entries did not fit. */
  cutCount: number;
}

/** What the code around it provides. `compress` false keeps the content of the PDF readable, for tests. */
interface Means {
  fonts: Fonts;
  pictures: TextPictures | null;
  compress?: boolean;
}

/** The title of the document. PDFKit writes it into XML as it is. */
function toTitle(name: string): string {
  const safe = toLineText(name.replaceAll('&', ' and ').replace(/[<>]/gu, ' '));
  return safe === '' ? 'CV' : `${safe} · CV`;
}

/** Makes the PDF of a CV, and what its preview shows. */
export async function makePdf(input: CvInput, { fonts, pictures, compress }: Means): Promise<MadeCv> {
  const { content, design, portrait, now } = input;
  const writer = openPdf(fonts, toTitle(content.name), now, pictures, compress);
  const { nodes, pageCount, cutCount } = layOutCv(content, { ...design, hasPortrait: portrait !== null }, writer.ruler);
  const pdf = await writer.write({ nodes, pageCount, portrait, pictures });
  return { pdf, pages: marksByPage(nodes, pageCount), cutCount };
}
