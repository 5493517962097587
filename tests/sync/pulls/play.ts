import { AccountDb } from '#db/database.ts';
import type { MirrorRecord } from '#db/rows.ts';
import { putMirror } from '#sync/pull/apply.ts';
import { pullChanges } from '#sync/pull/pull.ts';
import { setBug, type Bug } from '../bugs/active.ts';
import { Disk } from '../simulation/disk.ts';
import { type Failure, runScenario } from '../simulation/run-scenario.ts';
import { toWireAnswer } from '../simulation/network.ts';
import { MirrorWatch } from '../simulation/invariants/mirror-watch.ts';
import { fail, type Violation } from '../simulation/invariants/violation.ts';
import { epoch, Scheduler } from '../simulation/scheduler.ts';
import { FakeServer } from '../simulation/server/fake-server.ts';
import type { StoredRow } from '../simulation/server/fake-store.ts';

/**
 * State of the device when two tabs pull at once. known: the mirror is outdated. forgotten: its cursor is invalid, too.
 */
export const STARTS = ['empty', 'known', 'forgotten'] as const;

export interface PullsPlan {
  start: (typeof STARTS)[number];
  /** Which tab continues at each turn. After that the first tab runs to its end, then the second. */
  order: readonly (0 | 1)[];
  /** The turn before which records change on the server. */
  changeAt: number | null;
}

export interface PullsOutcome {
  failure: Failure;
  /** Number of turns of each tab. */
  turns: readonly [number, number];
}

/** Together with the profile more than one page of /sync. */
const SKILLS = 9;
const DATABASE = 'app:pulls';
const clock = { now: () => epoch, after: () => () => undefined };

/** A tab that pulls and pauses after each transaction, before each request and before each response. */
class Tab {
  readonly db: AccountDb;
  readonly #scheduler: Scheduler;
  readonly #server: FakeServer;
  readonly #token: string;
  readonly name: string;
  turns = 0;
  isDone = true;
  error: unknown = null;
  #hasTurned = false;
  #goOn: (() => void) | null = null;

  constructor(parts: { name: string; disk: Disk; scheduler: Scheduler; server: FakeServer; token: string }) {
    this.name = parts.name;
    this.#scheduler = parts.scheduler;
    this.#server = parts.server;
    this.#token = parts.token;
    this.db = new AccountDb(DATABASE, 'u1', parts.disk.storage().options());
  }

