import { findReplaced, isDeclined } from '#contract/casting/state.ts';
import type { Answer } from '#contract/records/casting.ts';
import { readRole } from '#db/casting-role.ts';
import { type CastingItem, listAuditions, listProjects, readProject } from '#db/casting.ts';
import { hasEffect } from '#db/patches.ts';
import { readQuestions } from '#db/questions.ts';
import type { MirrorRecord, OutboxRow } from '#db/rows.ts';
import { createPrng, mixSeed, type Prng } from '../simulation/prng.ts';
import { PORTAL_STATUSES } from '../simulation/network.ts';
import { type Failure, runScenario } from '../simulation/run-scenario.ts';
import { getRowsWaitingForPerson } from '../simulation/invariants/lanes.ts';
import { fail } from '../simulation/invariants/violation.ts';
import { factsOf } from '../simulation/server/casting-routes.ts';
import type { StoredRow } from '../simulation/server/fake-store.ts';
import { checkShortlists } from './cards.ts';
import { checkDays, compareDays } from './days.ts';
import { checkFiles } from './files.ts';
import { REPLIES } from './intents.ts';
import {
  type CastingAct,
  type CastingPlan,
  isColleagueAct,
  isOwnerAct,
  isPerformerAct,
  type PlayedAct,
} from './plan.ts';
import { createTerms, People, serverIdOf } from './people.ts';
import { type CastingDevice, type CastingRun, CastingSimulation, COLLEAGUE, FACTS, OWNER } from './simulation.ts';

export interface CastingOutcome {
  plan: CastingPlan;
  failure: Failure;
  trace: string[];
  hits: ReadonlyMap<string, number>;
  requests: number;
  faults: number;
  /** What people did. */
  intents: number;
}

const HEALING_MS = 11 * 60_000;
const STEP_LIMIT = 250_000;
const LONGEST_RATE_LIMIT_MS = 65_000;

/** Plays one plan from a fresh install until all work is done and returns what broke. */
export async function playCasting(plan: CastingPlan): Promise<CastingOutcome> {
  const simulation = new CastingSimulation(plan);
  const failure = await runScenario(simulation, () => new CastingScenario(simulation).run());
  const { trace, hits, network, faults, intents } = simulation;
  return { plan, failure, trace, hits, requests: network.ordinal, faults, intents: intents.all.length };
}

/** The records of each type that somebody should have, by the rules of the server. */
const CASTING_TYPES = ['project', 'project_member', 'role', 'request', 'tape', 'mark', 'candidate', 'link'] as const;
const TYPES = { casting: CASTING_TYPES, performer: ['audition', 'tape'] } as const;

class CastingScenario {
  readonly #simulation: CastingSimulation;
  readonly #people: People;
  readonly #prng: Prng;

  constructor(simulation: CastingSimulation) {
    this.#simulation = simulation;
    this.#prng = createPrng(mixSeed(simulation.plan.seed, 'world'));
    this.#people = new People(simulation);
  }

  async run(): Promise<void> {
    await this.#begin();
    await this.#runActs();
    await this.#heal();
    await this.#checkResult();
  }

  async #until(at: number, stop?: () => boolean): Promise<void> {
    const { scheduler, devicesToCheck } = this.#simulation;
    for (let isDone = false; !isDone;) {
      await scheduler.runUntil(at, () => {
        if (scheduler.steps > STEP_LIMIT) fail('15 liveness', 'the engine never stops');
        return this.#simulation.violation !== null || devicesToCheck.size > 0 || (stop?.() ?? false);
      });
      if (this.#simulation.violation) throw this.#simulation.violation;
      isDone = devicesToCheck.size === 0;
      for (const device of devicesToCheck) await this.#checkScreens(device);
      devicesToCheck.clear();
    }
  }

