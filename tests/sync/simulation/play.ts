import type { MetaRow } from '#db/rows.ts';
import type { Device, Run } from './device.ts';
import { createPrng, mixSeed } from './prng.ts';
import { type Failure, runScenario } from './run-scenario.ts';
import { checkLastWins, checkVisible, checkIntents } from './invariants/at-rest.ts';
import { getRowsWaitingForPerson } from './invariants/lanes.ts';
import { fail } from './invariants/violation.ts';
import { Person } from './person/person.ts';
import type { Plan, Script } from './plan.ts';
import { compareNotifications, compareRelations, compareWithServer, checkScreens } from './invariants/screens.ts';
import { epoch } from './scheduler.ts';
import { Simulation, type Recorded } from './simulation.ts';

export interface Outcome {
  plan: Plan;
  failure: Failure;
  trace: string[];
  exchanges: readonly Recorded[];
  hits: ReadonlyMap<string, number>;
  requests: number;
  faults: number;
  /** Of a script: the steps after which a crash can make a difference. */
  crashPoints: readonly number[];
}

const STEP_LIMIT = 150_000;
/** Once the network is healthy, all unblocked work must finish within the longest back-off and two leases. */
const HEALING_MS = 11 * 60_000;
const RELOAD_MS = 10_000;

/**
 * Plays one plan from a fresh install until all work is done and returns what broke. Time, disk and network are
 * virtual.
 */
export async function play(plan: Plan): Promise<Outcome> {
  const simulation = new Simulation(plan);
  const failure = await runScenario(simulation, async () => {
    const restore = simulation.evictions.install();
    await new Scenario(simulation).run().finally(restore);
  });
  const { trace, hits, network, exchanges } = simulation;
  return {
    plan,
    failure,
    trace,
    exchanges,
    hits,
    requests: network.ordinal,
    faults: simulation.count('fault '),
    crashPoints: simulation.crashPoints,
  };
}

class Scenario {
  readonly #simulation: Simulation;
  readonly #person: Person;

  constructor(simulation: Simulation) {
    this.#simulation = simulation;
    this.#person = new Person(simulation);
  }

  async run(): Promise<void> {
    await this.#begin();
    await this.#runActs();
    await this.#heal();
    await this.#resolveAll();
    await this.#checkResult();
  }

