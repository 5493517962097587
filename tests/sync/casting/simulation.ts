import { toDayId } from '#contract/casting/availability.ts';
import { getRequestState } from '#contract/casting/state.ts';
import type { Answer, AuditionRequest } from '#contract/records/casting.ts';
import { hasEffect } from '#db/patches.ts';
import type { MirrorRecord, OutboxRow } from '#db/rows.ts';
import { findOperation } from '#sync/operations/index.ts';
import { Device, type DeviceHost, type Run } from '../simulation/device.ts';
import { markerOf, markersIn } from '../simulation/markers.ts';
import { createPrng, mixSeed, type Prng } from '../simulation/prng.ts';
import { type Exchange, Network } from '../simulation/network.ts';
import { Violation } from '../simulation/invariants/violation.ts';
import { epoch, Scheduler } from '../simulation/scheduler.ts';
import { factsOf } from '../simulation/server/casting-routes.ts';
import { findProjectId, listColleagues, listProjectRows } from '../simulation/server/colleague-routes.ts';
import { FakeServer } from '../simulation/server/fake-server.ts';
import type { LedgerEntry, StoredRow } from '../simulation/server/fake-store.ts';
import { fingerprintOf, markersOf } from '../simulation/server/wire.ts';
import { CastingIntents } from './intents.ts';
import type { CastingPlan } from './plan.ts';

export type CastingDevice = Device<CastingSimulation>;
export type CastingRun = Run<CastingSimulation>;

/** Nobody tells in these plans that a tape was watched. */
const NOT_WATCHED = { watched_at: null };

/** The side that casts. The performers are u2, u3 and u4. */
export const OWNER = 'u1';

/** Who works in the first project, whenever the owner lets them. */
export const COLLEAGUE = 'u5';

/** Facts that are set once. Of the first two, the later one holds, so they may move to a later time. */
export const FACTS = [
  'confirmed_at',
  'declined_at',
  'seen_at',
  'answered_at',
  'withdrawn_at',
  'announced_at',
  'arrived_at',
] as const;
const MAY_MOVE: readonly string[] = ['confirmed_at', 'declined_at'];

type Facts = Pick<AuditionRequest, (typeof FACTS)[number] | 'answers'>;

/** Describes how facts went back from one state of a request to the next; null if they did not. */
export function findStepBack(before: Facts, after: Facts): string | null {
  for (const fact of FACTS) {
    const [was, is] = [before[fact], after[fact]];
    if (was === null || was === is) continue;
    if (is === null) return `${fact} is gone`;
    if (!MAY_MOVE.includes(fact) || is < was) return `${fact} moved from ${was} to ${is}`;
  }
  const kept = after.answers.slice(0, before.answers.length);
  const isSame = (one: Answer | undefined, other: Answer) => JSON.stringify(one) === JSON.stringify(other);
  return before.answers.every((answer, n) => isSame(kept[n], answer)) ? null : 'an answer is gone';
}

const isRequest = ({ type }: Pick<MirrorRecord, 'type'>) => type === 'request' || type === 'audition';

/** One person who casts on two devices, a colleague, two or three performers, and what they do. */
export class CastingSimulation implements DeviceHost {
  readonly plan: CastingPlan;
  readonly scheduler: Scheduler;
  readonly server: FakeServer;
  readonly network: Network;
  readonly devices: CastingDevice[];
  readonly intents: CastingIntents;
  readonly trace: string[] = [];
  readonly hits = new Map<string, number>();
  /** Profiles of the performers. */
  readonly profiles: { userId: string; id: string }[];
  /** Devices whose screens are compared with their stores at the next step. */
  readonly devicesToCheck = new Set<CastingDevice>();
  faults = 0;
  violation: Error | null = null;
  readonly #prng: Prng;
  readonly #payloads = new Map<string, string>();
  /** The digests of picked files, by id. */
  readonly files = new Map<string, string>();
  /** Devices whose clock was turned, and those on which the person gave up files of a tape. */
  readonly jumped = new Set<CastingDevice>();
  readonly abandoned = new Set<CastingDevice>();
  /** Profiles whose card somebody removed. */
  readonly removedCards = new Set<string>();
  /** The columns of shortlists that anybody removed, by their ids. */
  readonly removedColumns = new Set<string>();
  /** Client ids of records whose create was sent at least once. */
  readonly sentClientIds = new Set<string>();
  /** Last known mirror and outbox of each device. */
  readonly #mirrors = new Map<CastingDevice, Map<string, MirrorRecord<Facts>>>();
  readonly #rows = new Map<CastingDevice, Map<string, OutboxRow>>();