  #start(device: CastingDevice, work: () => Promise<unknown>, what: string): Promise<void> {
    return this.#simulation.scheduler.begin(device.name, () => this.#simulation.watch(work(), what));
  }

  async #signIn(device: CastingDevice): Promise<void> {
    const { server } = this.#simulation;
    const userId = this.#simulation.userOf(device);
    device.session = { userId, token: server.signIn(userId) };
    if (device.alive().length === 0) device.open('tab', userId);
    for (const run of device.alive()) await run.tolerate(() => run.engine.signedIn());
    await Promise.all(device.alive().map((run) => run.tolerate(() => run.engine.pull())));
  }

  /** Everybody signs in. One open role is there already, for which most performers were asked and have sent a tape; a colleague watches. */
  async #begin(): Promise<void> {
    const { devices, network, profiles, scheduler, server } = this.#simulation;
    const { store } = server;
    const about = { userId: OWNER, clientId: null };
    const stamp = new Date(Date.UTC(2026, 1, 1)).toISOString();
    const project = { title: 'First', type: 'film', time_zone: 'Asia/Kolkata', rule_pack: 'plain-courtesy' };
    const common = { status: 'open', updated_at: stamp };
    const [id, role] = [store.newId(), store.newId()];
    store.insert({ ...about, type: 'project', id, profileId: id, body: { ...project, ...common } }, 'web');
    store.insert({ ...about, type: 'role', id: role, profileId: id, body: { name: 'First', ...common } }, 'web');
    const token = server.signIn(OWNER);
    for (const profile of profiles.filter(() => this.#prng.chance(0.7))) {
      const terms = { ...createTerms(profile.id, 'Scene 1', this.#prng, 0), role_id: role };
      const body = { kind: 'json' as const, text: JSON.stringify(terms) };
      server.handle({ method: 'POST', path: '/casting/requests', headers: {}, token, body }, 'web');
    }
    this.#simulation.addTapes();
    this.#simulation.addColleague();
    network.isHealthy = true;
    for (const device of devices) await this.#start(device, () => this.#signIn(device), 'first sign-in');
    await this.#until(scheduler.now + 3000);
    network.isHealthy = false;
    network.ordinal = 0;
  }

  #deviceFor(kind: CastingAct, number: number): CastingDevice {
    const { devices } = this.#simulation;
    const isOwners = (device: CastingDevice) => this.#simulation.userOf(device) === OWNER;
    const isColleagues = (device: CastingDevice) => this.#simulation.userOf(device) === COLLEAGUE;
    const own = isOwnerAct(kind)
      ? devices.filter(isOwners)
      : isPerformerAct(kind)
        ? devices.filter((device) => !isOwners(device) && !isColleagues(device))
        : isColleagueAct(kind)
          ? devices.filter(isColleagues)
          : devices;
    return own[number % own.length]!;
  }

  async #runActs(): Promise<void> {
    const { plan, scheduler } = this.#simulation;
    const start = scheduler.now;
    for (const act of plan.acts) {
      const device = this.#deviceFor(act.kind, act.device);
      const perform = () => this.#simulation.watch(this.#perform(act.kind, device, createPrng(act.throw)), act.kind);
      scheduler.after(act.at, perform, device.name);
    }
    await this.#until(start + (plan.acts.at(-1)?.at ?? 0) + 2000 + createPrng(mixSeed(plan.seed, 'tail')).int(20_000));
  }

  async #perform(kind: CastingAct, device: CastingDevice, prng: Prng): Promise<unknown> {
    this.#simulation.note(`act ${kind} on ${device.name}`);
    this.#simulation.hit(`act ${kind}`);
    const page = device.alive().find((run) => run.kind !== 'worker');
    const inPage = (work: (page: CastingRun) => Promise<unknown>) => page && page.tolerate(() => work(page));
    if (isOwnerAct(kind)) return inPage((run) => this.#people.asOwner(kind, run, prng));
    if (isPerformerAct(kind)) return inPage((run) => this.#people.asPerformer(kind, run, prng));
    if (isColleagueAct(kind)) return inPage((run) => this.#people.asColleague(kind, run, prng));
    return this.#change(kind, device, prng, inPage);
  }

  #change(
    kind: PlayedAct,
    device: CastingDevice,
    prng: Prng,
    inPage: (work: (page: CastingRun) => Promise<unknown>) => unknown,
  ): unknown {
    const { server, scheduler, devicesToCheck, profiles } = this.#simulation;
    switch (kind) {
      case 'look':
        return void devicesToCheck.add(device);
      case 'pull':
        return inPage((run) => run.engine.pull());
      case 'try now':
        return inPage((run) => run.engine.tryNow());
      case 'offline':
        device.isOnline = false;
        return;
      case 'online':
        device.isOnline = true;
        for (const run of device.alive()) run.engine.wake('online');
        return;
      case 'crash':
      case 'crash all': {
        const victims = kind === 'crash' ? device.alive().slice(0, 1) : device.alive();
        scheduler.after(prng.int(60), () => victims.forEach((run) => run.crash()), device.name);
        return;
      }
      case 'open page':
        if (device.session && device.alive().length < 3) {
          device.open(prng.pick(['tab', 'second tab', 'worker'] as const), device.session.userId);
        }
        return;
      case 'cure':
        return inPage((run) => this.#people.resolve(device, run, prng));
      case 'token dies':
        if (device.session) server.revoke(device.session.token);
        return;
      case 'cursor dies':
        server.store.cursorGeneration += 1;
        return;
      case 'clock jump':
        this.#simulation.jumped.add(device);
        device.jumpClock(prng.pick([-1, 1]) * prng.pick([90_000, 3_600_000, 8 * 3_600_000]));
        return;
      case 'portal':
        device.portal = prng.pick(PORTAL_STATUSES);
        scheduler.after(2000 + prng.int(40_000), () => void (device.portal = null), device.name);
        return;
      case 'block':
        return this.#simulation.block(prng.pick(profiles).userId);
      case 'remove colleague':
        return this.#simulation.removeColleague();
      case 'colleague comes back':
        return this.#simulation.addColleague();
      case 'store evicted':
        this.#simulation.evict(device);
        if (device.session) device.open('tab', device.session.userId);
        return;
    }
  }

  #isAtRest(): boolean {
    const { devices, network, scheduler } = this.#simulation;
    if (network.inFlight > 0 || scheduler.hasTasks()) return false;
    return devices.every((device) => {
      const rows = this.#simulation.rowsOf(device);
      const waiting = getRowsWaitingForPerson(rows, ({ state }) => state === 'attention');
      return rows.every((row) => waiting.has(row));
    });
  }

  /** Restores the network. What nothing blocks must be sent without further input, and people deal with the rest. */
  async #heal(): Promise<void> {
    const { devices, network, server, scheduler, plan } = this.#simulation;
    network.isHealthy = true;
    server.burst = 0;
    server.rateLimitedUntil.clear();
    this.#simulation.note('--- network healthy');
    for (const device of devices) {
      device.isOnline = true;
      device.portal = null;
      if (device.alive().every((run) => run.kind === 'worker')) device.open('tab', this.#simulation.userOf(device));
      await this.#start(device, () => this.#signIn(device), 'sign in again');
      for (const run of device.alive()) await scheduler.begin(device.name, () => run.engine.wake('online'));
    }
    const prng = createPrng(mixSeed(plan.seed, 'cures'));
    for (let round = 0; round < 80; round += 1) {
      await this.#until(scheduler.now + HEALING_MS, () => this.#isAtRest());
      const open = devices.filter((device) => this.#simulation.rowsOf(device).length > 0);
      if (open.length === 0) return;
      if (!this.#isAtRest()) break;
      if (round > 40) server.refusals.clear();
      for (const device of open) {
        const page = device.alive().find((run) => run.kind !== 'worker')!;
        await this.#start(device, () => this.#people.resolve(device, page, prng), 'a cure');
      }
    }
    const left = devices.flatMap((device) =>
      this.#simulation
        .rowsOf(device)
        .map(({ kind, type, patch, state, lastError }) =>
          [device.name, kind, type, patch.act, state, lastError?.status, lastError?.message].join(' '),
        ),
    );
    fail('4 visible or moving', `these wait for ever: ${left.join('; ')}`);
  }

  async #checkResult(): Promise<void> {
    const { devices, scheduler, intents, violation } = this.#simulation;
    // Every rate limit has ended by then.
    await this.#until(scheduler.now + LONGEST_RATE_LIMIT_MS);
    for (let round = 0; round < 2; round += 1) {
      for (const device of devices) {
        const page = device.alive().find((run) => run.kind !== 'worker')!;
        await this.#start(device, () => page.engine.pull(), 'a last pull');
      }
      await this.#until(scheduler.now + 60_000, () => this.#simulation.network.inFlight === 0 && !scheduler.hasTasks());
    }
    // A clock that was set back runs through the time of a rate limit once more.
    await this.#until(scheduler.now + LONGEST_RATE_LIMIT_MS);
    if (violation) throw violation;
    for (const device of devices) {
      const lost = intents.findLost(device, []);
      if (lost) throw lost;
    }
    intents.checkActs();
    this.#checkUndone();
    this.#checkAnswers();
    this.#checkReplies();
    checkDays(this.#simulation);
    checkFiles(this.#simulation);
    checkShortlists(this.#simulation);
    for (const device of devices) {
      this.#compareMirror(device);
      compareDays(this.#simulation, device);
      await this.#checkScreens(device);
    }
  }

  /** A request that was withdrawn before it was sent never arrives. */
  #checkUndone(): void {
    const { intents, server } = this.#simulation;
    for (const intent of intents.all) {
      if (intent.kind !== 'create' || intent.state !== 'undone' || intents.refused.has(intent.marker)) continue;
      const id = serverIdOf(intent);
      const isThere = [...server.store.rows.values()].some(({ clientId }) => `L_${clientId}` === intent.target);
      if (id !== null || isThere) fail('1 nothing lost', `request ${id} was sent, although it was withdrawn before`);
    }
  }

  /** Whoever was asked for a role that is cast, and neither declined nor was withdrawn, has an answer: to the last round, if there were several. */
  #checkAnswers(): void {
    const { store } = this.#simulation.server;
    for (const { markers, id } of store.acts.filter(({ act }) => act === 'cast')) {
      const castAt = store.ledger.findIndex(
        ({ type, id: role, after }) => type === 'role' && role === id && after['status'] === 'cast',
      );
      if (castAt < 0) fail('answers', `role ${id} was cast by ${markers.join()} and never became cast`);
    }
    const requests = [...store.rows.values()].filter(({ type }) => type === 'request');
    const replaced = findReplaced(requests.map(factsOf));
    for (const row of requests) {
      if (store.row('role', row.profileId)?.body['status'] !== 'cast') continue;
      const request = factsOf(row);
      const isLeftOut = request.withdrawn_at !== null || row.body['performer_id'] === null || isDeclined(request);
      const mayWait = isLeftOut || replaced.has(row.id);
      if (!mayWait && request.answers.length === 0) fail('answers', `request ${row.id} of a cast role has no answer`);
    }
  }

  /** If one device alone said yes or no to a request, what it said last holds, whatever its clock shows. */
  #checkReplies(): void {
    const { intents, server } = this.#simulation;
    const { store } = server;
    for (const row of store.rows.values()) {
      if (row.type !== 'request') continue;
      const said = intents.all.filter(({ kind, target }) => REPLIES.includes(kind) && target === row.id);
      const isSure = said.every(({ state, marker }) => state === 'accepted' && !intents.refused.has(marker));
      const devices = new Set(said.map(({ device }) => device));
      const last = said.findLast((intent) => intents.isDone(intent));
      if (last === undefined || !isSure || devices.size > 1) continue;
      const holds = isDeclined(factsOf(row)) ? 'decline' : 'confirm';
      if (holds !== last.kind)
        fail('replies', `${last.device.name} said ${last.kind} to ${row.id} last, but ${holds} holds`);
    }
  }

  /** The mirror of a device equals what the server presents to its person. */
  #compareMirror(device: CastingDevice): void {
    const { store } = this.#simulation.server;
    const userId = this.#simulation.userOf(device);
    const records = device.disk.rows<MirrorRecord>(device.dbName(userId), 'records');
    const isCasting = userId === OWNER || userId === COLLEAGUE;
    for (const type of TYPES[isCasting ? 'casting' : 'performer']) {
      const kept = [...store.rows.values()].filter((row) => row.type === (type === 'audition' ? 'request' : type));
      const present = store.presenters.get(type)!;
      const parentOf = (row: StoredRow) => (type === 'project' || type === 'audition' ? null : row.profileId);
      const wanted = kept.flatMap((row) => {
        const body = present(row.id, userId, false);
        return body ? [{ id: row.id, parent: parentOf(row), version: row.version, body }] : [];
      });
      const actual = records
        .filter((record) => record.type === type)
        .map(({ id, parent, version, body }) => ({ id, parent, version, body }));
      const toLines = (rows: readonly object[]) => rows.map((row) => JSON.stringify(toSorted(row))).sort();
      const [there, here] = [toLines(wanted), toLines(actual)];
      const missing = there.filter((line) => !here.includes(line));
      const extra = here.filter((line) => !there.includes(line));
      if (missing.length > 0 || extra.length > 0)
        fail('3 convergence', `${device.name} lacks ${missing.join('; ')} and has ${extra.join('; ')}`);
    }
  }

  /** The screens show every fact that the device knows of, and what waits as if it were done. */
  async #checkScreens(device: CastingDevice): Promise<void> {
    const { scheduler } = this.#simulation;
    const page = device.alive().find((run) => run.kind !== 'worker');
    if (!page) return;
    const check = async () => {
      const { db } = page;
      await db.transaction(
        'r',
        [db.records, db.outbox, db.ids, db.messages, db.media, db.readings, db.drafts],
        async () => {
          const rows = await db.outbox.orderBy('seq').toArray();
          const views = await Promise.all((await listProjects(db)).map(({ id }) => readProject(db, id)));
          const roles = views.flatMap((view) => view?.roles ?? []);
          const asked = (await Promise.all(roles.map(({ role }) => readRole(db, role.id)))).flatMap(
            (view) => view?.requests ?? [],
          );
          const auditions = await listAuditions(db);
          for (const item of auditions) await checkQuestions(db, item, rows, device.name);
          for (const item of [...asked, ...auditions]) {
            const known = item.serverId === null ? undefined : await db.records.get([item.type, item.serverId]);
            const facts = known && factsOf(known);
            const shown = item.body;
            const what = `${device.name} shows ${item.type} ${item.id}`;
            for (const fact of FACTS) {
              const [is, was] = [shown[fact], facts?.[fact] ?? null];
              if (was !== null && (is === null || is < was))
                fail('facts stay', `${what} with ${fact} ${is} after ${was}`);
            }
            const missing = (facts?.answers ?? []).filter((answer) => !hasAnswer(shown.answers, answer));
            if (missing.length > 0) fail('facts stay', `${what} without an answer`);
            const reply = rows.findLast(
              (row) =>
                row.target === item.id &&
                row.state !== 'attention' &&
                hasEffect(row, 'act') &&
                REPLIES.includes(row.patch.act),
            );
            if (reply && isDeclined(shown) !== (reply.patch.act === 'decline'))
              fail('10 overlay', `${what} as if ${String(reply.patch.act)} were not waiting`);
          }
        },
      );
    };
    await scheduler.runAlone(
      device.name,
      () => page.tolerate(check),
      () => !page.isAlive,
    );
  }
}

/** What waits to be asked about an audition is on its page, in the order of writing. */
async function checkQuestions(
  db: CastingRun['db'],
  { id, body }: CastingItem<'audition'>,
  rows: readonly OutboxRow[],
  device: string,
): Promise<void> {
  const asked = rows.flatMap((row) => (hasEffect(row, 'send') && row.patch.audition_id === id ? [row.target] : []));
  if (asked.length === 0) return;
  const { pending } = await readQuestions(db, id, body.casting.user_id);
  const shown = pending.map((message) => message.id);
  if (shown.join() !== asked.join())
    fail('10 overlay', `${device} shows the questions ${shown.join()} about ${id}, not ${asked.join()}`);
}

const hasAnswer = (answers: readonly Answer[], { at, kind }: Answer) =>
  answers.some((answer) => answer.at === at && answer.kind === kind);

/** The same value with its keys in order. */
function toSorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(toSorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([key, inner]) => [key, toSorted(inner)]),
  );
}
