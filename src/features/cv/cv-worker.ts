/** Makes CVs beside the page, so that it stays smooth on a slow phone. It gets what to print, and cannot reach the store. */
import { createFonts, type FontFiles, type Fonts } from './pdf/fonts.ts';
import { makePdf, type CvInput, type MadeCv } from './pdf/make-pdf.ts';
import { createTextPictures } from './pdf/pictures.ts';

/** The fonts come first, then one request for each CV. */
export type WorkerRequest = { fonts: FontFiles } | { id: number; input: CvInput };
export type WorkerAnswer = { id: number; made: MadeCv } | { id: number; error: string };

const pictures = createTextPictures();
let fonts: Fonts | null = null;

async function answer(id: number, input: CvInput): Promise<WorkerAnswer> {
  if (fonts === null) return { id, error: 'The fonts have not come' };
  try {
    return { id, made: await makePdf(input, { fonts, pictures }) };
  } catch (error) {
    return { id, error: String(error) };
  }
}

addEventListener('message', ({ data }: MessageEvent<WorkerRequest>) => {
  if ('fonts' in data) fonts = createFonts(data.fonts);
  else void answer(data.id, data.input).then((said) => postMessage(said));
});
