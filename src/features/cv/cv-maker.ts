import { FONT_URLS } from 'virtual:cv-fonts';
import type { WorkerAnswer, WorkerRequest } from './cv-worker.ts';
import type { Face, FontFiles } from './pdf/fonts.ts';
import type { CvInput, MadeCv } from './pdf/make-pdf.ts';

/** The first bytes of a TrueType font. */
const TRUE_TYPE = 0x00010000;

/** The code or the fonts of the CV are not on this device and could not be fetched. */
export class CvPartsMissingError extends Error {
  override name = 'CvPartsMissingError';
}

export interface CvMaker {
  fonts: FontFiles;
  /** @returns null if a newer one was asked for before this one was begun @throws if the PDF cannot be made */
  make: (input: CvInput) => Promise<MadeCv | null>;
  close: () => void;
}

async function fetchFont(url: string): Promise<ArrayBuffer> {
  const answer = await fetch(url);
  const bytes = await answer.arrayBuffer();
  // A captive portal answers with a page.
  if (!answer.ok || bytes.byteLength < 4 || new DataView(bytes).getUint32(0) !== TRUE_TYPE) {
    throw new CvPartsMissingError(`${url} is not a font`);
  }
  return bytes;
}

async function fetchFonts(): Promise<FontFiles> {
  const fetchFace = async (face: Face, url: string): Promise<[Face, ArrayBuffer]> => [face, await fetchFont(url)];
  return new Map(await Promise.all(FONT_URLS.map(([face, url]) => fetchFace(face, url))));
}

/** A CV that was asked for. */
interface Order {
  id: number;
  input: CvInput;
  resolve: (made: MadeCv | null) => void;
  reject: (error: Error) => void;
}

/**
 * Fetches the code and the fonts of the CV, which the service worker keeps from then on.
 * @throws {CvPartsMissingError} if they are not on this device and cannot be fetched
 */
export async function openCvMaker(): Promise<CvMaker> {
  const worker = new Worker(new URL('./cv-worker.ts', import.meta.url), { type: 'module' });
  const send = (request: WorkerRequest) => worker.postMessage(request);
  let count = 0;
  let running: Order | null = null;
  /** Only the newest wish waits, so that somebody who tries many choices does not wait for each. */
  let next: Order | null = null;
  let failure: Error | null = null;
  const start = (order: Order | null) => {
    running = order;
    if (order) send({ id: order.id, input: order.input });
  };
  worker.addEventListener('message', ({ data }: MessageEvent<WorkerAnswer>) => {
    if (running?.id !== data.id) return;
    if ('made' in data) running.resolve(data.made);
    else running.reject(new Error(data.error));
    start(next);
    next = null;
  });
  // The code of the worker could not be loaded, or the browser ended it.
  worker.addEventListener('error', (event) => {
    event.preventDefault();
    failure = new CvPartsMissingError('The worker of the CV did not start');
    for (const order of [running, next]) order?.reject(failure);
    running = next = null;
  });
  const fonts = await fetchFonts().catch((cause: unknown) => {
    worker.terminate();
    throw new CvPartsMissingError('The fonts of the CV could not be fetched', { cause });
  });
  send({ fonts });
  return {
    fonts,
    make: (input) =>
      new Promise((resolve, reject) => {
        if (failure) return reject(failure);
        count += 1;
        const order: Order = { id: count, input, resolve, reject };
        if (running === null) return start(order);
        next?.resolve(null);
        next = order;
      }),
    close: () => worker.terminate(),
  };
}
