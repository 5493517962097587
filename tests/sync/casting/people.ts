import type { ActName } from '#contract/casting/acts.ts';
import { ANSWER_KINDS, type AnswerKind } from '#contract/casting/state.ts';
import { GRADES } from '#contract/records/tapes.ts';
import { isWaiting } from '#db/casting-acts.ts';
import { readRole, type RoleView } from '#db/casting-role.ts';
import { type CastingItem, listAuditions, listProjects, readCasting, readProject } from '#db/casting.ts';
import { listLinks } from '#db/casting-links.ts';
import type { OutboxRow } from '#db/rows.ts';
import { isCalledBack } from '#features/casting/request/callbacks.ts';
import type { Act } from '#sync/queue/acts.ts';
import { markerOf, markersIn } from '../simulation/markers.ts';
import type { Prng } from '../simulation/prng.ts';
import { epoch } from '../simulation/scheduler.ts';
import { Violation } from '../simulation/invariants/violation.ts';
import { addCards, changeCard, changeSomeColumn } from './cards.ts';
import { setSomeDays } from './days.ts';
import { sendSomeTape, storeFile } from './files.ts';
import { type CastingIntent, type CastingRecord, getServerId } from './intents.ts';
import type { ColleagueAct, OwnerAct, PerformerAct } from './plan.ts';
import { type CastingDevice, type CastingRun, type CastingSimulation, COLLEAGUE } from './simulation.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Acts carry this name, since a title is shown and not sent. */
const TITLE = 'A request';

/** Fields in which a correction puts its text. */
const TEXT_FIELDS: Record<string, string> = { project: 'title', role: 'name', request: 'instructions', link: 'name' };

/** What people do in these plans with the words of their own, beside the columns of a shortlist. */
type PlayedAct = Exclude<ActName<'role' | 'request' | 'audition' | 'link' | 'project_member'>, 'columns'> | 'mark';

/** What the people of a simulation do on the screens of their devices. */
export class People {
  readonly #simulation: CastingSimulation;

  constructor(simulation: CastingSimulation) {
    this.#simulation = simulation;
  }

