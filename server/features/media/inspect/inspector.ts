import path from 'node:path';
import { Worker, type ResourceLimits } from 'node:worker_threads';
import type { MediaType } from '#contract/media-types.ts';
import type { Log } from '#server/platform/log.ts';
import type { Inspected, InspectedKind } from './inspect.ts';
import { FairQueue } from './queue.ts';
import { FileRefused } from './refused.ts';
import type { InspectionAnswer, InspectionRequest } from './worker.ts';

/** Far more than the largest honest file needs on a slow machine. */
const BUDGET_MS = 10_000;
/** Threads that look through files side by side. Documents are unpacked whole; a few at a time keep the memory flat. */
const THREADS = 2;
const LIMITS = { concurrency: THREADS, maxWaiting: 20, maxPerPerson: 4 };
const MEMORY: ResourceLimits = { maxOldGenerationSizeMb: 512, maxYoungGenerationSizeMb: 64 };
const TOO_MUCH_WORK = 'This file takes too long to check. Save it again in another program, or as another type';

/** In a bundle the thread's code lies beside the server's, under the same ending. */
const ENDING = path.extname(import.meta.url);
const ENTRY = ENDING === '.ts' ? './worker-from-source.mjs' : `./inspect-worker${ENDING}`;

/** Looks through files away from the thread that answers requests. */
export interface Inspector {
  /** @throws FileRefused in words for the person; 429 where too many files wait */
  inspect: (userId: number, file: string, kind: InspectedKind) => Promise<Inspected>;
  /** The kind of media a file may be. @throws as `inspect` */
  kindOfContent: (userId: number, file: string) => Promise<MediaType | null>;
  close: () => Promise<void>;
}

declare module '#server/platform/deps.ts' {
  interface Deps {
    inspector: Inspector;
  }
}

/** A thread with one file at a time. */
class Thread {
  readonly #worker = new Worker(new URL(ENTRY, import.meta.url), { resourceLimits: MEMORY });
  #ready: Promise<unknown>;
  isEnded = false;

  constructor() {
    this.#ready = this.#answer();
    // A failed start is told to whoever asks; nobody may have asked yet.
    this.#ready.catch(() => undefined);
    this.#worker.on('error', () => (this.isEnded = true)).on('exit', () => (this.isEnded = true));
  }

  /** The next answer. Rejects where the thread ends instead. */
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

  /** @throws ThreadEnded when it takes longer than the budget, counted from when the thread is up */
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
      // A thread that waits keeps no process alive.
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
  /** For one file, from the moment its thread begins with it. */
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

  async function run<T extends Inspected | MediaType | null>(userId: number, request: InspectionRequest): Promise<T> {
    const answer = await queue
      .run(userId, () => ask(request))
      .catch((error: unknown): InspectionAnswer => {
        if (!(error instanceof ThreadEnded)) throw error;
        log.warn({ err: error.cause, userId, kind: request.kind }, 'a file took too long or too much memory to check');
        return { status: 'refused', message: TOO_MUCH_WORK };
      });
    switch (answer.status) {
      case 'done':
        return answer.result as T;
      case 'refused':
        throw new FileRefused(answer.message);
      case 'failed': {
        const error = Object.assign(new Error(answer.message), { code: answer.code, stack: answer.stack });
        if (answer.isOurs) throw error;
        // A hole in the checks is for the log; the person has a file that nobody could look through.
        log.warn({ err: error, kind: request.kind }, 'a file could not be checked');
        throw new FileRefused('This file could not be checked. Save it again in another program, or as another type');
      }
      case 'ready':
        throw new Error('A thread answered before it was asked');
    }
  }

  return {
    inspect: (userId, file, kind) => run<Inspected>(userId, { file, kind }),
    kindOfContent: (userId, file) => run<MediaType | null>(userId, { file, kind: null }),
    close: async () => {
      await Promise.all([...all].map((thread) => thread.end()));
    },
  };
}
