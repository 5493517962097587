import { createPrng, mixSeed, type Prng } from './prng.ts';
import { Device, type DeviceHost, type Run } from './device.ts';
import { Evictions } from './evictions.ts';
import { SealedFiles } from './sealed-files.ts';
import { Network } from './network.ts';
import { IntentLog } from './invariants/intent-log.ts';
import { Invariants } from './invariants/invariants.ts';
import { Violation } from './invariants/violation.ts';
import type { Act, Plan } from './plan.ts';
import { Scheduler } from './scheduler.ts';
import { FakeServer } from './server/fake-server.ts';
import { addConnection } from './server/people-routes.ts';
import type { ServerAnswer, ServerRequest } from './server/wire.ts';
import type { OutboxRow } from '#db/rows.ts';

export interface Recorded {
  userId: string;
  request: ServerRequest;
  answer: ServerAnswer;
}

/** Everything that one run consists of, created from its plan. */
export class Simulation implements DeviceHost {
  readonly plan: Plan;
  readonly scheduler: Scheduler;
  readonly server: FakeServer;
  readonly network: Network;
  /** What the person did and was told in this run. */
  readonly intentLog = new IntentLog();
  readonly invariants: Invariants;
  readonly devices: Device[] = [];
  readonly prng: Prng;
  /** One line per event. Two runs of the same plan produce equal traces. */
  readonly trace: string[] = [];
  /** Requests and responses, if the plan asks to record them. */
  readonly exchanges: Recorded[] = [];
  /** Only set by a script. */
  crashPoints: readonly number[] = [];
  /** Steps that changed disk, wire or server. */
  readonly turns: number[] = [];
  #changes = 0;
  #seenChanges = 0;
  /** Count of each fault and each state transition. */
  readonly hits = new Map<string, number>();
  readonly people = { main: 'u1', other: 'u2' };
  profileIds: Record<string, string[]> = {};
  /** People to save or connect with, each with a profile. The last one has sent a connection request. */
  neighbors: Record<string, { userId: string; profileId: string }[]> = {};
  /** The person's other computer, which does not run our code. */
  readonly web: Device;
  /** Devices whose screens are compared with their disks at the next step. */
  readonly devicesToCheck = new Set<Device>();
  /** The profile that received a bulk write, if any. */
  crowdedProfileId: string | null = null;
  /** The page of the bulk write in progress. */
  busyPage: Run | null = null;
  readonly evictions = new Evictions(this);
  readonly sealedFiles = new SealedFiles(this);
  /** The first error outside of the checks. */
  strayError: Error | null = null;
  #waiting: { left: number; call: () => void }[] = [];

  constructor(plan: Plan) {
    this.plan = plan;
    this.scheduler = new Scheduler(mixSeed(plan.seed, 'order'));
    this.prng = createPrng(mixSeed(plan.seed, 'world'));
    this.server = new FakeServer(() => this.scheduler.now, { isBasic: plan.isForeign });
    this.invariants = new Invariants(this);
    this.network = new Network({
      scheduler: this.scheduler,
      server: this.server,
      prng: createPrng(mixSeed(plan.seed, 'network')),
      plan: new Map(plan.faults),
      hooks: {
        onSend: (exchange) => {
          const { request, sender, fault } = exchange;
          this.note(
            `#${exchange.ordinal} ${sender.device.name} ${request.method} ${request.path}${fault ? ` (${fault})` : ''}`,
          );
          if (fault) this.hit(`fault ${fault}`);
          this.invariants.onSend(exchange);
        },
        onHandled: (exchange, answer, asSent) => {
          if (plan.record) this.exchanges.push({ userId: exchange.userId, request: asSent, answer });
          this.note(`#${exchange.ordinal} handled: ${answer.status}`);
          const isRefusedPiece = exchange.request.method === 'PATCH' && answer.status !== 204;
          if (isRefusedPiece) this.invariants.wire.disturb(exchange.request.path.split('/').at(-1)!);
          if (exchange.fault === 'upload forgotten') this.invariants.wire.uploadsForgotten();
        },
        onReceived: (exchange, answer) => {
          this.note(`#${exchange.ordinal} answered: ${answer.status}`);
          this.invariants.onReceived(exchange, answer);
        },
      },
    });
    this.server.store.onChange = (entry) => {
      this.note(`ledger ${entry.device} ${entry.kind} ${entry.type} ${entry.id} ${JSON.stringify(entry.after)}`);
      const own = this.profileIds[entry.userId];
      if (entry.kind === 'create' && entry.type === 'profile' && own && !own.includes(entry.id)) own.push(entry.id);
      this.invariants.onLedger(entry);
    };
    this.server.store.onFile = (digest, userId, as) => this.invariants.onFile(digest, userId, as);
    for (const user of Object.values(this.people)) this.profileIds[user] = this.server.addUser(user, 2);
    for (const user of Object.values(this.people)) {
      const names = [1, 2, 3].map((n) => `${user}n${n}`);
      this.neighbors[user] = names.map((name) => ({ userId: name, profileId: this.server.addUser(name, 1)[0]! }));
      addConnection(this.server.store, user, { from: names.at(-1)!, to: user, message: null }, 'web');
    }
    this.web = new Device(this, 'web');
    this.scheduler.afterStep = () => this.#countDown();
    for (let n = 0; n < plan.devices; n += 1) this.devices.push(new Device(this, `device${n}`));
  }

