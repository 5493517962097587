import type { AccountDb } from '#db/database.ts';
import type { OutboxRow } from '#db/rows.ts';
import type { Claimed } from './claim.ts';
import { recover, commitBatch, type SendResult } from './commit.ts';
import { openLedger, toHeaders, type Ledger } from './ledger.ts';
import { getRateLimitMs, limitTransport } from './rate-limit.ts';
import { attemptRow } from './attempt.ts';
import type { Outcome } from './outcome.ts';
import { NOT_SENT } from './verdict.ts';
import { connectServer } from '../server/connect.ts';
import { collectFiles } from '../files/collect.ts';

import { getOperation } from '../operations/index.ts';
import type { CommitContext, EnginePorts, ServerAdapter } from '../engine-ports.ts';
import { retryOnStorageLoss, isStorageFailure, StorageError } from '../storage-error.ts';

/** Number of concurrent JSON requests. One upload runs beside them. */
const JSON_SLOTS = 3;
/** Number of consecutive requests without a response after which the drain ends with 'network'. */
const MAX_SILENT_ATTEMPTS = 3;
const JOURNAL_LENGTH = 500;
/** How long a response may wait to share a transaction with others, ms. */
const GATHER_MS = 100;
/**
 * Above this number of waiting rows, slots claim ahead. In a shorter queue, edits can be coalesced until they are sent.
 */
const LONG_QUEUE = 2 * JSON_SLOTS;
/** A row claimed longer ago than this, ms, is checked again before it is sent. Without the lock, every row is. */
const RECHECK_AFTER_MS = 1000;
/**
 * How a drain ended. `network`: the server did not respond. `waiting`: the remaining rows are blocked or not due, or
 * another context holds the lock.
 */
export type DrainResult = 'empty' | 'waiting' | 'network' | 'out of time' | 'paused';

type Slot = 'json' | 'upload';

/** A slot's result to store and its request for a new row, for the next transaction. */
interface SlotRequest {
  result?: SendResult;
  slot: Slot | null;
  done: (claimed: Claimed | null) => void;
  failed: (error: unknown) => void;
}

/**
 * Sends due rows, oldest first per lane, in three JSON slots and one upload slot. A stuck lane does not block others.
 * Run it under the lock. With the full API, the lock only saves work, because idempotency keys and transactions
 * guarantee correctness. On a basic API, two senders at once could create a record twice. Never throws for server or
 * network failures. Refused rows stay in state `attention` with their error. Source: docs/decisions/002-outbox.md.
 */
export class Sender {
  readonly #active = new Map<string, Slot>();
  readonly #failingSince = new Map<string, number>();
  #queue: SlotRequest[] = [];
  #idle: SlotRequest[] = [];
  #committing = false;
  #cancelGathering: (() => void) | null = null;
  #stopped = false;
  #paused = false;
  #ledger: Ledger | null = null;
  /** Number of rows that wait, as counted at the start, without those sent since. */
  #rowsLeft = 0;
  #successes = 0;
  #silent = 0;
  /** Number of consecutive responses that the full disk could not store. */
  #refusedByDisk = 0;
  #server!: ServerAdapter;

  readonly #db: AccountDb;
  readonly #ports: EnginePorts;
  readonly #deadline: number;
  readonly #isAlone: () => boolean;

  /**
   * @param budgetMs how long new requests may start
   * @param isAlone returns false while another drain may be running on the same store
   */
  constructor(db: AccountDb, ports: EnginePorts, budgetMs: number, isAlone = () => true) {
    this.#db = db;
    this.#ports = ports;
    this.#isAlone = isAlone;
    this.#deadline = ports.clock.now() + budgetMs;
  }

  /** Starts no new requests. Requests in flight are completed. */
  stop(): void {
    this.#stopped = true;
    this.#startFlush();
  }

