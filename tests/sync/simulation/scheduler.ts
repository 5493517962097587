import { createPrng, type Prng } from './prng.ts';

/** Start of the simulated clocks: 2026-03-01, so that a year earlier and later are ordinary dates. */
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

/** Dexie creates and aborts one for each writing transaction. The platform's version takes a hundredth of a run. */
class PlainAbortController {
  readonly signal = { aborted: false };
  abort(): void {
    this.signal.aborted = true;
  }
}

/** Runs every promise that can continue. IndexedDB, timers and the network advance only when the scheduler does. */
const flush = () => new Promise<void>((resolve) => native.setImmediate(resolve));

/** The fake IndexedDB stores plain data. This copy is several times faster than the platform's clone. */
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
 * Controls time and order of one run. IndexedDB tasks wait in one queue per device (fake-indexeddb calls
 * globalThis.setImmediate), timers in virtual milliseconds. The seed decides which queue advances next.
 */
export class Scheduler {
  /** Virtual milliseconds since the run began. */
  now = 0;
  steps = 0;
  /** The device whose work is running. Tasks queued meanwhile belong to it. */
  lane = 'simulation';
  /** Called after each step, once no promise can continue. */
  afterStep: (() => void) | null = null;
  readonly #prng: Prng;
  readonly #queues = new Map<string, (() => void)[]>();
  #timers: Timer[] = [];
  #count = 0;

  constructor(seed: number) {
    this.#prng = createPrng(seed);
  }

  /** Replaces the platform's timers. The returned function restores them. */
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
    // Dexie warns whenever a connection is lost. Here a lost connection is one of the injected faults.
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

  /** Schedules a call. The returned function cancels it. */
  after(ms: number, call: () => void, lane = this.lane): () => void {
    const timer: Timer = { at: this.now + Math.max(0, ms), n: this.#count++, lane, call, gone: false };
    let at = this.#timers.length;
    while (at > 0 && this.#timers[at - 1]!.at > timer.at) at -= 1;
    this.#timers.splice(at, 0, timer);
    return () => void (timer.gone = true);
  }

  /** Starts work of `lane` from outside the run. Resolves once the work waits for a task or timer. */
  async begin(lane: string, call: () => void): Promise<void> {
    this.lane = lane;
    call();
    await flush();
    this.lane = 'simulation';
  }

  /** Runs `call` as work of `lane`. Its promise continuations belong to the caller's lane. */
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

  /** Runs one task or timer and all promises that follow. Returns false if nothing is due before `horizon`. */
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

  /** Runs until nothing is due before `at` or `stop` returns true. */
  async runUntil(at: number, stop?: () => boolean): Promise<void> {
    while (!stop?.() && (await this.step(at)));
    if (!stop?.() && this.now < at) this.now = at;
  }

  /** Runs the tasks of one device only, with the clock stopped, until the promise settles or `isDead` returns true. */
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