  onCommit(deviceName: string, database: string, stores: ReadonlySet<string>): void {
    const device = this.devices.find(({ name }) => name === deviceName);
    if (device) this.invariants.onCommit(device, database, stores);
    this.evictions.onCommit(database);
  }

  opened(run: Run): void {
    this.evictions.watch(run);
  }

  closed(run: Run): void {
    this.evictions.closed(run);
  }

  /** Called when state changes that survives a crash. */
  changed(): void {
    this.#changes += 1;
  }

  note(line: string): void {
    this.#changes += 1;
    this.trace.push(`${this.scheduler.now.toFixed(2).padStart(10)} ${line}`);
  }

  hit(what: string): void {
    this.hits.set(what, (this.hits.get(what) ?? 0) + 1);
  }

  deviceOf(act: Act): Device {
    return this.devices[act.device % this.devices.length]!;
  }

  count(prefix: string): number {
    let sum = 0;
    for (const [what, times] of this.hits) if (what.startsWith(prefix)) sum += times;
    return sum;
  }

  requestScreenCheck(device: Device): void {
    this.devicesToCheck.add(device);
  }

  /** Calls back after this many steps. */
  afterSteps(steps: number, call: () => void): void {
    this.#waiting.push({ left: steps, call });
  }

  /** Cancels the calls of `afterSteps` that are still pending. */
  forgetCrashes(): void {
    this.#waiting = [];
  }

  #countDown(): void {
    if (this.#changes > this.#seenChanges) this.turns.push(this.scheduler.steps);
    this.#seenChanges = this.#changes;
    if (this.#waiting.length === 0) return;
    for (const each of this.#waiting) each.left -= 1;
    const due = this.#waiting.filter((each) => each.left < 0);
    if (due.length === 0) return;
    this.#waiting = this.#waiting.filter((each) => each.left >= 0);
    for (const each of due) each.call();
  }

  /** Waits this many virtual milliseconds as a person would. */
  pause(ms: number, lane: string): Promise<void> {
    return new Promise((resolve) => void this.scheduler.after(ms, () => this.scheduler.as(lane, resolve), lane));
  }

  /** Lets a promise run in the background. If it fails, the run fails. */
  watch(work: Promise<unknown>, what: string): void {
    work.catch((error: unknown) => this.reportError(error, what));
  }

  reportError(error: unknown, what: string): void {
    if (error instanceof Violation) this.strayError ??= error;
    else {
      const detail = error instanceof Error ? `${error.name}: ${error.message}\n${error.stack ?? ''}` : String(error);
      this.strayError ??= new Violation('engine threw', `in ${what}: ${detail}`);
    }
  }

  /** Records that a row on disk changed its state. */
  recordTransition(device: Device, before: OutboxRow | undefined, after: OutboxRow | undefined): void {
    const name = (row: OutboxRow | undefined) =>
      row === undefined ? 'none' : row.state === 'attention' ? `attention(${String(row.reason)})` : row.state;
    const move = `${name(before)} → ${name(after)}`;
    const row = after ?? before!;
    // Only a response that cannot be stored may make a row fail with an internal error.
    if (after?.reason === 'failed' && !device.disk.unstorable.has(after.op))
      this.reportError(new Error(after.lastError?.message), 'a row that failed');
    this.note(`row ${row.seq} ${row.kind} ${row.type} ${move} tries ${row.tries}`);
    if (name(before) !== name(after)) this.hit(`move ${move}`);
  }
}