  /** Advances the clock to `at` and checks the invariants on the way. */
  async #until(at: number, stop?: () => boolean): Promise<void> {
    const simulation = this.#simulation;
    await simulation.scheduler.runUntil(at, () => {
      if (simulation.scheduler.steps > STEP_LIMIT) fail('15 liveness', 'the engine never stops');
      return (
        simulation.invariants.violation !== null ||
        simulation.strayError !== null ||
        simulation.devicesToCheck.size > 0 ||
        (stop?.() ?? false)
      );
    });
    if (simulation.invariants.violation) throw simulation.invariants.violation;
    if (simulation.strayError) throw simulation.strayError;
    if (simulation.devicesToCheck.size > 0) {
      await this.#checkDevices();
      if (!stop?.()) await this.#until(at, stop);
    }
  }

  async #checkDevices(): Promise<void> {
    const devices = [...this.#simulation.devicesToCheck];
    this.#simulation.devicesToCheck.clear();
    for (const device of devices) {
      for (const run of device.alive()) {
        // During a bulk write, reads that take several steps do not show one moment.
        if (run.storage.fault || this.#simulation.busyPage?.isAlive) continue;
        const look = () => run.tolerate(() => checkScreens(run));
        await this.#simulation.scheduler.runAlone(device.name, look, () => !run.isAlive);
      }
    }
  }

  /** Signs in once on every device with a healthy network before faults begin. */
  async #begin(): Promise<void> {
    const { devices, people, network, scheduler } = this.#simulation;
    network.isHealthy = true;
    for (const device of devices) {
      await this.#start(device, () => this.#person.signIn(device, people.main), 'first sign-in');
    }
    await this.#until(scheduler.now + 3000);
    network.isHealthy = false;
    network.ordinal = 0;
  }

  /** Plays a script to its end or its crash, and records the steps at which a crash matters. */
  async #runScript({ acts, crashAfter, signOutAfter, fullAfter, cutAt }: Script): Promise<void> {
    const { devices, people, scheduler, network } = this.#simulation;
    const [device] = devices;
    if (!device) throw new Error('a script needs a device');
    const before = scheduler.steps;
    const crash = () => device.alive().forEach((run) => run.crash());
    if (crashAfter !== null) this.#simulation.afterSteps(crashAfter, crash);
    if (signOutAfter !== undefined) {
      this.#simulation.afterSteps(signOutAfter, () => {
        device.session = null;
        for (const run of device.alive()) this.#simulation.watch(run.leave(), 'sign out');
      });
    }
    network.cutAt = cutAt ?? null;
    const [page] = device.inUse(people.main);
    if (page) {
      if (fullAfter !== undefined) page.storage.fault = { kind: 'QuotaExceededError', after: fullAfter, times: 4 };
      const all = async () => {
        for (const act of acts) await this.#person.perform(act, page);
      };
      await this.#start(device, all, 'a script');
    }
    await this.#until(scheduler.now + 30_000, () => network.inFlight === 0 && this.#isIdle(people.main));
    const { turns } = this.#simulation;
    const own = turns.filter((step) => step > before).map((step) => step - before);
    // All crashes between two changes have the same effect, so only the steps after one and before the next matter.
    this.#simulation.crashPoints = [...new Set(own.flatMap((step) => [step - 1, step]))];
    this.#simulation.invariants.nothingLost.check();
  }

  /** Tells whether only the person has something left to do. */
  #isIdle(userId: string): boolean {
    return this.#simulation.scheduler.steps > 200 && this.#isAtRest(userId);
  }

  async #runActs(): Promise<void> {
    const { plan, scheduler } = this.#simulation;
    if (plan.script) return this.#runScript(plan.script);
    const start = scheduler.now;
    for (const act of plan.acts) {
      const nameNow = () => this.#simulation.deviceOf(act).name;
      const planned = nameNow();
      const perform = () => this.#person.act(act);
      // If the device was lost, another one acts.
      scheduler.after(
        act.at,
        () => (nameNow() === planned ? perform() : scheduler.after(0, perform, nameNow())),
        planned,
      );
    }
    const last = plan.acts.at(-1)?.at ?? 0;
    await this.#until(start + last + 2000 + createPrng(mixSeed(plan.seed, 'tail')).int(20_000));
    this.#simulation.invariants.nothingLost.check();
  }

  /** Restores the network and the session and writes nothing. Unblocked changes must be sent without further input. */
  async #heal(): Promise<void> {
    const { devices, people, network, server, scheduler, plan } = this.#simulation;
    network.isHealthy = true;
    server.burst = 0;
    this.#simulation.forgetCrashes();
    this.#simulation.note('--- network healthy');
    const prng = createPrng(mixSeed(plan.seed, 'heal'));
    for (const device of devices) {
      device.isOnline = true;
      device.portal = null;
      for (const run of device.runs) run.storage.fault = null;
      await this.#ensureSignedIn(device, people.main);
      for (const run of device.alive()) run.thaw();
      if (!prng.chance(0.5)) continue;
      for (const run of device.alive()) await scheduler.begin(device.name, () => run.engine.wake('online'));
    }
    for (const device of devices) {
      const page = this.#person.pageOf(device, prng);
      if (page) await this.#finish(device, () => page.tolerate(() => this.#simulation.sealedFiles.openRest(page)));
    }
    // A page whose store is gone reloads by itself or at the person's request.
    if (this.#simulation.evictions.isOn) await this.#until(scheduler.now + RELOAD_MS);
    await this.#until(scheduler.now + HEALING_MS, () => this.#isAtRest(people.main));
    for (const device of devices) checkVisible(device, people.main);
    this.#simulation.invariants.nothingLost.check();
    await this.#checkDevices();
  }

  /** Signs the person in on a device unless they are signed in already. */
  async #ensureSignedIn(device: Device, userId: string): Promise<void> {
    const { server, scheduler } = this.#simulation;
    for (const run of device.alive()) if (run.userId !== userId) run.crash();
    const isIn = device.session?.userId === userId && server.store.tokens.has(device.session.token);
    if (isIn && !device.mustSignInAgain && device.inUse(userId).length > 0) return;
    await this.#start(device, () => this.#person.signIn(device, userId), 'sign in again');
    await this.#until(scheduler.now + 10);
  }

  #start(device: Device, work: () => Promise<unknown>, what: string): Promise<void> {
    return this.#simulation.scheduler.begin(device.name, () => this.#simulation.watch(work(), what));
  }

  /** Tells whether no request is under way and every remaining row waits for the person. */
  #isAtRest(userId: string): boolean {
    const { devices, network, scheduler, server } = this.#simulation;
    if (network.inFlight > 0 || scheduler.hasTasks() || server.poison.size > 0) return false;
    return devices.every((device) => {
      const rows = device.outbox(userId);
      return getRowsWaitingForPerson(rows, (row) => row.state === 'attention').size === rows.length;
    });
  }

  /** Resolves every change that needs the person until none is left. */
  async #resolveAll(): Promise<void> {
    const { people, plan, server, scheduler } = this.#simulation;
    server.poison.clear();
    server.rateLimitedUntil.clear();
    for (const { disk } of this.#simulation.devices) disk.healConstraints();
    const prng = createPrng(mixSeed(plan.seed, 'settle'));
    for (const userId of [people.main, people.other]) {
      const devices = this.#simulation.devices.filter((device) => device.hasStore(userId));
      for (const device of devices) await this.#ensureSignedIn(device, userId);
      for (let round = 0; round < 40; round += 1) {
        await this.#until(scheduler.now + HEALING_MS, () => this.#isAtRest(userId));
        const open = devices.filter((device) => device.outbox(userId).length > 0);
        if (open.length === 0) break;
        if (round > 30) server.refusals.clear();
        for (const device of open) {
          checkVisible(device, userId);
          const run = this.#person.pageOf(device, prng)!;
          await this.#finish(device, () => this.#person.resolver.resolveOne(run, prng));
        }
      }
      for (const device of devices) await this.#checkFinalState(device, userId);
    }
  }

  /** Runs an act of the person to its end. */
  async #finish(device: Device, work: () => Promise<unknown>): Promise<void> {
    let isDone = false;
    await this.#start(device, () => work().then(() => void (isDone = true)), 'an act at the end');
    await this.#until(this.#simulation.scheduler.now + 60_000, () => isDone);
    if (!isDone) fail('15 liveness', 'an act of the person never finishes');
  }

  async #checkFinalState(device: Device, userId: string): Promise<void> {
    const { scheduler, profileIds, neighbors, plan } = this.#simulation;
    this.#simulation.evictions.check(device, userId);
    const rows = device.outbox(userId);
    const [row] = rows;
    if (row)
      fail('4 visible or moving', `${row.kind} ${row.type} (${row.state}) stays queued, whatever the person does`);
    const run: Run = device.inUse(userId)[0] ?? device.open('tab', userId);
    // A page that thawed may have received a 429 response, in which case the pull brought nothing.
    do {
      await this.#until(scheduler.now + this.#rateLimitLeftMs(device, userId));
      await this.#finish(device, () => run.engine.pull());
    } while (this.#rateLimitLeftMs(device, userId) > 0);
    if (!plan.isForeign) {
      await scheduler.runAlone(device.name, () => compareNotifications(run));
      for (const whom of neighbors[userId] ?? []) {
        await scheduler.runAlone(device.name, () => compareRelations(run, whom));
      }
    }
    for (const profileId of profileIds[userId] ?? []) {
      await scheduler.runAlone(device.name, () => compareWithServer(run, profileId));
    }
  }

  /** Returns how long the device still waits for the server's rate limit, in milliseconds. */
  #rateLimitLeftMs(device: Device, userId: string): number {
    const rateLimit = device.disk.rows<MetaRow>(device.dbName(userId), 'meta').find((row) => row.k === 'quiet');
    const clock = epoch + this.#simulation.scheduler.now + device.skewMs;
    return rateLimit && clock >= rateLimit.since && clock < rateLimit.until ? rateLimit.until - clock + 1 : 0;
  }

  #checkResult(): Promise<void> {
    const { invariants, plan, devices } = this.#simulation;
    invariants.nothingLost.check();
    if (!plan.isForeign) {
      checkLastWins(this.#simulation);
      checkIntents(this.#simulation);
    }
    const calm =
      plan.locks === 'held' &&
      this.#simulation.count('a sealed file is opened') === 0 &&
      devices.every((device) => device.runs.length === 1);
    if (calm) invariants.wire.checkResent();
    if (invariants.violation) throw invariants.violation;
    return Promise.resolve();
  }
}