  async open(): Promise<void> {
    // Dexie binds the browser's function when it opens the store, so it cannot be replaced afterwards.
    this.db.use({
      stack: 'dbcore',
      name: 'turns',
      create: (core) => ({ ...core, transaction: (...args) => this.#watch(core.transaction(...args)) }),
    });
    await this.#scheduler.runAlone(this.name, async () => this.db.open());
  }

  #watch<T>(made: T): T {
    const transaction = made as IDBTransaction & { _start: () => void };
    transaction.addEventListener('complete', () => (this.#hasTurned = true));
    // A transaction that waited for the other tab's starts when that one ends, but is still work of this tab.
    const start = transaction._start.bind(transaction);
    transaction._start = () => (this.#scheduler.lane === this.name ? start() : this.#scheduler.queue(start, this.name));
    return made;
  }

  /** Sets the work that begins at the tab's next turn. */
  begin(work: () => Promise<unknown>): void {
    this.isDone = false;
    this.#goOn = () => {
      work()
        .catch((error: unknown) => (this.error = error))
        .finally(() => (this.isDone = true));
    };
  }

  beginToPull(): void {
    this.begin(() => pullChanges(this.db, { clock, transport: this }));
  }

  send({ path }: { path: string }): Promise<ReturnType<typeof toWireAnswer>> {
    const request = { method: 'GET' as const, path, headers: {}, token: this.#token, body: { kind: 'none' as const } };
    return new Promise((resolve) => {
      this.#goOn = () => {
        const answer = this.#server.handle(request, this.name);
        this.#goOn = () => resolve(toWireAnswer(answer));
      };
    });
  }

  /**
   * Runs to the next point at which another tab may continue. Returns false if nothing could run, because the tab has
   * ended or waits for the other's transaction. A pull may end before its last transaction does.
   */
  async turn(): Promise<boolean> {
    const goOn = this.#goOn;
    this.#goOn = null;
    this.#hasTurned = false;
    let hasMoved = goOn !== null;
    if (goOn) await this.#scheduler.begin(this.name, goOn);
    while (!this.#hasTurned && !this.#goOn && (await this.#scheduler.step(Infinity, this.name))) hasMoved = true;
    if (hasMoved) this.turns += 1;
    return hasMoved;
  }
}

async function toEnd(...tabs: readonly Tab[]): Promise<void> {
  for (let isMoving = true; isMoving;) {
    isMoving = false;
    for (const tab of tabs) while (await tab.turn()) isMoving = true;
  }
  for (const { name, isDone, error } of tabs) {
    if (error) throw error;
    if (!isDone) fail('15 liveness', `the ${name} pull never ends`);
  }
}

/** Plays two concurrent pulls of one device in the order of the plan. */
export async function playPulls(plan: PullsPlan, bug: Bug | null = null): Promise<PullsOutcome> {
  setBug(bug);
  const scheduler = new Scheduler(1);
  const server = new FakeServer(() => scheduler.now, { isBasic: false });
  const disk = new Disk(scheduler);
  const token = server.signIn('u1');
  const [profileId] = server.addUser('u1', 1) as [string];
  for (let n = 0; n < SKILLS; n += 1) addSkill(server, profileId);
  const tab = (name: string) => new Tab({ name, disk, scheduler, server, token });
  const tabs = [tab('first'), tab('second')] as const;
  const [first, second] = tabs;
  // Stores the acknowledgement of an edit made on this device.
  const third = tab('third');
  const all = [...tabs, third];
  const device = { disk, runs: all.map((tab) => ({ db: tab.db, userId: 'u1' })) };
  const watch = new MirrorWatch({ server });
  let violation: Violation | null = null;
  let turns: PullsOutcome['turns'] = [0, 0];
  disk.onCommit = (database, stores) => {
    try {
      watch.onCommit(device, database, stores);
    } catch (error) {
      violation ??= error as Violation;
    }
  };
  const tell = async () => {
    for (const each of all) await each.open();
    if (plan.start !== 'empty') {
      first.beginToPull();
      await toEnd(first);
      first.turns = 0;
      changeAll(server);
      if (plan.start === 'forgotten') server.store.cursorGeneration += 1;
    }
    for (const each of tabs) each.beginToPull();
    for (const [at, who] of plan.order.entries()) {
      if (at === plan.changeAt) storeOwnChange(third, changeSome(server, profileId));
      await third.turn();
      await tabs[who].turn();
    }
    await toEnd(...all);
    if (violation) throw violation;
    turns = [first.turns, second.turns];
    first.beginToPull();
    await toEnd(first);
    if (violation) throw violation;
    compare(disk, server);
  };
  const host = { alive: () => [], runs: all };
  const failure = await runScenario(
    { scheduler, devices: [host], reportError: (error) => void (violation ??= error as Violation) },
    tell,
  );
  setBug(null);
  return { failure, turns };
}

function addSkill({ store }: FakeServer, profileId: string): void {
  const id = store.newId();
  store.insert({ type: 'skill', id, userId: 'u1', profileId, body: { name: `Skill ${id}` }, clientId: null }, 'web');
}

const skillsOf = ({ store }: FakeServer) => [...store.rows.values()].filter(({ type }) => type === 'skill');

function changeAll(server: FakeServer): void {
  for (const row of skillsOf(server)) server.store.change(row, { level: 2 }, 'web');
}

/**
 * Changes and deletes one record each of the first and of the last page, and adds one.
 * @returns a record that was changed on this device
 */
function changeSome(server: FakeServer, profileId: string): StoredRow {
  const rows = skillsOf(server);
  for (const row of [rows[0]!, rows.at(-1)!]) server.store.change(row, { level: 3 }, 'web');
  for (const row of [rows[1]!, rows.at(-2)!]) server.store.remove(row, 'web');
  addSkill(server, profileId);
  return rows[0]!;
}

/** Stores the device's own change as an acknowledgement does. */
function storeOwnChange(tab: Tab, { type, id, profileId, body, version }: StoredRow): void {
  const record = { type, id, parent: profileId, body: { ...body, id, version } };
  tab.begin(() => tab.db.transaction('rw', tab.db.records, async () => putMirror(tab.db, record)));
}

/** Fails unless the mirror equals the server's records. */
function compare(disk: Disk, server: FakeServer): void {
  const here = disk.rows<MirrorRecord>(DATABASE, 'records').filter(({ type }) => type === 'skill');
  const describe = (rows: readonly { id: string; version: number | null }[]) =>
    rows
      .map(({ id, version }) => `${id} at ${version}`)
      .sort()
      .join(', ');
  const wanted = describe(skillsOf(server));
  if (describe(here) !== wanted) fail('3 convergence', `the mirror has ${describe(here)}; the server ${wanted}`);
}