  /** Does something through the app and notes what became of it. */
  async #do<T>(
    run: CastingRun,
    about: Partial<CastingIntent> & Pick<CastingIntent, 'kind' | 'type' | 'target'>,
    call: (text: (word: string) => string) => Promise<T>,
  ): Promise<T> {
    const intent = this.#simulation.intents.begin({ device: run.device, ...about });
    this.#simulation.note(
      `${run.device.name}: ${about.kind} ${about.type} ${about.target ?? ''} ${markerOf(intent.marker)}`,
    );
    const result = await call((word) => `${word} ${markerOf(intent.marker)}`);
    intent.state = 'accepted';
    const isCreated = about.kind === 'create' && typeof result === 'object' && result !== null && 'id' in result;
    if (isCreated) intent.target = String(result.id);
    return result;
  }

  async #act(
    run: CastingRun,
    what: { type: 'audition' | 'request' | 'role' | 'tape' | 'link' | 'project_member'; id: string; act: PlayedAct },
    more: object,
  ) {
    const { type, id, act } = what;
    const { op } = await this.#do<{ op: string | null }>(run, { kind: act, type, target: id }, (text) => {
      const fields = Object.fromEntries(
        Object.entries(more).map(([field, value]) => [field, value === MARKED ? text(act) : value]),
      );
      return run.engine.act({ type, id, act, fields, title: TITLE } as Act);
    });
    if (op !== null) return;
    const { intents, sentClientIds } = this.#simulation;
    const clientId = id.slice(2);
    const made = intents.all.find(({ kind, target }) => kind === 'create' && target === id);
    if (sentClientIds.has(clientId) && !intents.refused.has(made?.marker ?? 0))
      throw new Violation('1 nothing lost', `${id} was removed, although the server may have it`);
    intents.undo(run.device, id);
    this.#simulation.hit('withdrawn before it was sent');
  }

  async #update(run: CastingRun, item: CastingItem, above: readonly string[], fields: (text: string) => object) {
    const type = item.type as CastingRecord;
    const names = Object.keys(fields(''));
    await this.#do(run, { kind: 'edit', type, target: item.id, above, fields: names }, (text) =>
      run.engine.update(type, item.id, { ...fields(text('Changed')) }),
    );
  }

  /** One of the projects on the screen; mostly an open one. */
  async #pickProject({ db }: CastingRun, prng: Prng): Promise<CastingItem<'project'> | null> {
    const all = await listProjects(db);
    const open = all.filter(({ body }) => body.status === 'open');
    const choice = open.length > 0 && prng.chance(0.85) ? open : all;
    return choice.length === 0 ? null : prng.pick(choice);
  }

  async #pickRole(run: CastingRun, prng: Prng, isOpen = false): Promise<RoleView | null> {
    const project = await this.#pickProject(run, prng);
    const roles = project ? ((await readProject(run.db, project.id))?.roles ?? []) : [];
    const open = roles.filter(({ role }) => role.body.status === 'open');
    const choice = open.length > 0 && (isOpen || prng.chance(0.7)) ? open : roles;
    return choice.length === 0 ? null : readRole(run.db, prng.pick(choice).role.id);
  }

  /** @returns the ids of the requests; null for one that this device did not store or has sent already */
  async #ask(
    run: CastingRun,
    view: RoleView,
    profiles: readonly string[],
    prng: Prng,
    round: object = {},
  ): Promise<(string | null)[]> {
    const { role, project } = view;
    const above = [project.id, role.id];
    const { intents, scheduler } = this.#simulation;
    const asked = profiles.map((profile_id) => {
      const fields = ['instructions', 'deadline_at'];
      const intent = intents.begin({
        device: run.device,
        kind: 'create',
        type: 'request',
        target: null,
        above,
        fields,
      });
      return { intent, terms: createTerms(profile_id, `Tape ${markerOf(intent.marker)}`, prng, scheduler.now) };
    });
    this.#simulation.note(`${run.device.name}: ask ${profiles.join(', ')} for ${role.id}`);
    const files = prng.chance(0.25) ? [await storeFile(this.#simulation, run, prng, 'document')] : [];
    const sides = files.map((upload_id) => ({ upload_id, name: 'Scene 14' }));
    const before = countRequests(this.#simulation.rowsOf(run.device));
    await run.engine.createAll(
      'request',
      role.id,
      asked.map(({ terms }) => ({ ...terms, ...round, ...(sides.length > 0 && { sides }) })),
      files,
    );
    const rows = this.#simulation.rowsOf(run.device);
    for (const { intent } of asked) {
      intent.state = 'accepted';
      intent.target =
        rows.find(({ kind, patch }) => kind === 'create' && markersIn(patch).includes(intent.marker))?.target ?? null;
    }
    if (countRequests(rows) > before && asked.some(({ intent }) => intent.target === null))
      throw new Violation('1 nothing lost', 'only some of the requests to several people were stored');
    return asked.map(({ intent }) => intent.target);
  }

  async asOwner(kind: OwnerAct, run: CastingRun, prng: Prng): Promise<void> {
    const { engine, device } = run;
    switch (kind) {
      case 'project': {
        const fields = { type: 'film', time_zone: 'Asia/Kolkata', rule_pack: 'plain-courtesy' };
        const made = await this.#do(run, { kind: 'create', type: 'project', target: null, fields: ['title'] }, (text) =>
          engine.create('project', null, { ...fields, title: text('Film') }),
        );
        // Everything may be written down at once, before anything of it has left.
        if (prng.chance(0.5)) await this.#addRole(run, made.id);
        return;
      }
      case 'role': {
        const project = await this.#pickProject(run, prng);
        if (!project) return;
        const role = await this.#addRole(run, project.id);
        const view = prng.chance(0.4) ? await readRole(run.db, role) : null;
        if (view) await this.#ask(run, view, [prng.pick(this.#simulation.profiles).id], prng);
        return;
      }
      case 'ask':
      case 'ask several':
      case 'ask twice': {
        const view = await this.#pickRole(run, prng, true);
        if (!view || (view.role.body.status !== 'open' && prng.chance(0.8))) return;
        const again = view.requests.filter(isCalledBack);
        if (again.length > 0 && prng.chance(0.5)) {
          const { body, serverId } = prng.pick(again);
          const round = { round: 'callback', previous_id: serverId };
          await this.#ask(run, view, [body.performer!.profile_id], prng, round);
          this.#simulation.hit(`callback on ${device.name}`);
          return;
        }
        const asked = new Set(
          view.requests.flatMap(({ body }) =>
            body.withdrawn_at === null ? [body.performer?.profile_id ?? (body.profile_id as string | undefined)] : [],
          ),
        );
        const free = this.#simulation.profiles.filter(({ id }) => kind === 'ask twice' || !asked.has(id));
        if (free.length === 0) return;
        const chosen = (kind === 'ask several' ? free : [prng.pick(free)]).map(({ id }) => id);
        const [made] = await this.#ask(run, view, chosen, prng);
        // Some think again at once.
        if (made != null && prng.chance(0.2))
          await this.#act(run, { type: 'request', id: made, act: 'withdraw' }, { text: MARKED });
        return;
      }
      case 'edit project': {
        const item = await this.#pickProject(run, prng);
        const field = prng.chance(0.5) ? 'title' : 'synopsis';
        if (item) await this.#update(run, item, [], (text) => ({ [field]: text }));
        return;
      }
      case 'edit role': {
        const view = await this.#pickRole(run, prng);
        const field = prng.pick(['name', 'description', 'pay']);
        if (view) await this.#update(run, view.role, [view.project.id], (text) => ({ [field]: text }));
        return;
      }
      case 'change request': {
        const view = await this.#pickRole(run, prng);
        if (!view || view.requests.length === 0) return;
        const item = prng.pick(view.requests);
        const deadline_at = new Date(Date.parse(item.body.deadline_at) + (1 + prng.int(48)) * HOUR_MS).toISOString();
        const isLater = prng.chance(0.6);
        await this.#update(run, item, [view.project.id, view.role.id], (text) => ({
          instructions: text,
          ...(isLater && { deadline_at }),
        }));
        return;
      }
      case 'close':
      case 'open again': {
        const view = await this.#pickRole(run, prng);
        if (!view) return;
        const item = prng.chance(0.3) ? view.project : view.role;
        const status = kind === 'close' ? 'closed' : 'open';
        if (item.body.status === status) return;
        this.#simulation.intents.keep(device, item.id);
        await engine.update(item.type, item.id, { status });
        return;
      }
      case 'delete project':
      case 'delete role': {
        const view = await this.#pickRole(run, prng);
        // The screens offer it only while nobody was asked.
        if (!view || (view.requests.length > 0 && prng.chance(0.7))) return;
        const { id, type } = kind === 'delete project' ? view.project : view.role;
        const above = kind === 'delete project' ? [] : [view.project.id];
        await this.#do(run, { kind: 'delete', type: type as CastingRecord, target: id, above }, () =>
          engine.remove(type, id),
        );
        return;
      }
      case 'withdraw': {
        const view = await this.#pickRole(run, prng);
        const all = (view?.requests ?? []).filter(({ body }) => body.withdrawn_at === null);
        const unsent = all.filter(({ serverId }) => serverId === null);
        const choice = unsent.length > 0 && prng.chance(0.5) ? unsent : all;
        if (choice.length > 0)
          await this.#act(run, { type: 'request', id: prng.pick(choice).id, act: 'withdraw' }, { text: MARKED });
        return;
      }
      case 'answer': {
        const view = await this.#pickRole(run, prng);
        const all = (view?.requests ?? []).filter(({ body }) => body.withdrawn_at === null);
        if (all.length === 0) return;
        const answer = prng.pick(Object.keys(ANSWER_KINDS) as AnswerKind[]);
        await this.#act(run, { type: 'request', id: prng.pick(all).id, act: 'answer' }, { kind: answer, text: MARKED });
        return;
      }
      case 'cast': {
        const view = await this.#pickRole(run, prng, true);
        if (!view || (view.role.body.status === 'cast' && prng.chance(0.7))) return;
        const waiting = view.requests.filter(({ serverId, body }) => serverId !== null && isWaiting(body));
        const chosen = waiting.filter(() => prng.chance(0.4));
        const fields = { request_ids: chosen.map(({ serverId }) => serverId), cast_text: MARKED, text: MARKED };
        await this.#act(run, { type: 'role', id: view.role.id, act: 'cast' }, fields);
        this.#simulation.hit(`cast on ${device.name} of ${waiting.length > 0 ? 'people who wait' : 'nobody'}`);
        return;
      }
      case 'shortlist':
      case 'change columns':
      case 'move card':
      case 'remove card': {
        const view = await this.#pickRole(run, prng, true);
        if (!view) return;
        if (kind === 'shortlist') return addCards(this.#simulation, run, view, prng);
        if (kind === 'change columns') return changeSomeColumn(this.#simulation, run, view, prng);
        return changeCard(this.#simulation, run, view, { prng, isRemoved: kind === 'remove card' });
      }
      case 'link':
      case 'change link':
      case 'revoke link':
        return this.#shareTapes(kind, run, prng);
      case 'invite':
      case 'remove member': {
        const project = await this.#pickProject(run, prng);
        if (!project) return;
        const { members } = (await readProject(run.db, project.id))!;
        if (kind === 'remove member') {
          if (members.length > 0) await engine.remove('project_member', prng.pick(members).id);
          return;
        }
        const fields = { user_id: COLLEAGUE, role: 'rate', name: 'Colleague', profile_photo: null };
        if (members.length === 0) await engine.create('project_member', project.id, fields);
        return;
      }
    }
  }

  /** Makes a link to the tapes of a role, changes what it is called, or revokes it. */
  async #shareTapes(kind: 'link' | 'change link' | 'revoke link', run: CastingRun, prng: Prng): Promise<void> {
    const view = await this.#pickRole(run, prng, true);
    if (!view) return;
    const { role, project } = view;
    if (kind === 'link') {
      const expires_at = new Date(epoch + Math.floor(this.#simulation.scheduler.now) + 7 * DAY_MS).toISOString();
      const token_hash = Array.from({ length: 64 }, () => prng.int(16).toString(16)).join('');
      const fields = { tape_ids: null, expires_at, token_hash, code_hash: null, watermark: 'Producer' };
      const about = { type: 'link', target: null, above: [project.id, role.id], fields: ['name'] } as const;
      await this.#do(run, { kind: 'create', ...about }, (text) =>
        run.engine.create('link', role.id, { ...fields, name: text('Producer') }),
      );
      return;
    }
    const links = (await listLinks(run.db, role.id)).filter(({ body }) => body.revoked_at === null);
    if (links.length === 0) return;
    const link = prng.pick(links);
    if (kind === 'change link') return this.#update(run, link, [project.id, role.id], (text) => ({ name: text }));
    await this.#act(run, { type: 'link', id: link.id, act: 'revoke' }, { mark: MARKED });
  }

  async #addRole(run: CastingRun, project: string): Promise<string> {
    const { id } = await this.#do(
      run,
      { kind: 'create', type: 'role', target: null, above: [project], fields: ['name'] },
      (text) => run.engine.create('role', project, { name: text('Role') }),
    );
    return id;
  }

  async asPerformer(kind: PerformerAct, run: CastingRun, prng: Prng): Promise<void> {
    if (kind === 'days') return setSomeDays(this.#simulation, run, prng);
    if (kind === 'tape') return sendSomeTape(this.#simulation, run, prng);
    const items = await listAuditions(run.db);
    if (items.length === 0) return;
    const { id, body } = prng.pick(items);
    let said = 0;
    const say = (act: 'seen' | 'confirm' | 'decline') => {
      // Nobody says two things within the same millisecond.
      said = Math.max(said + 1, this.#simulation.timeOn(run.device));
      const at = new Date(said).toISOString();
      // The server reads the time and the words. The mark is for the simulation, which has to recognize a yes without words.
      const words = act === 'decline' ? { text: MARKED } : { mark: MARKED };
      return this.#act(run, { type: 'audition', id, act }, { at, ...words });
    };
    switch (kind) {
      case 'see':
        if (body.seen_at === null) await say('seen');
        return;
      case 'confirm':
      case 'decline':
        return say(kind);
      case 'question':
      case 'several questions':
        for (let times = kind === 'question' ? 1 : 2 + prng.int(3); times > 0; times -= 1)
          await this.#do(run, { kind: 'ask', type: 'audition', target: id }, (text) =>
            run.engine.askQuestion({ auditionId: id, userId: body.casting.user_id, name: 'Owner', text: text('Why?') }),
          );
        return;
      case 'yes and no':
        for (let times = 2 + prng.int(2); times > 0; times -= 1) await say(times % 2 === 0 ? 'confirm' : 'decline');
        return;
    }
  }

  /** Grades a tape and writes a note, as somebody who does not own the project, or answers an invitation. */
  async asColleague(kind: ColleagueAct, run: CastingRun, prng: Prng): Promise<void> {
    if (kind === 'reply' || kind === 'leave') {
      const { invitations, projects } = await readCasting(run.db);
      const places = kind === 'reply' ? invitations : projects.flatMap(({ place }) => place ?? []);
      if (places.length === 0) return;
      const act = kind === 'leave' ? 'leave' : prng.chance(0.7) ? 'join' : 'refuse';
      return this.#act(run, { type: 'project_member', id: prng.pick(places).id, act }, { mark: MARKED });
    }
    const view = await this.#pickRole(run, prng);
    const tapes = (view?.requests ?? []).flatMap(({ tape }) => tape ?? []);
    if (tapes.length === 0) return;
    const { id } = prng.pick(tapes);
    for (let times = kind === 'rate' ? 1 : 3; times > 0; times -= 1)
      await this.#act(run, { type: 'tape', id, act: 'mark' }, { grade: prng.pick(GRADES), text: MARKED });
  }

  /** Deals with a change that needs attention. */
  async resolve(device: CastingDevice, run: CastingRun, prng: Prng): Promise<void> {
    const rows = this.#simulation.rowsOf(device);
    const stuck = rows.filter(({ state }) => state === 'attention');
    if (stuck.length === 0) return;
    const row = prng.pick(stuck);
    this.#simulation.note(`${device.name}: deals with ${row.kind} ${row.type} (${String(row.reason)})`);
    if (row.reason === 'conflict') return this.#choose(run, row, prng);
    const field = TEXT_FIELDS[row.type];
    const isForm = row.kind === 'create' || row.kind === 'update';
    if (isForm && field !== undefined && row.reason === 'invalid' && prng.chance(0.4)) {
      const { op, type, target: id } = row;
      const about = { kind: 'edit', type: type as CastingRecord, target: id, fields: [field] } as const;
      await this.#do(run, about, (text) => run.engine.retryWithEdits({ op, type, id }, { [field]: text('Better') }));
      return;
    }
    // The record may be edited while a refused act of it waits.
    if (row.kind === 'act' && field !== undefined && prng.chance(0.4)) {
      const type = row.type as CastingRecord;
      const { intents } = this.#simulation;
      const above = intents.all.find(({ kind, target }) => kind === 'create' && target === row.target)?.above ?? [];
      await this.#do(run, { kind: 'edit', type, target: row.target, above, fields: [field] }, (text) =>
        run.engine.update(type, row.target, { [field]: text('Meanwhile') }),
      );
    }
    // The screen does not offer to send again what has lost its record.
    if (row.reason !== 'gone' && prng.chance(0.5)) return run.engine.sendAgain(row.op);
    await this.#giveUp(device, row, () => run.engine.discard(row.op));
  }

  async #choose(run: CastingRun, row: OutboxRow, prng: Prng): Promise<void> {
    const choice = prng.pick(['mine', 'theirs'] as const);
    const fields = row.kind === 'delete' ? ['status'] : Object.keys(row.patch);
    const choose = () => run.engine.resolveConflict(row.op, Object.fromEntries(fields.map((field) => [field, choice])));
    return choice === 'mine' ? choose() : this.#giveUp(run.device, row, choose);
  }

  /** Discards a change with everything that cannot be without it. */
  async #giveUp(device: CastingDevice, row: OutboxRow, discard: () => Promise<void>): Promise<void> {
    const { intents } = this.#simulation;
    const rows = this.#simulation.rowsOf(device);
    const falling = new Set([row, ...(row.kind === 'create' ? rows.filter(({ lane }) => lane === row.lane) : [])]);
    intents.discard([...falling]);
    const isOfFiles = ({ kind, type }: OutboxRow) =>
      type === 'upload' || (type === 'tape' && kind === 'act') || type === 'candidate';
    if ([...falling].some(isOfFiles)) this.#simulation.abandoned.add(device);
    await discard();
    intents.restore(device, this.#simulation.rowsOf(device));
  }
}

/** Stands for the text with the marker of the act. */
const MARKED = Symbol('marked');

const countRequests = (rows: readonly OutboxRow[]) =>
  rows.filter(({ kind, type }) => kind === 'create' && type === 'request').length;

/** The id that the server has for the record of an intent; null if it never arrived. */
export const serverIdOf = ({ device, target }: CastingIntent): string | null => getServerId(device, target);

/** What a form for requests stores. @param now virtual milliseconds */
export function createTerms(profile_id: string, instructions: string, prng: Prng, now: number) {
  return {
    profile_id,
    performer_name: 'Somebody',
    card: { profile_id, name: 'Somebody', title: null, profile_photo: null },
    round: 'first',
    instructions,
    sides_text: null,
    takes: 2,
    slate: false,
    full_length: false,
    shot: 'medium',
    max_minutes: 5,
    max_height: null,
    deadline_at: new Date(epoch + Math.floor(now) + (5 + prng.int(5)) * DAY_MS).toISOString(),
    naming: null,
    memorize: false,
    live_option: null,
    waivers: [],
  };
}
