/** Worker thread that inspects files. The inspector terminates it when a file takes too long or too much memory. */
import { parentPort } from 'node:worker_threads';
import type { Range } from './range.ts';
import { RangeMissing } from './file-window.ts';
import { inspect, kindOfContent, type Inspected, type InspectedKind } from './inspect.ts';
import { FileRefused, isOurs } from './refused.ts';
import type { MediaType } from '#contract/media-types.ts';

/** A request to the thread. Without a kind, it returns the kind of media that the file may be. */
export interface InspectionRequest {
  file: string;
  kind: InspectedKind | null;
  /** The parts of a video that are in the file; all if absent. */
  present?: readonly Range[];
}

export type InspectionAnswer =
  | { status: 'ready' }
  | { status: 'done'; result: Inspected | MediaType | null }
  | { status: 'refused'; message: string }
  /** This part of the file is needed. */
  | { status: 'missing'; range: Range }
  /** The server's disk or code failed. */
  | { status: 'failed'; message: string; code: string | null; stack: string; isOurs: boolean };

async function answer({ file, kind, present }: InspectionRequest): Promise<InspectionAnswer> {
  try {
    return { status: 'done', result: kind === null ? await kindOfContent(file) : await inspect(file, kind, present) };
  } catch (error) {
    if (error instanceof RangeMissing) return { status: 'missing', range: error.range };
    if (error instanceof FileRefused) return { status: 'refused', message: error.message };
    const { message, stack = '' } = error instanceof Error ? error : new Error(String(error));
    const code = (error as { code?: unknown } | null)?.code;
    const coded = typeof code === 'string' ? code : null;
    return { status: 'failed', message, code: coded, stack, isOurs: isOurs(error) };
  }
}

if (parentPort === null) throw new Error('Inspections run in a worker thread');
const port = parentPort;
port.on('message', (request: InspectionRequest) => {
  void answer(request).then((found) => port.postMessage(found));
});
port.postMessage({ status: 'ready' } satisfies InspectionAnswer);
