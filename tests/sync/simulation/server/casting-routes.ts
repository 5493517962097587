import { AUDITION_CALLS, CASTING_CALLS } from '#contract/casting-calls.ts';
import { PROJECT_FORM } from '#contract/casting/project.ts';
import { ROLE_FORM } from '#contract/casting/role.ts';
import { type AnswerKind, FINAL_ANSWERS, findReplaced, isDeclined } from '#contract/casting/state.ts';
import {
  type Answer,
  answerBody,
  type AskBody,
  askBody,
  type AuditionRequest,
  type Sides,
  castBody,
  changeRequestBody,
  confirmBody,
  declineBody,
  openOrClosed,
  questionBody,
  seenBody,
  withdrawBody,
} from '#contract/records/casting.ts';
import { toErrorMap } from '#contract/schema.ts';
import type { Endpoint } from '#contract/section.ts';
import { epoch } from '../scheduler.ts';
import { addMessage, FakeChat } from './chat-routes.ts';
import { colleagueRoutes, readsRecord } from './colleague-routes.ts';
import type { Body, StoredRow } from './fake-store.ts';
import type { Call, Routes } from './routes.ts';
import { linkRoutes } from './link-routes.ts';
import { shortlistRoutes } from './shortlist-routes.ts';
import { tapeRoutes } from './tape-routes.ts';
import { markersOf, ok, Refused, type ServerAnswer } from './wire.ts';

const PROJECT_FIELDS = [...Object.keys(PROJECT_FORM.fields), 'status'];
const ROLE_FIELDS = [...Object.keys(ROLE_FORM.fields), 'status'];

/** What a performer reads of a project and of a role. */
const SHOWN_OF_PROJECT = ['title', 'type', 'company', 'synopsis', 'shoot_from', 'shoot_to'];
const SHOWN_OF_ROLE = ['name', 'description', 'age_min', 'age_max', 'skills', 'location', 'pay', 'status'];

const NOTHING_YET = {
  seen_at: null,
  confirmed_at: null,
  declined_at: null,
  decline_text: null,
  answers: [],
  answered_at: null,
  withdrawn_at: null,
  withdraw_text: null,
  announced_at: null,
  arrived_at: null,
};

const pick = (from: Body, fields: readonly string[]): Body =>
  Object.fromEntries(fields.filter((field) => field in from).map((field) => [field, from[field]]));

/** What a stored request says as both sides read it. */
export const factsOf = ({ body }: Pick<StoredRow, 'body'>): AuditionRequest => body as AuditionRequest;

interface Schema<T> {
  safeParse(
    value: unknown,
  ): { success: true; data: T } | { success: false; error: { issues: Parameters<typeof toErrorMap>[0] } };
}

/** Reads a body as the contract defines it, without what it does not know. */
function parse<T>(schema: Schema<T>, { json }: Call): T {
  const read = schema.safeParse(json);
  if (!read.success) throw new Refused(422, 'Check', toErrorMap(read.error.issues));
  return read.data;
}