  constructor(plan: CastingPlan) {
    this.plan = plan;
    this.scheduler = new Scheduler(mixSeed(plan.seed, 'order'));
    this.#prng = createPrng(mixSeed(plan.seed, 'events'));
    this.server = new FakeServer(() => this.scheduler.now, { isBasic: false });
    const { store } = this.server;
    this.intents = new CastingIntents(store);
    this.server.addUser(OWNER, 1);
    this.server.addUser(COLLEAGUE, 1);
    const performers = ['u2', 'u3', 'u4'].slice(0, plan.performers);
    this.profiles = performers.map((userId) => ({ userId, id: this.server.addUser(userId, 1)[0]! }));
    store.onChange = (entry) => this.#onLedger(entry);
    this.network = new Network({
      scheduler: this.scheduler,
      server: this.server,
      prng: createPrng(mixSeed(plan.seed, 'network')),
      plan: new Map(plan.faults),
      hooks: {
        onSend: (exchange) => this.#onSend(exchange),
        onHandled: ({ ordinal, request }, { status }) => {
          this.note(`#${ordinal} handled: ${status}`);
          const isRefused = status >= 400 && status < 500;
          if (isRefused) for (const marker of markersOf(request)) this.intents.refused.add(marker);
          if (request.method !== 'GET') this.hit(`${request.method} ${request.path.replace(/\d+/, ':id')} ${status}`);
        },
        onReceived: ({ ordinal }, answer) => this.note(`#${ordinal} answered: ${answer.status}`),
      },
    });
    const names = ['phone', 'laptop', 'u2', ...(plan.hasTablet ? ['u2 tablet'] : []), 'u3', 'u4', COLLEAGUE];
    this.devices = names
      .filter((name) => !name.startsWith('u') || [...performers, COLLEAGUE].includes(name.slice(0, 2)))
      .map((name, n) => {
        const device = new Device<CastingSimulation>(this, name);
        device.skewMs = plan.skewsMs[n] ?? 0;
        return device;
      });
  }

  userOf({ name }: CastingDevice): string {
    return name.startsWith('u') ? name.slice(0, 2) : OWNER;
  }

  rowsOf(device: CastingDevice): OutboxRow[] {
    return device.outbox(this.userOf(device));
  }

  /** The time on a device, ms since the epoch. */
  timeOn(device: CastingDevice): number {
    return epoch + Math.floor(this.scheduler.now) + device.skewMs;
  }

  changed(): void {
    // The casting simulation does not search for crash points.
  }

  note(line: string): void {
    this.trace.push(`${this.scheduler.now.toFixed(2).padStart(10)} ${line}`);
  }

  hit(what: string): void {
    this.hits.set(what, (this.hits.get(what) ?? 0) + 1);
  }

