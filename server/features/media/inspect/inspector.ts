import path from 'node:path';
import { Worker, type ResourceLimits } from 'node:worker_threads';
import type { MediaType } from '#contract/media-types.ts';
import type { Log } from '#server/platform/log.ts';
import { describeFailure } from '#server/platform/jobs/failure.ts';
import type { Range } from './range.ts';
import type { Inspected, InspectedKind } from './inspect.ts';
import { FairQueue } from './queue.ts';
import { FileRefused } from './refused.ts';
import type { InspectionAnswer, InspectionRequest } from './worker.ts';

/** Far more than the largest valid file needs on a slow machine. */
const BUDGET_MS = 10_000;
/** Number of worker threads. Documents are unpacked in memory, so a small number bounds memory. */
const THREADS = 2;
const LIMITS = { concurrency: THREADS, maxWaiting: 20, maxPerPerson: 4 };
const MEMORY: ResourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 };
const TOO_MUCH_WORK = 'This file takes too long to check. Save it again in another program, or as another type';

/** In a bundle, the worker's code is next to the server's, with the same extension. */
const ENDING = path.extname(import.meta.url);
const ENTRY = ENDING === '.ts' ? './worker-from-source.mjs' : `./inspect-worker${ENDING}`;

/** Inspects files in worker threads, off the thread that serves requests. */
export interface Inspector {
  /** @throws FileRefused with a message for the user; 429 if too many files are waiting */
  inspect: (userId: number, file: string, kind: InspectedKind) => Promise<Inspected>;
  /**
   * Inspects a video of which only some parts are in the file, with its beginning among them.
   * @returns the facts, or a part that they need @throws like `inspect`
   */
  inspectParts: (userId: number, file: string, present: readonly Range[]) => Promise<Inspected | { missing: Range }>;
  /** Returns the kind of media that a file may be. @throws like `inspect` */
  kindOfContent: (userId: number, file: string) => Promise<MediaType | null>;
  close: () => Promise<void>;
}

declare module '#server/platform/deps.ts' {
  interface Deps {
    inspector: Inspector;
  }
}

/** A worker thread that handles one file at a time. */
class Thread {
  readonly #worker = new Worker(new URL(ENTRY, import.meta.url), { resourceLimits: MEMORY });
  #ready: Promise<unknown>;
  isEnded = false;

  constructor() {
    this.#ready = this.#answer();
    // A failed start is reported to the next request; there may be none yet.
    this.#ready.catch(() => undefined);
    this.#worker.on('error', () => (this.isEnded = true)).on('exit', () => (this.isEnded = true));
  }

  /** Resolves with the next response. Rejects if the thread ends first. */
  #answer(): Promise<InspectionAnswer> {
    return new Promise((resolve, reject) => {
      const settle = () => {
        this.#worker.off('message', handleMessage).off('error', handleError).off('exit', handleExit);
      };
      const handleMessage = (answer: InspectionAnswer) => {
        settle();
        resolve(answer);
      };
      const handleError = (error: Error) => {
        settle();
        this.isEnded = true;
        reject(error);
      };
      const handleExit = () => handleError(new ThreadEnded('The thread that checks files ended'));
      this.#worker.on('message', handleMessage).on('error', handleError).on('exit', handleExit);
    });
  }

  /** @throws ThreadEnded if it takes longer than the budget, measured from when the thread is ready */
  async ask(request: InspectionRequest, budgetMs: number): Promise<InspectionAnswer> {
    this.#worker.ref();
    await this.#ready;
    const answer = this.#answer();
    const timer = setTimeout(() => void this.end(), budgetMs);
    this.#worker.postMessage(request);
    try {
      return await answer;
    } catch (error) {
      throw new ThreadEnded('A file was too much for the thread that checks it', { cause: error });
    } finally {
      clearTimeout(timer);
      // An idle thread must not keep the process alive.
      this.#worker.unref();
    }
  }

  async end(): Promise<void> {
    this.isEnded = true;
    await this.#worker.terminate();
  }
}

class ThreadEnded extends Error {}

interface InspectorOptions {
  log: Pick<Log, 'warn'>;
  /** Per file, from when its thread starts on it. */
  budgetMs?: number;
}

/** @returns an inspector whose threads start with the first file */
export function openInspector({ log, budgetMs = BUDGET_MS }: InspectorOptions): Inspector {
  const queue = new FairQueue(LIMITS);
  const idle: Thread[] = [];
  const all = new Set<Thread>();

  function takeThread(): Thread {
    for (const thread of all) if (thread.isEnded) all.delete(thread);
    const waiting = idle.splice(0).filter((thread) => !thread.isEnded);
    const thread = waiting.pop() ?? new Thread();
    idle.push(...waiting);
    all.add(thread);
    return thread;
  }

  async function ask(request: InspectionRequest): Promise<InspectionAnswer> {
    const thread = takeThread();
    try {
      return await thread.ask(request, budgetMs);
    } finally {
      if (!thread.isEnded) idle.push(thread);
    }
  }

  async function run<T extends Inspected | { missing: Range } | MediaType | null>(
    userId: number,
    request: InspectionRequest,
  ): Promise<T> {
    const answer = await queue
      .run(userId, () => ask(request))
      .catch((error: unknown): InspectionAnswer => {
        if (!(error instanceof ThreadEnded)) throw error;
        log.warn(
          { ...describeFailure(error.cause), userId, kind: request.kind },
          'a file took too long or too much memory to check',
        );
        return { status: 'refused', message: TOO_MUCH_WORK };
      });
    switch (answer.status) {
      case 'done':
        return answer.result as T;
      case 'missing':
        return { missing: answer.range } as T;
      case 'refused':
        throw new FileRefused(answer.message);
      case 'failed': {
        const error = Object.assign(new Error(answer.message), { code: answer.code, stack: answer.stack });
        if (answer.isOurs) throw error;
        // Log a crash of the checks; the user only learns that the file could not be inspected.
        log.warn({ ...describeFailure(error), kind: request.kind }, 'a file could not be checked');
        throw new FileRefused('This file could not be checked. Save it again in another program, or as another type');
      }
      case 'ready':
        throw new Error('A thread answered before it was asked');
    }
  }

  return {
    inspect: (userId, file, kind) => run<Inspected>(userId, { file, kind }),
    inspectParts: (userId, file, present) => run(userId, { file, kind: 'video', present }),
    kindOfContent: (userId, file) => run<MediaType | null>(userId, { file, kind: null }),
    close: async () => {
      await Promise.all([...all].map((thread) => thread.end()));
    },
  };
}