  async run(): Promise<DrainResult> {
    const [db, ports] = [this.#db, this.#ports];
    this.#rowsLeft = await db.outbox.count();
    this.#ledger = await openLedger(db);
    const result = this.#rowsLeft === 0 ? 'empty' : await this.#sendAll();
    const isOnline = result !== 'network' && result !== 'paused';
    await this.#ledger?.close(isOnline ? limitTransport(db, ports) : null);
    return result;
  }

  async #sendAll(): Promise<DrainResult> {
    const [db, ports] = [this.#db, this.#ports];
    if (await this.#isPaused()) return 'paused';
    const server = await connectServer(db, { ...ports, transport: limitTransport(db, ports) });
    if (server === null) return 'network';
    this.#server = server;
    await recover({ ...ports, db, server });
    await collectFiles(db, ports.clock.now());
    const slots: Slot[] = [...Array.from({ length: JSON_SLOTS }, (): Slot => 'json'), 'upload'];
    await Promise.all(slots.map((slot) => this.#work(slot)));
    await this.#trimJournal();
    if ((await db.outbox.count()) === 0) return 'empty';
    if (this.#paused) return 'paused';
    if (this.#silent >= MAX_SILENT_ATTEMPTS) return 'network';
    return this.#stopped || this.#isLate() ? 'out of time' : 'waiting';
  }

  async #isPaused(): Promise<boolean> {
    const db = this.#db;
    const ports = this.#ports;
    if (await db.meta.get('auth-paused')) return true;
    return (await getRateLimitMs(db, ports.clock.now())) > 0;
  }

  /** Whether the row may still be sent: sending is not paused, and no other tab has recovered the row meanwhile. */
  async #maySend(row: OutboxRow): Promise<boolean> {
    // Halt the whole drain. Otherwise the requeued row would be claimed again at once.
    if (await this.#isPaused()) this.#paused = true;
    return !this.#paused && (await this.#db.outbox.get(row.seq))?.attempt === row.attempt;
  }

  #isLate(): boolean {
    return this.#ports.clock.now() >= this.#deadline;
  }

  get #halted(): boolean {
    return this.#stopped || this.#paused || this.#silent >= MAX_SILENT_ATTEMPTS || this.#isLate();
  }

  /**
   * Runs one slot: sends a row, then stores its result and claims the next row in one transaction, until no row can
   * start. In a long queue it claims the next row while the last request is in flight, so that the network does not
   * wait for the disk.
   */
  async #work(slot: Slot): Promise<void> {
    let result: SendResult | undefined;
    let next: Claimed | null = null;
    for (;;) {
      if (next !== null && this.#halted) {
        // Release the row that was claimed ahead; it was not sent.
        await this.#commit(result, null);
        result = { row: next.row, verdict: NOT_SENT, signIns: next.signIns };
        next = null;
      }
      const claimed: Claimed | null =
        next ?? (await this.#commit(result, this.#halted ? null : slot)) ?? (await this.#rest(slot));
      if (claimed === null) return;
      if (next === null) result = undefined;
      const sending: Promise<Outcome> = this.#send(claimed).catch((error: unknown) => {
        if (isStorageFailure(error)) throw error;
        return failure(error);
      });
      const isLong: boolean = this.#rowsLeft > LONG_QUEUE && slot === 'json' && this.#server.isRepeatSafe;
      let isTaken = true;
      let ahead: Promise<Claimed | null> | null = null;
      if (isLong || result) {
        isTaken = false;
        ahead = this.#commit(result, isLong && !this.#halted ? slot : null, true).then((row) => {
          isTaken = true;
          return row;
        });
      }
      const answered = sending.then((verdict) => {
        // This slot needs its next row now: flush if it is not claimed yet. Otherwise the result waits for the others.
        if (!isTaken) this.#startFlush();
        return verdict;
      });
      const [verdict, taken]: [Outcome, Claimed | null] = await Promise.all([answered, ahead]);
      result = { row: claimed.row, verdict, signIns: claimed.signIns };
      next = taken;
      this.#note(claimed.row, verdict);
    }
  }

  /** Waits for a row. Every transaction of the other slots tries to claim one. Null once no slot is sending. */
  #rest(slot: Slot): Promise<Claimed | null> {
    return new Promise((done, failed) => {
      this.#idle.push({ slot, done, failed });
      if (this.#active.size === 0) this.#startFlush();
    });
  }

  /**
   * Stores a result and claims a row. Results that arrive during a transaction share the next one, because each
   * transaction costs a write to disk. A patient call, whose slot is still busy, waits to share its transaction with
   * the results of the other slots.
   */
  #commit(result: SendResult | undefined, slot: Slot | null, isPatient = false): Promise<Claimed | null> {
    return new Promise((done, failed) => {
      this.#queue.push({ ...(result && { result }), slot, done, failed });
      if (!isPatient || this.#queue.length >= JSON_SLOTS) this.#startFlush();
      else this.#cancelGathering ??= this.#ports.clock.after(GATHER_MS, () => this.#startFlush());
    });
  }

  #startFlush(): void {
    this.#cancelGathering?.();
    this.#cancelGathering = null;
    if (!this.#committing) void this.#flush();
  }

  async #flush(): Promise<void> {
    this.#committing = true;
    while (this.#queue.length > 0 || (this.#idle.length > 0 && (this.#active.size === 0 || this.#halted))) {
      const resting = this.#idle;
      const batch = [...this.#queue, ...resting];
      this.#queue = [];
      this.#idle = [];
      try {
        const results = batch.flatMap((each) => (each.result ? [each.result] : []));
        const claimed = await this.#take(results, batch);
        for (const each of batch) {
          const at = claimed.findIndex((one) => getSlot(one.row) === each.slot);
          const [mine = null] = at < 0 ? [] : claimed.splice(at, 1);
          if (mine === null && resting.includes(each) && this.#active.size > 0 && !this.#halted) this.#idle.push(each);
          else each.done(mine);
        }
      } catch (error) {
        this.#stopped = true;
        for (const each of [...batch, ...this.#idle]) each.failed(error);
        this.#idle = [];
      }
    }
    this.#committing = false;
  }

  /** Runs the transaction for a batch. Skips it when there are no results to store and no rows to claim. */
  async #take(results: readonly SendResult[], batch: readonly SlotRequest[]): Promise<Claimed[]> {
    const count = (slot: Slot) => (this.#halted ? 0 : batch.filter((each) => each.slot === slot).length);
    const freeSlots = { json: count('json'), upload: count('upload') };
    if (results.length === 0 && freeSlots.json + freeSlots.upload === 0) return [];
    const context = {
      db: this.#db,
      clock: this.#ports.clock,
      chance: this.#ports.chance,
      server: this.#server,
      isWorker: this.#ports.isWorker === true,
      othersSucceed: (op: string) => (this.#failingSince.get(op) ?? this.#successes) < this.#successes,
    };
    const claimed = await this.#write(context, results, freeSlots).catch(async (error: unknown) => {
      if (results.length === 0 || (isStorageFailure(error) && !isFull(error))) throw error;
      // A response that cannot be stored must not block the others.
      for (const each of results) await this.#writeAlone(context, each);
      return this.#write(context, [], freeSlots);
    });
    for (const each of results) this.#active.delete(each.row.attempt!);
    for (const each of claimed) this.#active.set(each.row.attempt!, getSlot(each.row));
    return claimed;
  }

  async #write(
    context: CommitContext,
    results: readonly SendResult[],
    freeSlots: Record<Slot, number>,
  ): Promise<Claimed[]> {
    let made: Claimed[] = [];
    return retryOnStorageLoss(this.#db, async () => {
      // The transaction may have committed although its connection reported a loss. Then the rows are claimed already.
      const first = made[0]?.row;
      if (first && (await this.#db.outbox.get(first.seq))?.attempt === first.attempt) return made;
      return (made = await commitBatch(context, results, freeSlots));
    });
  }

  /**
   * Stores one result. If that fails, marks the row as needing attention or retries it, since the server may have it.
   */
  async #writeAlone(context: CommitContext, result: SendResult): Promise<void> {
    const none = { json: 0, upload: 0 };
    try {
      await this.#write(context, [result], none);
      this.#refusedByDisk = 0;
    } catch (error) {
      if (isFull(error)) this.#refusedByDisk += 1;
      const isHopeless = isFull(error) ? this.#refusedByDisk > MAX_SILENT_ATTEMPTS : isStorageFailure(error);
      if (isHopeless) throw error;
      await this.#write(context, [{ ...result, verdict: failure(error) }], none);
    }
  }

  #note(row: OutboxRow, verdict: Outcome): void {
    const silence = verdict.do === 'again' && verdict.error.status === 0 && verdict.unknown;
    this.#silent = silence ? this.#silent + 1 : 0;
    if (verdict.do === 'sign-in' || verdict.do === 'rate-limited') this.#paused = true;
    if (verdict.do === 'done') {
      this.#successes += 1;
      this.#rowsLeft -= 1;
      this.#failingSince.delete(row.op);
    } else if (verdict.do === 'again' && verdict.isServerError && !this.#failingSince.has(row.op)) {
      this.#failingSince.set(row.op, this.#successes);
    }
  }

  async #send(claimed: Claimed): Promise<Outcome> {
    const [db, ports, server] = [this.#db, this.#ports, this.#server];
    const said = this.#ledger?.without(claimed.row);
    const headers = said ? toHeaders(said) : {};
    const shouldStop = async () => this.#halted || (await this.#isPaused());
    const mayLeave = async () => {
      const mayBeTaken = !this.#isAlone() || ports.clock.now() - claimed.at > RECHECK_AFTER_MS;
      return !mayBeTaken || this.#maySend(claimed.row);
    };
    const verdict = await attemptRow({ db, ports, server, headers, shouldStop }, claimed, mayLeave);
    const isAnswered = verdict.do !== 'again' || verdict.error.status !== 0;
    if (said && isAnswered) this.#ledger?.note(claimed.row, said, verdict.do === 'done');
    return verdict;
  }

  async #trimJournal(): Promise<void> {
    const last = await this.#db.journal.orderBy('n').last();
    if (last?.n !== undefined)
      await this.#db.journal
        .where('n')
        .belowOrEqual(last.n - JOURNAL_LENGTH)
        .delete();
  }
}

const isFull = (error: unknown) => error instanceof StorageError && error.reason === 'full';

/**
 * The verdict when sending or storing the response failed on this device. A full disk is temporary; else it is a bug.
 */
function failure(cause: unknown): Outcome {
  if (isFull(cause)) {
    const error = { status: 0, message: 'No room left on this device' };
    return { do: 'again', error, isServerError: true, unknown: true };
  }
  return { do: 'needs', reason: 'failed', error: { status: 0, message: String(cause) } };
}

const getSlot = (row: OutboxRow): Slot => getOperation(row).slot;
