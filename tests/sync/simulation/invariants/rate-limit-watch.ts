import type { MetaRow } from '#db/rows.ts';
import type { WireAnswer } from '#net/wire.ts';
import type { Device } from '../device.ts';
import type { Exchange, Sender } from '../network.ts';
import { epoch } from '../scheduler.ts';
import type { Simulation } from '../simulation.ts';
import { fail } from './violation.ts';

/** How long the engine may take to store what it received, in virtual milliseconds. */
const HEED_MS = 5000;
/** Requests under way or about to leave when the server sets a rate limit are allowed. */
const GRACE_MS = 500;

interface ServerSignals {
  /** When the server itself last refused the token or set a rate limit. */
  refusedAt: number;
  rateLimitedAt: number;
  /** The run that received the rate limit. It may crash before it has stored it. */
  receivedBy: Sender | null;
  /** End of the rate limit that the server set, and of the one that the device has stored, which may be an earlier one. */
  rateLimitedUntil: number;
  storedUntil: number;
  /** How often the clock had jumped when the limit was received, and when the stored one was stored. */
  jumpCount: number;
  storedJumpCount: number;
  faultCount: number;
}

/**
 * Checks that only the server itself pauses an account or announces its features (21), and that no request leaves
 * during a rate limit.
 */
export class RateLimitWatch {
  readonly #simulation: Simulation;
  readonly #signals = new Map<string, ServerSignals>();

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
  }

  #of(device: string, userId: string): ServerSignals {
    const name = `${userId}@${device}`;
    let signals = this.#signals.get(name);
    if (!signals) {
      signals = {
        refusedAt: -Infinity,
        rateLimitedAt: -Infinity,
        receivedBy: null,
        rateLimitedUntil: -Infinity,
        storedUntil: -Infinity,
        jumpCount: 0,
        storedJumpCount: 0,
        faultCount: 0,
      };
      this.#signals.set(name, signals);
    }
    return signals;
  }

  onReceived({ sender, userId, request }: Exchange, answer: WireAnswer): void {
    const { now } = this.#simulation.scheduler;
    const signals = this.#of(sender.device.name, userId);
    if ('reason' in answer) {
      if (answer.reason === 'signed out') signals.refusedAt = now;
      return;
    }
    if (answer.redirected || typeof answer.body !== 'object') return;
    if (answer.status === 401 || answer.status === 419) signals.refusedAt = now;
    const seconds = Number(answer.header('retry-after') ?? NaN);
    // Connection requests have their own limit, which delays nothing else.
    const isTooMany = answer.status === 429 && !request.path.startsWith('/connections/request/');
    if (!(isTooMany || answer.status === 503) || !Number.isFinite(seconds)) return;
    const device = this.#simulation.devices.find(({ name }) => name === sender.device.name)!;
    signals.rateLimitedAt = now;
    signals.receivedBy = sender;
    signals.rateLimitedUntil = now + seconds * 1000;
    signals.jumpCount = device.jumpCount;
    signals.faultCount = countFaults(device);
  }

  onSend({ sender, userId, request }: Exchange): void {
    const { plan, scheduler, devices } = this.#simulation;
    const device = devices.find((one) => one === sender.device);
    // Without a lock several runs send at once, and one may not know yet what another received.
    if (!device || plan.locks === 'absent' || device.runs.some(({ thawedAt }) => scheduler.now - thawedAt < HEED_MS))
      return;
    const signals = this.#of(device.name, userId);
    const isKnown = signals.receivedBy?.isAlive === true;
    const end = isKnown ? signals.rateLimitedUntil : Math.min(signals.rateLimitedUntil, signals.storedUntil);
    const hasJumped = device.jumpCount !== (isKnown ? signals.jumpCount : signals.storedJumpCount);
    const isRateLimited = scheduler.now > signals.rateLimitedAt + GRACE_MS && scheduler.now < end - 1;
    // A clock jump, also one that was taken back, or a failed write also ends a rate limit on the device.
    if (!isRateLimited || hasJumped || signals.faultCount !== countFaults(device)) return;
    const left = Math.round(end - scheduler.now);
    fail(
      '21 only the server',
      `${request.method} ${request.path} was sent ${left} ms before the server’s rate limit ends`,
    );
  }

  onCommit(device: Device, database: string, stores: ReadonlySet<string>): void {
    if (!stores.has('meta') || this.#simulation.plan.isForeign) return;
    const { now } = this.#simulation.scheduler;
    const rows = device.disk.rows<MetaRow>(database, 'meta');
    if (rows.length === 0) return;
    const userId = device.runs.find((run) => run.db.name === database)!.userId;
    const signals = this.#of(device.name, userId);
    for (const row of rows) {
      if (row.k === 'auth-paused' && this.#isNew(database, row.k, row.at) && now - signals.refusedAt > HEED_MS) {
        fail('21 only the server', 'the account waits for a sign-in that the server never required');
      }
      if (row.k === 'quiet' && this.#isNew(database, row.k, row.since)) {
        signals.storedUntil = row.until - epoch - device.skewMs;
        signals.storedJumpCount = device.jumpCount;
        if (now - signals.rateLimitedAt > HEED_MS) {
          fail('21 only the server', 'the account is rate limited, although the server set no limit');
        }
      }
      if (row.k === 'features' && !row.value.keys) {
        fail('21 only the server', 'a page of something else turned idempotency keys off');
      }
    }
  }

  readonly #known = new Map<string, number>();

  #isNew(database: string, what: string, at: number): boolean {
    const name = `${database} ${what}`;
    if (this.#known.get(name) === at) return false;
    this.#known.set(name, at);
    return true;
  }
}

const countFaults = (device: Device) => device.runs.reduce((sum, run) => sum + run.storage.faultCount, 0);
