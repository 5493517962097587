import { createPrng, type Prng } from './prng.ts';

/** Where the world's clocks start: 2026-03-01, so that a year back and ahead are plain dates. */
export const epoch = Date.UTC(2026, 2, 1);

interface Timer {
  at: number;
  n: number;
  lane: string;
  call: () => void;
  gone: boolean;
}

const native = {
  setImmediate: globalThis.setImmediate,
  setTimeout: globalThis.setTimeout,
  clearTimeout: globalThis.clearTimeout,
  structuredClone: globalThis.structuredClone,
  AbortController: globalThis.AbortController,
};

/** Dexie makes one for each writing transaction and aborts it; the platform's own costs a hundredth of a life. */
class PlainAbortController {
  readonly signal = { aborted: false };
  abort(): void {
    this.signal.aborted = true;
  }
}

/** Lets every promise that can go on do so. IndexedDB, timers and the network only move when the scheduler says. */
const flush = () => new Promise<void>((resolve) => native.setImmediate(resolve));

/** What the fake IndexedDB stores is plain; copying it by hand is several times faster than the platform's clone. */
function clone(value: unknown): unknown {
  if (typeof value !== 'object' || value === null) {
    if (typeof value === 'function' || typeof value === 'symbol') return native.structuredClone(value);
    return value;
  }
  if (Array.isArray(value)) return value.map(clone);
  if (value instanceof ArrayBuffer) return value.slice(0);
  const prototype: unknown = Object.getPrototypeOf(value);
  if (prototype !== Object.prototype && prototype !== null) return native.structuredClone(value);
  const copy: Record<string, unknown> = {};
  for (const [key, inner] of Object.entries(value)) copy[key] = clone(inner);
  return copy;
}

/**
 * Owns time and order for one run. IndexedDB tasks wait in one queue per device (fake-indexeddb asks
 * globalThis.setImmediate), timers in virtual milliseconds; which queue moves next is thrown by seed.
 */
export class Scheduler {
  /** Virtual milliseconds since the run began. */
  now = 0;
  steps = 0;
  /** Whose work is under way: tasks queued meanwhile are its own. */
  lane = 'simulation';
  /** Called after each step, when all promises have settled. */
  afterStep: (() => void) | null = null;
  readonly #prng: Prng;
  readonly #queues = new Map<string, (() => void)[]>();
  #timers: Timer[] = [];
  #count = 0;

  constructor(seed: number) {
    this.#prng = createPrng(seed);
  }

  /** Takes over the platform's timers until the answer is called. */
  install(): () => void {
    const queue = (call: (...rest: unknown[]) => void, ...rest: unknown[]) => this.queue(() => call(...rest));
    const later = (call: () => void, ms = 0) => this.after(ms, call);
    Object.assign(globalThis, {
      setImmediate: queue,
      setTimeout: later,
      clearTimeout: (cancel: unknown) => {
        if (typeof cancel === 'function') (cancel as () => void)();
      },
      structuredClone: clone,
      AbortController: PlainAbortController,
    });
    const { warn } = console;
    // Dexie tells the console whenever a connection is taken away; here that is a fault like any other.
    console.warn = (text: unknown) => {
      if (!/^(Another connection wants to|Dexie: Need to reopen)/.test(String(text))) warn(text);
    };
    return () => {
      Object.assign(globalThis, native);
      console.warn = warn;
    };
  }

  queue(task: () => void, lane = this.lane): void {
    let tasks = this.#queues.get(lane);
    if (!tasks) this.#queues.set(lane, (tasks = []));
    tasks.push(task);
  }

  /** The answer cancels. */
  after(ms: number, call: () => void, lane = this.lane): () => void {
    const timer: Timer = { at: this.now + Math.max(0, ms), n: this.#count++, lane, call, gone: false };
    let at = this.#timers.length;
    while (at > 0 && this.#timers[at - 1]!.at > timer.at) at -= 1;
    this.#timers.splice(at, 0, timer);
    return () => void (timer.gone = true);
  }

  /** Starts work of `lane` from outside the run; what it does at once has happened when this resolves. */
  async begin(lane: string, call: () => void): Promise<void> {
    this.lane = lane;
    call();
    await flush();
    this.lane = 'simulation';
  }

  /** Runs `call` as the work of `lane`; what follows in promises still belongs to the caller's. */
  as<T>(lane: string, call: () => T): T {
    const before = this.lane;
    this.lane = lane;
    try {
      return call();
    } finally {
      this.lane = before;
    }
  }

  hasTasks(lane?: string): boolean {
    if (lane !== undefined) return (this.#queues.get(lane)?.length ?? 0) > 0;
    for (const tasks of this.#queues.values()) if (tasks.length > 0) return true;
    return false;
  }

  nextTimerAt(): number {
    this.#dropGone();
    return this.#timers[0]?.at ?? Infinity;
  }

  #dropGone(): void {
    while (this.#timers[0]?.gone) this.#timers.shift();
  }

  /** One task or timer, then all that follows from it at once. False when nothing is left before `horizon`. */
  async step(horizon = Infinity, onlyLane?: string): Promise<boolean> {
    const ready: string[] = [];
    for (const [lane, tasks] of this.#queues) {
      if (tasks.length > 0 && (onlyLane === undefined || lane === onlyLane)) ready.push(lane);
    }
    this.#dropGone();
    const timer = onlyLane === undefined ? this.#timers[0] : undefined;
    const isDue = timer !== undefined && timer.at <= this.now;
    const choices = ready.length + (isDue ? 1 : 0);
    if (choices > 0) {
      const choice = choices === 1 ? 0 : this.#prng.int(choices);
      const lane = ready[choice];
      if (lane !== undefined) {
        const task = this.#queues.get(lane)!.shift()!;
        this.now += 0.05;
        this.lane = lane;
        task();
      } else {
        this.#fire(timer!);
      }
    } else {
      if (!timer || timer.at > horizon) return false;
      this.now = timer.at;
      this.#fire(timer);
    }
    this.steps += 1;
    await flush();
    this.lane = 'simulation';
    if (onlyLane === undefined) this.afterStep?.();
    return true;
  }

  #fire(timer: Timer): void {
    this.#timers.splice(this.#timers.indexOf(timer), 1);
    this.lane = timer.lane;
    timer.call();
  }

  /** Runs until nothing is left before `at`, or `stop` says so. */
  async runUntil(at: number, stop?: () => boolean): Promise<void> {
    while (!stop?.() && (await this.step(at)));
    if (!stop?.() && this.now < at) this.now = at;
  }

  /** Runs tasks of one device alone, time standing still, until the promise is settled or who works on it is dead. */
  async runAlone(lane: string, work: () => Promise<unknown>, isDead: () => boolean = () => false): Promise<void> {
    let outcome: { error?: unknown } | undefined;
    await this.begin(lane, () => {
      work().then(
        () => void (outcome = {}),
        (error: unknown) => void (outcome = { error }),
      );
    });
    while (!outcome && (await this.step(Infinity, lane)));
    if (outcome && 'error' in outcome) throw outcome.error;
    if (!outcome && !isDead()) throw new Error(`work of ${lane} waits for something outside its device`);
  }
}