  #break(rule: string, what: string): void {
    this.violation ??= new Violation(rule, what);
  }

  #onSend({ ordinal, sender, request, fault, userId }: Exchange): void {
    this.note(`#${ordinal} ${sender.device.name} ${request.method} ${request.path}${fault ? ` (${fault})` : ''}`);
    if (fault) {
      this.faults += 1;
      this.hit(`fault ${fault}`);
    }
    const text = request.body.kind === 'json' ? request.body.text : '';
    if (/\bL_/.test(`${request.path} ${text}`)) this.#break('7 local ids stay', `${request.path} ${text}`);
    const made = /"client_id":"([^"]+)"/.exec(text)?.[1];
    if (made !== undefined) this.sentClientIds.add(made);
    const key = request.headers['idempotency-key'];
    if (key === undefined) return;
    const payload = fingerprintOf(request);
    const before = this.#payloads.get(`${userId} ${key}`) ?? payload;
    if (before !== payload) this.#break('9 frozen payload', `${before} became ${payload} under one key`);
    this.#payloads.set(`${userId} ${key}`, payload);
  }

  /** Facts on the server are set once. */
  #onLedger(entry: LedgerEntry): void {
    this.intents.onLedger(entry);
    const { type, kind, before, after, id } = entry;
    const row = this.server.store.row('request', id);
    this.#tell(entry.userId);
    this.#tellCasting(entry);
    if (type !== 'request' || row === undefined) return;
    this.#tell(String(row.body['performer_id']));
    if (kind !== 'update') return;
    const back = findStepBack({ ...factsOf(row), ...before }, factsOf(row));
    if (back !== null) this.#break('facts stay', `on the server, ${back} (${JSON.stringify(after)})`);
  }

  /** Whoever works in a project reads what changes there, and the owner reads what others write. */
  #tellCasting(entry: LedgerEntry): void {
    const { store } = this.server;
    const projectId = findProjectId(store, entry);
    const project = projectId === null ? undefined : store.row('project', projectId);
    if (project === undefined) return;
    for (const reader of [project.userId, ...listColleagues(store, project.id)]) {
      if (reader === entry.userId) continue;
      store.recordChange(reader, entry.type, entry.id, entry.parent);
      this.#tell(reader);
    }
  }

  /** Live events make devices pull. Some never arrive. */
  #tell(userId: string): void {
    for (const device of this.devices) {
      if (this.userOf(device) !== userId || !this.#prng.chance(this.plan.eventRate)) continue;
      const pull = () => {
        const page = device.isOnline ? device.alive().find((run) => run.kind !== 'worker') : undefined;
        if (page)
          this.watch(
            page.tolerate(() => page.engine.pull()),
            'an event',
          );
      };
      this.scheduler.after(20 + this.#prng.int(600), pull, device.name);
    }
  }

  onCommit(deviceName: string, database: string, stores: ReadonlySet<string>): void {
    if (this.violation) return;
    const device = this.devices.find(({ name }) => name === deviceName)!;
    if (stores.has('records')) this.#checkMirror(device, device.disk.rows(database, 'records'));
    if (stores.has('outbox')) this.#checkOutbox(device, this.rowsOf(device));
  }

  /** Neither facts nor versions go back in what a device knows of the server. */
  #checkMirror(device: CastingDevice, records: readonly MirrorRecord<Facts>[]): void {
    const before = this.#mirrors.get(device);
    const now = new Map(records.filter(isRequest).map((record) => [`${record.type} ${record.id}`, record]));
    this.#mirrors.set(device, now);
    for (const [name, { body, version }] of now) {
      const known = before?.get(name);
      if (known === undefined || known.body === body) continue;
      const back = findStepBack(known.body, body);
      if (back !== null) this.#break('facts stay', `${device.name} shows that of ${name} ${back}`);
      if ((version ?? 0) < (known.version ?? 0)) this.#break('facts stay', `${device.name} has an older ${name}`);
    }
  }

  #checkOutbox(device: CastingDevice, rows: readonly OutboxRow[]): void {
    this.violation ??= this.intents.findLost(device, rows);
    const now = new Map(rows.map((row) => [row.op, row]));
    for (const row of this.#rows.get(device)?.values() ?? []) {
      const after = now.get(row.op);
      if (after?.state === 'attention' && row.state !== 'attention') this.#checkReason(after);
      if (after === undefined && row.state === 'sending') this.#checkAcknowledged(device, row);
    }
    this.#rows.set(device, now);
  }

  #checkReason(row: OutboxRow): void {
    const { kind, type, reason, lastError, patch } = row;
    const what = `${kind} ${type} ${String(patch.act ?? '')}`;
    this.hit(`needs attention: ${what} ${String(reason)}`);
    // Of what belongs to something that is gone, the screen says just that.
    if (reason === undefined || (reason !== 'gone' && !lastError?.message))
      this.#break('4 visible or moving', `${what} needs attention without a reason`);
    const words = patch.act === 'mark' ? findOperation(row)?.getText?.(row) : undefined;
    if (words !== undefined && markersIn(words).length === 0)
      this.#break('4 visible or moving', `the words of ${what} cannot be copied`);
    if (reason === 'failed') this.reportError(new Error(lastError?.message), `${what} that failed`);
  }

  /** What the server did is in the mirror as soon as the change that asked for it is gone. */
  #checkAcknowledged(device: CastingDevice, row: OutboxRow): void {
    if (!hasEffect(row, 'act')) return;
    const { store } = this.server;
    const [marker = 0] = markersIn(row.patch.fields);
    const done = store.acts.find(({ markers }) => markers.includes(marker));
    if (done === undefined) return;
    const records = device.disk.rows<MirrorRecord<Facts>>(device.dbName(this.userOf(device)), 'records');
    const find = (type: string, id: string) => records.find((one) => one.type === type && one.id === id)?.body;
    const missing = (what: string) =>
      this.#break('8 atomic ack', `${device.name} has no ${what} after ${done.act} ${done.id} ${markerOf(marker)}`);
    if (done.act === 'set') {
      if (find('availability', toDayId(done.id)) === undefined) missing('day');
      return;
    }
    if (done.act === 'cast') {
      for (const request of store.rowsOf('request', done.id)) {
        const said = (request.body['answers'] as Answer[]).some(({ text }) => markersIn(text).includes(marker));
        const known = find('request', request.id);
        if (said && !known?.answers.some(({ text }) => markersIn(text).includes(marker)))
          missing(`answer of ${request.id}`);
      }
      return;
    }
    const facts = find(done.type === 'request' && row.type === 'audition' ? 'audition' : done.type, done.id);
    // The performer was blocked meanwhile, or the colleague removed.
    if (facts === undefined || done.type === 'project_member') return;
    if (done.act === 'mark') {
      const marks = device.disk.rows<MirrorRecord>(device.dbName(this.userOf(device)), 'records');
      const own = marks.filter(({ type, parent }) => type === 'mark' && parent === done.id);
      if (!own.some(({ body }) => markersIn(body).includes(marker))) missing('mark');
      return;
    }
    const isThere: Record<string, boolean> = {
      seen: facts.seen_at !== null || facts.withdrawn_at !== null,
      confirm: facts.confirmed_at !== null,
      decline: facts.declined_at !== null,
      answer: facts.answers.some(({ text }) => markersIn(text).includes(marker)),
      withdraw: facts.withdrawn_at !== null,
    };
    if (isThere[done.act] === false)
      missing(`fact, but is ${getRequestState({ ...NOT_WATCHED, asked_at: '', ...facts })},`);
  }

  /** The browser deletes what a device has stored. */
  evict(device: CastingDevice): void {
    for (const run of device.alive()) run.crash();
    this.intents.take(device);
    this.#mirrors.delete(device);
    this.#rows.delete(device);
    device.disk.remove(device.dbName(this.userOf(device)), []);
  }

  /** One of them blocks the other: the performer loses the requests, and the sender no longer learns whom they asked. */
  block(userId: string): void {
    const { store } = this.server;
    for (const row of store.rows.values()) {
      if (row.type !== 'request' || row.body['performer_id'] !== userId) continue;
      for (const tape of store.rowsOf('tape', row.id)) {
        for (const mark of store.rowsOf('mark', tape.id)) store.remove(mark, 'web');
        store.remove(tape, 'web');
      }
      store.change(row, { performer_id: null, profile_id: null }, 'web');
      store.recordChange(userId, 'audition', row.id, null);
    }
  }

  /** The project that is there from the beginning, with its tapes. */
  #firstProject(): StoredRow | undefined {
    return [...this.server.store.rows.values()].find(({ type }) => type === 'project');
  }

  /** A tape for every request that is there by now. */
  addTapes(): void {
    const { store } = this.server;
    const body = { number: 1, state: 'arrived', takes: [], note: null, arrived_at: '2026-02-01T10:00:00.000Z' };
    for (const { id, type, body: request } of [...store.rows.values()]) {
      if (type !== 'request') continue;
      const userId = String(request['performer_id']);
      const tape = { type: 'tape', id: store.newId(), userId, profileId: id, body: { ...body }, clientId: null };
      store.insert(tape, 'web');
    }
  }

  /** Lets the colleague into the first project. */
  addColleague(): void {
    const { store } = this.server;
    const project = this.#firstProject();
    if (!project || store.rowsOf('project_member', project.id).length > 0) return;
    const body = { role: 'rate', state: 'active' };
    const about = { userId: COLLEAGUE, profileId: project.id, clientId: null };
    store.insert({ ...about, type: 'project_member', id: store.newId(), body }, 'web');
    this.#recordForColleague(project);
  }

  /** Removes the colleague, whose devices may have rows that wait. */
  removeColleague(): void {
    const { store } = this.server;
    const project = this.#firstProject();
    const [member] = project ? store.rowsOf('project_member', project.id) : [];
    if (!project || !member) return;
    store.remove(member, 'web');
    this.#recordForColleague(project);
    const device = this.devices.find((each) => this.userOf(each) === COLLEAGUE);
    if (device && this.rowsOf(device).length > 0) this.hit('removed while something waits');
  }

  #recordForColleague({ id: projectId }: StoredRow): void {
    const { store } = this.server;
    for (const { type, id, profileId } of listProjectRows(store, projectId))
      store.recordChange(COLLEAGUE, type, id, type === 'project' ? null : profileId);
    this.#tell(COLLEAGUE);
  }

  watch(work: Promise<unknown>, what: string): void {
    work.catch((error: unknown) => this.reportError(error, what));
  }

  reportError(error: unknown, what: string): void {
    if (error instanceof Violation) this.violation ??= error;
    else this.#break('engine threw', `in ${what}: ${String((error as Error).stack ?? error)}`);
  }
}