/** Projects, roles, requests and auditions, by the rules of the contract. */
export function castingRoutes(routes: Routes): void {
  const { store } = routes;
  const add = (endpoint: Endpoint, run: (call: Call, id: string) => ServerAnswer) =>
    routes.add(endpoint.method, endpoint.path, (call, id) => run(call, id ?? ''), { isExtension: true });
  const now = () => epoch + Math.floor(store.now());
  const stamp = () => new Date(now()).toISOString();

  const kept = (row: StoredRow) => ({
    id: row.id,
    client_id: row.clientId,
    version: row.version,
    created_at: new Date(epoch + row.created).toISOString(),
  });
  const personOf = (userId: string) => ({
    user_id: userId,
    name: store.users.get(userId)?.name ?? '',
    title: null,
    profile_photo: null,
    slug: null,
    profile_type: null,
    verified: null,
  });
  const part = (row: StoredRow, fields: readonly string[]) => ({
    id: row.id,
    ...Object.fromEntries(fields.map((field) => [field, row.body[field] ?? null])),
  });

  function presentProject(row: StoredRow): Body {
    return { ...Object.fromEntries(PROJECT_FIELDS.map((field) => [field, null])), ...kept(row), ...row.body };
  }
  function presentRole(row: StoredRow): Body {
    const none = Object.fromEntries(ROLE_FIELDS.map((field) => [field, null]));
    return { ...none, ...kept(row), project_id: row.profileId, ...row.body };
  }
  function presentRequest(row: StoredRow): Body {
    const { performer_id: userId, profile_id, ...body } = row.body;
    const performer = userId === null ? null : { ...personOf(String(userId)), profile_id };
    return { ...kept(row), role_id: row.profileId, performer, ...body };
  }
  function presentAudition(row: StoredRow): Body {
    const { performer_id: _performer, ...body } = row.body;
    const { client_id: _client, ...own } = kept(row);
    const role = store.row('role', row.profileId)!;
    const project = store.row('project', role.profileId)!;
    return {
      ...own,
      ...body,
      casting: personOf(row.userId),
      project: part(project, SHOWN_OF_PROJECT),
      role: part(role, SHOWN_OF_ROLE),
    };
  }
  const PRESENT: Record<string, (row: StoredRow) => Body> = {
    project: presentProject,
    role: presentRole,
    request: presentRequest,
  };
  for (const [type, present] of Object.entries(PRESENT)) {
    store.presenters.set(type, (id, userId) => {
      const row = store.row(type, id);
      if (row === undefined || !readsRecord(store, row, userId)) return null;
      return type === 'project' && row.userId !== userId ? { ...present(row), my_role: 'rate' } : present(row);
    });
  }
  colleagueRoutes(routes);
  shortlistRoutes(routes);
  linkRoutes(routes);
  store.presenters.set('audition', (id, userId) => {
    const row = store.row('request', id);
    return row?.body['performer_id'] === userId ? presentAudition(row) : null;
  });

  const present = (row: StoredRow) => PRESENT[row.type]!(row);
  const own = (call: Call, type: string, id: unknown) => {
    const row = store.row(type, String(id));
    if (row?.userId !== call.userId) throw new Refused(404, `No such ${type}`);
    return row;
  };
  const requestsOf = (roleId: string) => store.rowsOf('request', roleId);
  const refuse = (row: StoredRow, message: string) => ok({ message, data: present(row) }, 409);
  const isOutdated = ({ request }: Call, { version }: StoredRow) => {
    const match = request.headers['if-match'];
    return match !== undefined && match !== `"${version}"`;
  };
  const toOutdated = (row: StoredRow) => ok({ message: 'Changed meanwhile', data: present(row) }, 412);

  const tellPerformer = (row: StoredRow) => {
    const { performer_id: performer } = row.body;
    if (performer !== null) store.recordChange(String(performer), 'audition', row.id, null);
  };
  /** Writes a record, and tells everybody who reads parts of it. The version of an audition is that of its request alone. */
  const change = (row: StoredRow, patch: Body, device: string) => {
    store.change(row, { ...patch, updated_at: stamp() }, device);
    const roles = row.type === 'project' ? store.rowsOf('role', row.id) : row.type === 'role' ? [row] : [];
    for (const request of row.type === 'request' ? [row] : roles.flatMap(({ id }) => requestsOf(id)))
      tellPerformer(request);
  };

  tapeRoutes(routes, change);

  const create = (call: Call, type: string, parent: string, body: Body): ServerAnswer => {
    const id = store.newId();
    const row = store.insert(
      {
        type,
        id,
        userId: call.userId,
        profileId: parent === '' ? id : parent,
        body: { ...body, updated_at: stamp() },
        clientId: routes.clientIdOf(call),
      },
      call.device,
    );
    if (type === 'request') tellPerformer(row);
    return ok({ message: 'Saved', data: present(row) }, 201);
  };
  /** A repeated client id makes nothing new, whatever has changed since. */
  const findKnown = (call: Call, type: string): ServerAnswer | null => {
    const known = routes.findByClientId(call, type);
    return known ? ok({ message: 'Already there', data: present(known) }) : null;
  };

  add(CASTING_CALLS.createProject, (call) => {
    const known = findKnown(call, 'project');
    return known ?? create(call, 'project', '', { status: 'open', ...pick(call.json, PROJECT_FIELDS) });
  });
  add(CASTING_CALLS.createRole, (call) => {
    const known = findKnown(call, 'role');
    if (known) return known;
    const { id } = own(call, 'project', call.json['project_id']);
    return create(call, 'role', id, { status: 'open', ...pick(call.json, ROLE_FIELDS) });
  });
  for (const [type, fields, update, remove] of [
    ['project', PROJECT_FIELDS, CASTING_CALLS.updateProject, CASTING_CALLS.deleteProject],
    ['role', ROLE_FIELDS, CASTING_CALLS.updateRole, CASTING_CALLS.deleteRole],
  ] as const) {
    add(update, (call, id) => {
      const row = own(call, type, id);
      if (isOutdated(call, row)) return toOutdated(row);
      if (!openOrClosed.safeParse(call.json['status']).success) throw new Refused(422, 'Check', { status: ['Choose'] });
      change(row, pick(call.json, fields), call.device);
      return ok({ message: 'Saved', data: present(row) });
    });
    add(remove, (call, id) => {
      const row = own(call, type, id);
      if (isOutdated(call, row)) return toOutdated(row);
      const roles = type === 'project' ? store.rowsOf('role', row.id) : [row];
      if (roles.some((role) => requestsOf(role.id).length > 0)) throw new Refused(422, 'People were asked for this');
      const members = type === 'project' ? store.rowsOf('project_member', row.id) : [];
      const below = roles.flatMap(({ id: of }) => [...store.rowsOf('candidate', of), ...store.rowsOf('link', of)]);
      for (const each of new Set([...below, ...roles, ...members, row])) store.remove(each, call.device);
      for (const { userId } of members) store.recordChange(userId, type, row.id, null);
      return ok({ message: 'Deleted' });
    });
  }

  /** PDFs by the upload that brought each. */
  const known = new Map<string, Sides>();
  /** Takes the PDFs that a request names. The first request that names an upload consumes it. */
  const takeSides = (call: Call, named: AskBody['sides']): Sides[] =>
    named.map(({ upload_id, name }) => {
      const key = `${call.userId} ${upload_id}`;
      const upload = store.uploads.get(upload_id);
      if (!known.has(key)) {
        if (upload?.userId !== call.userId || upload.bytes.length < upload.length)
          throw new Refused(422, 'Check', { upload_ids: ['This upload has expired. Add the file again'] });
        const id = store.newId();
        store.attached.push(upload);
        known.set(key, { id, name, pages: 1, size: upload.length, path: `/storage/sides-${id}.pdf` });
      }
      store.uploads.delete(upload_id);
      return { ...known.get(key)!, name };
    });

  add(CASTING_CALLS.ask, (call) => {
    const made = findKnown(call, 'request');
    if (made) return made;
    const body: AskBody = parse(askBody, call);
    const role = own(call, 'role', body.role_id);
    const profile = store.row('profile', body.profile_id);
    if (!profile) throw new Refused(404, 'No such profile');
    const project = own(call, 'project', role.profileId);
    if (role.body['status'] !== 'open' || project.body['status'] !== 'open') return refuse(role, 'Nobody can be asked');
    const earlier = requestsOf(role.id).find(
      ({ body: { performer_id, round, withdrawn_at } }) =>
        performer_id === profile.userId && round === body.round && withdrawn_at === null,
    );
    if (earlier) return refuse(earlier, 'You have asked this person already');
    if (Date.parse(body.deadline_at) <= now()) throw new Refused(422, 'Check', { deadline_at: ['Too late'] });
    const { role_id: _role, client_id: _client, waivers, sides, shoot_dates, ...terms } = body;
    return create(call, 'request', role.id, {
      previous_id: null,
      instructions: null,
      sides_text: null,
      max_height: null,
      naming: null,
      live_option: null,
      ...terms,
      ...(sides.length > 0 && { sides: takeSides(call, sides) }),
      ...(shoot_dates.length > 0 && { shoot_dates }),
      performer_id: profile.userId,
      time_zone: project.body['time_zone'],
      rules: { pack: project.body['rule_pack'], pack_version: 1, breaches: [], waivers },
      asked_at: stamp(),
      ...NOTHING_YET,
    });
  });
  add(CASTING_CALLS.changeRequest, (call, id) => {
    const row = own(call, 'request', id);
    if (isOutdated(call, row)) return toOutdated(row);
    if (row.body['withdrawn_at'] !== null) return refuse(row, 'This request was withdrawn');
    const patch = parse(changeRequestBody, call);
    const { deadline_at: before } = factsOf(row);
    if ((patch.deadline_at ?? before) < before)
      throw new Refused(422, 'Check', { deadline_at: ['The deadline can only move to a later time'] });
    change(row, patch, call.device);
    return ok({ message: 'Saved', data: present(row) });
  });

  /** Notes that somebody did something, which must happen once. */
  const done = (call: Call, act: string, row: StoredRow) => {
    const { userId, device, request } = call;
    store.acts.push({ act, type: row.type, id: row.id, userId, device, markers: markersOf(request) });
  };
  const addAnswer = (row: StoredRow, kind: AnswerKind, text: string | null | undefined, device: string) => {
    const { answers, answered_at } = factsOf(row);
    const answer: Answer = { kind, text: text ?? null, at: stamp() };
    change(row, { answers: [...answers, answer], answered_at: answered_at ?? stamp() }, device);
  };
  const isFinal = ({ answers }: AuditionRequest) => {
    const last = answers.at(-1);
    return last !== undefined && FINAL_ANSWERS.includes(last.kind);
  };

  /** The conversation of two people, which a question opens. */
  const chatBetween = (one: string, other: string): FakeChat => {
    const known = [...store.chats.values()].find(({ members }) => members.has(one) && members.has(other));
    const chat = known ?? new FakeChat(store.newId(), [one, other]);
    store.chats.set(chat.id, chat);
    return chat;
  };
  add(AUDITION_CALLS.ask, (call, id) => {
    const row = store.row('request', id);
    if (row?.body['performer_id'] !== call.userId) throw new Refused(404, 'No such audition');
    const { text, client_id: clientId } = parse(questionBody, call);
    const chat = chatBetween(call.userId, row.userId);
    const known = chat.messages.find((each) => each.client_id === clientId && each.sender_id === call.userId);
    if (known !== undefined) return ok({ message: 'Question sent', data: known });
    done(call, 'ask', row);
    const stored = addMessage(store, chat, call.userId, {
      message: text,
      client_id: clientId ?? null,
      audition_id: id,
    });
    return ok({ message: 'Question sent', data: stored }, 201);
  });

  add(CASTING_CALLS.answer, (call, id) => {
    const row = own(call, 'request', id);
    if (row.body['withdrawn_at'] !== null || row.body['performer_id'] === null)
      return refuse(row, 'This request was withdrawn');
    const { kind, text } = parse(answerBody, call);
    addAnswer(row, kind, text, call.device);
    done(call, 'answer', row);
    return ok({ message: 'Answer sent', data: present(row) });
  });
  add(CASTING_CALLS.withdraw, (call, id) => {
    const row = own(call, 'request', id);
    const { withdrawn_at, answers } = factsOf(row);
    if (withdrawn_at !== null || row.body['performer_id'] === null) return refuse(row, 'This request was withdrawn');
    if (answers.some(({ kind }) => kind === 'cast')) return refuse(row, 'This person was told that they are cast');
    change(row, { withdrawn_at: stamp(), withdraw_text: parse(withdrawBody, call).text ?? null }, call.device);
    done(call, 'withdraw', row);
    return ok({ message: 'Request withdrawn', data: present(row) });
  });
  add(CASTING_CALLS.castRole, (call, id) => {
    const role = own(call, 'role', id);
    if (role.body['status'] === 'cast') return refuse(role, 'This role is cast already');
    const all = requestsOf(role.id);
    const { request_ids: chosen, cast_text: won, text } = parse(castBody, call);
    const isAsking = (row: StoredRow) =>
      row.body['withdrawn_at'] === null && row.body['performer_id'] !== null && !isDeclined(factsOf(row));
    if (!chosen.every((one) => all.some((row) => row.id === one && isAsking(row))))
      throw new Refused(422, 'Check', { request_ids: ['One of these cannot get the role'] });
    change(role, { status: 'cast' }, call.device);
    const replaced = findReplaced(all.map(factsOf));
    const isLeft = (row: StoredRow) => isAsking(row) && !isFinal(factsOf(row)) && !replaced.has(row.id);
    const answered = all.filter((row) => chosen.includes(row.id) || isLeft(row));
    for (const row of answered) {
      const isChosen = chosen.includes(row.id);
      addAnswer(row, isChosen ? 'cast' : 'no_thank_you', isChosen ? won : text, call.device);
    }
    done(call, 'cast', role);
    return ok({ message: 'The role is cast', data: present(role), requests: answered.map(present) });
  });

  const ownAudition = (call: Call, id: string) => {
    const row = store.row('request', id);
    if (row?.body['performer_id'] !== call.userId) throw new Refused(404, 'No such audition');
    return row;
  };
  /** When the performer did it: by their device, if that is possible. */
  const timeOf = ({ at: said }: { at?: string | undefined }, row: StoredRow): number => {
    const at = Date.parse(said ?? '');
    return at >= Date.parse(String(row.body['asked_at'])) && at <= now() ? at : now();
  };
  const toText = (at: number) => new Date(at).toISOString();

  add(AUDITION_CALLS.seen, (call, id) => {
    const row = ownAudition(call, id);
    if (row.body['seen_at'] === null && row.body['withdrawn_at'] === null)
      change(row, { seen_at: toText(timeOf(parse(seenBody, call), row)) }, call.device);
    done(call, 'seen', row);
    return ok({ message: 'Seen', data: presentAudition(row) });
  });
  for (const what of ['confirm', 'decline'] as const) {
    add(AUDITION_CALLS[what], (call, id) => {
      const row = ownAudition(call, id);
      const facts = factsOf(row);
      const role = store.row('role', row.profileId)!;
      const isCast = facts.answers.at(-1)?.kind === 'cast';
      if (facts.withdrawn_at !== null || (role.body['status'] !== 'open' && !isCast))
        return ok({ message: 'This role is no longer open', data: presentAudition(row) }, 409);
      const [field, opposite] =
        what === 'confirm' ? (['confirmed_at', 'declined_at'] as const) : (['declined_at', 'confirmed_at'] as const);
      const before = Date.parse(facts[field] ?? '') || 0;
      const other = Date.parse(facts[opposite] ?? '') || 0;
      const said = what === 'confirm' ? parse(confirmBody, call) : parse(declineBody, call);
      const at = timeOf(said, row);
      // What is said at this moment comes after what was said before; what was said without signal has its own time.
      const time = at === now() ? Math.max(at, other + 1) : at;
      const isNews = before === 0 || (before <= other && time > other);
      const text = what === 'decline' ? { decline_text: ('text' in said && said.text) || null } : {};
      if (isNews) change(row, { [field]: toText(time), ...text }, call.device);
      done(call, what, row);
      return ok({ message: 'Noted', data: presentAudition(row) });
    });
  }
}
