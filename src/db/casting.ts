import { findReplaced } from '#contract/casting/state.ts';
import type { AuditionRequest, Project, Role } from '#contract/records/casting.ts';
import type { Member, MemberRole } from '#contract/records/members.ts';
import type { Grade, Mark } from '#contract/records/tapes.ts';
import { applyPending, sortItems } from './apply-pending.ts';
import { applyActs, applyCasting } from './casting-acts.ts';
import { canonicalId, getParentType, serverId } from './canonical.ts';
import type { AccountDb } from './database.ts';
import { getEffect } from './effects.ts';
import { pairsOf } from './queries.ts';
import type { RecordBodies } from './mirror.ts';
import { hasEffect } from './patches.ts';
import type { FieldValues, OutboxRow } from './rows.ts';
import type { Item } from './views.ts';

/** Projects, roles, requests and auditions with what waits on this device. Nothing here is part of what every start loads. */

export type CastingType =
  'project' | 'project_member' | 'role' | 'request' | 'audition' | 'tape' | 'mark' | 'link' | 'candidate';

/** A record with what waits. One that was made on this device lacks what only the server says. */
export interface CastingItem<T extends CastingType = CastingType> extends Item {
  body: RecordBodies[T] & FieldValues;
}

/** Who is asked, as the sender's device knows them while the request has not been sent. */
export interface PerformerCard {
  profile_id: string;
  name: string;
  title: string | null;
  profile_photo: string | null;
}

/** What requests gained later: those that were stored before lack it. */
const LATER = { notice_changes: [], deadline_before: null } satisfies Partial<AuditionRequest>;

/** What a record has that only this device knows of, or that was stored before it had more. */
const UNSENT: { [T in CastingType]: Partial<RecordBodies[T]> } = {
  project: { status: 'open' },
  project_member: { state: 'invited' },
  role: { status: 'open' },
  request: {
    ...LATER,
    round: 'first',
    previous_id: null,
    performer: null,
    seen_at: null,
    confirmed_at: null,
    declined_at: null,
    decline_text: null,
    answers: [],
    announced_at: null,
    arrived_at: null,
    watched_at: null,
    answered_at: null,
    withdrawn_at: null,
    withdraw_text: null,
  },
  audition: LATER,
  tape: { state: 'announced', arrived_at: null, reason: null, number: Infinity },
  mark: {},
  link: { opened: 0, openings: [], closed_until: null, revoked_at: null, revoked_by: null },
  candidate: {},
};

export const TABLES = (db: AccountDb) => [db.records, db.outbox, db.ids];

const SILENT_ACTS: readonly string[] = ['seen', 'viewed', 'mark'];

/** The rows of records of a type, in `seq` order. */
const rowsOf = (db: AccountDb, type: CastingType): Promise<OutboxRow[]> =>
  db.outbox.where('lane').startsWith(`${type}:`).sortBy('seq');

interface Reading<T extends CastingType> {
  items: CastingItem<T>[];
  rows: OutboxRow[];
}

/** @param parent canonical id of the record that they belong to; absent: all of the type */
export async function read<T extends CastingType>(db: AccountDb, type: T, parent?: string): Promise<Reading<T>> {
  const owners = parent === undefined ? null : [parent, (await serverId(db, parent)) ?? parent];
  const records = db.records;
  const [mirrored, all, pairs] = await Promise.all([
    owners === null
      ? records.where('[type+id]').between([type, ''], [type, '\uffff']).toArray()
      : records.where('[parent+type]').equals([owners[1]!, type]).toArray(),
    rowsOf(db, type),
    pairsOf(db, type),
  ]);
  const known = new Set([...mirrored.map(({ id }) => id), ...pairs.map(({ local }) => local)]);
  const rows = owners === null ? all : all.filter((row) => owners.includes(row.parent ?? '') || known.has(row.target));
  // That somebody looked at something is nothing they would wait for.
  const shown = rows.filter((row) => !(hasEffect(row, 'act') && SILENT_ACTS.includes(row.patch.act)));
  const made = rows.filter((row) => getEffect(row) === 'create').map(({ target }) => target);
  const there = new Set([...mirrored.map(({ id }) => id), ...made]);
  const items = applyPending({ type, records: mirrored, rows: shown, pairs })
    // Of a record that was taken away, or that this device has not read yet, only what somebody did with it may be here.
    .filter(({ id, serverId: onServer }) => there.has(id) || there.has(onServer ?? ''))
    // A change of a record that belongs to another one, or that is gone, has nothing to show.
    .filter((item) => owners === null || owners.includes(item.parent ?? ''))
    .map((item) => {
      const ids = [item.id, item.serverId, ...(item.aliases ?? [])];
      const body = applyActs(
        { ...UNSENT[type], ...item.body },
        rows.filter(({ target }) => ids.includes(target)),
      );
      return { ...item, body: { ...body, id: item.id } } as CastingItem<T>;
    });
  return { items: sortItems(null, items) as CastingItem<T>[], rows };
}

/** The projects that the person owns or works in, newest first. */
export const listProjects = (db: AccountDb): Promise<CastingItem<'project'>[]> =>
  db.transaction('r', TABLES(db), async () => (await read(db, 'project')).items);

/** What the person casts, and works in for others. */
export interface CastingOverview {
  /** Newest first. In a project of somebody else, with the person's own place there. */
  projects: { project: CastingItem<'project'>; place: CastingItem<'project_member'> | undefined }[];
  /** Invitations that wait for the person, or whose answer waits on this device. */
  invitations: CastingItem<'project_member'>[];
}

/** Reads what the page of casting lists. */
export const readCasting = (db: AccountDb): Promise<CastingOverview> =>
  db.transaction('r', TABLES(db), async () => {
    const places = (await read(db, 'project_member')).items.filter(isOf(db.userId));
    const listed = (await read(db, 'project')).items.map((project) => ({
      project,
      place: places.find(({ parent }) => parent === project.serverId),
    }));
    const invitations = places.filter(
      ({ body, parent, state }) =>
        !listed.some(({ project }) => project.serverId === parent) && (body.state === 'invited' || state !== 'saved'),
    );
    return { projects: listed, invitations };
  });

export interface CastingWork {
  /** Those that are open. */
  projects: CastingItem<'project'>[];
  /** Tapes in them that have arrived and that nobody has watched. */
  unwatched: number;
}

/** The tapes among these requests that are here and that nobody has watched. A request outlives the tape that was sent for it. */
async function countUnwatched(db: AccountDb, requests: readonly CastingItem<'request'>[]): Promise<number> {
  const unwatched = requests
    .filter(({ body }) => body.watched_at === null)
    .map(({ serverId: id }) => [id ?? '', 'tape']);
  const tapes = await db.records.where('[parent+type]').anyOf(unwatched).toArray();
  return new Set(tapes.flatMap(({ parent, body }) => (body.state === 'arrived' ? parent : []))).size;
}

const belongsTo = (parents: readonly Item[], { parent }: Item): boolean =>
  parents.some(({ id, serverId: onServer }) => parent === id || parent === onServer);

/** What the person casts at the moment. */
export const readCastingWork = (db: AccountDb): Promise<CastingWork> =>
  db.transaction('r', TABLES(db), async () => {
    const { projects } = await readCasting(db);
    const open = projects.filter(
      ({ project, place }) => project.body.status === 'open' && place?.body.state !== 'left',
    );
    const opened = open.map(({ project }) => project);
    const roles = (await read(db, 'role')).items.filter((role) => belongsTo(opened, role));
    const requests = (await read(db, 'request')).items.filter((request) => belongsTo(roles, request));
    return { projects: opened, unwatched: await countUnwatched(db, requests) };
  });

/** What the person may do in a project. Projects that were made here, or stored by an older version of the app, are the person's own. */
export const getRight = ({ body }: CastingItem<'project'>): 'own' | MemberRole => body.my_role ?? 'own';

const isOf = (userId: string) => (item: CastingItem<'project_member'>) => getUserId(item) === userId;

/** Whether somebody is in a project or invited to it, so that inviting them again would change nothing. */
export const isIn = ({ body }: CastingItem<'project_member'>): boolean =>
  body.state === 'invited' || body.state === 'active';

/** Who a colleague is; of one who was invited on this device, as the device knows them. */
const getUserId = ({ body }: CastingItem<'project_member'>): string =>
  String((body.user as Member['user'] | undefined)?.user_id ?? body.user_id);

const find = <T extends Item>(items: readonly T[], id: string): T | undefined =>
  items.find((item) => item.id === id || item.serverId === id || item.aliases?.includes(id));

export interface ProjectView {
  project: CastingItem<'project'>;
  /** Oldest first, as they were written down, with how many performers were asked for each and how many tapes nobody has watched. */
  roles: { role: CastingItem<'role'>; asked: number; unwatched: number }[];
  /** The accounts of those who were asked for one of them. */
  performerIds: ReadonlySet<string>;
  /** Colleagues, in the order in which they were invited. */
  members: CastingItem<'project_member'>[];
  /** The person's own row among them; undefined for the owner. */
  place: CastingItem<'project_member'> | undefined;
}

/** A project with its roles; null if this device does not have it. @param id of either side */
export const readProject = (db: AccountDb, id: string): Promise<ProjectView | null> =>
  db.transaction('r', TABLES(db), async () => {
    const project = find((await read(db, 'project')).items, await canonicalId(db, 'project', id));
    if (project === undefined) return null;
    const roles = (await read(db, 'role', project.id)).items.toReversed();
    const requests = await Promise.all(roles.map(async (role) => (await read(db, 'request', role.id)).items));
    const counted = roles.map(async (role, n) => {
      const asked = requests[n]!;
      return { role, asked: asked.length, unwatched: await countUnwatched(db, asked) };
    });
    const members = (await read(db, 'project_member', project.id)).items.toReversed();
    return {
      project,
      roles: await Promise.all(counted),
      performerIds: new Set(requests.flat().flatMap(({ body }) => body.performer?.user_id ?? [])),
      members,
      place: members.find(isOf(db.userId)),
    };
  });

export interface RoleView {
  role: CastingItem<'role'>;
  project: CastingItem<'project'>;
  /** Newest first. */
  requests: RequestView[];
  /** The accounts of those who work in the project or are invited to it. They cannot be asked to tape for it. */
  colleagueIds: ReadonlySet<string>;
}

/** A request with what was sent for it, and what the person and others of the project think of that. */
export type RequestView = CastingItem<'request'> & {
  /** Whether the performer has a request of a later round, where they hear the last word. */
  isReplaced: boolean;
  tape: CastingItem<'tape'> | null;
  mark: MarkView;
  /** What others in the project think of the tape, in the order of their names. */
  others: OthersMark[];
};

export interface MarkView {
  grade: Grade | null;
  text: string;
}

/** What somebody else thinks of a tape. */
export interface OthersMark extends MarkView {
  key: string;
  author: string;
}

/** Whether the performer of a request that was sent has left or blocked the sender, and can no longer be reached. */
export const hasLeft = ({ serverId: id, body }: Pick<CastingItem<'request'>, 'serverId' | 'body'>): boolean =>
  id !== null && body.performer === null;

/** A role with its project and the requests for it; null if this device does not have it. @param id of either side */
export const readRole = (db: AccountDb, id: string): Promise<RoleView | null> =>
  db.transaction('r', TABLES(db), async () => {
    const { items, rows } = await read(db, 'role');
    const role = find(items, await canonicalId(db, 'role', id));
    if (role === undefined) return null;
    const project = find(
      (await read(db, 'project')).items,
      await canonicalId(db, getParentType('role'), role.parent ?? ''),
    );
    if (project === undefined) return null;
    const ofRole = rows.filter(({ target }) => target === role.id || target === role.serverId);
    const tapes = await read(db, 'tape');
    const marks = (await read(db, 'mark')).items;
    const members = (await read(db, 'project_member', project.id)).items;
    const names = nameAuthors(members);
    const asked = (await read(db, 'request', role.id)).items;
    const replaced = findReplaced(asked.map(({ body }) => body));
    const requests = asked.map((item) => {
      const isReplaced = item.serverId !== null && replaced.has(item.serverId);
      const tape = getCurrentTape(tapes.items.filter(({ parent }) => parent === item.serverId));
      return {
        ...item,
        isReplaced,
        body: { ...item.body, ...applyCasting(withServerId(item), ofRole, isReplaced || hasLeft(item)), id: item.id },
        tape,
        mark: readMark(tape, marks.filter(isOwn(db)), tapes.rows),
        others: readOthers(
          tape,
          marks.filter((mark) => !isOwn(db)(mark)),
          names,
        ),
      };
    });
    return { role, project, requests, colleagueIds: new Set(members.filter(isIn).map(getUserId)) };
  });

/** The tape that counts: the newest that has arrived, or else the newest. */
export function getCurrentTape(tapes: readonly CastingItem<'tape'>[]): CastingItem<'tape'> | null {
  const newestFirst = tapes.toSorted((a, b) => b.body.number - a.body.number);
  return newestFirst.find(({ body }) => body.state === 'arrived') ?? newestFirst[0] ?? null;
}

/** Marks without an author were stored by an older version of the app, which read those of the person alone. */
const isOwn =
  (db: AccountDb) =>
  ({ body }: CastingItem<'mark'>): boolean =>
    body.author_id === undefined || body.author_id === db.userId;

const FORMER = 'Former colleague';

/** The names of those who may have written marks, by their ids. */
function nameAuthors(members: readonly CastingItem<'project_member'>[]): Map<string, string> {
  const people = members.flatMap(({ body }) => [body.user, body.owner] as (Member['user'] | undefined)[]);
  return new Map(people.flatMap((person) => (person === undefined ? [] : [[person.user_id, person.name]])));
}

/** What others think of a tape: those who said something. */
function readOthers(
  tape: CastingItem<'tape'> | null,
  marks: readonly CastingItem<'mark'>[],
  names: ReadonlyMap<string, string>,
): OthersMark[] {
  return marks
    .filter(({ parent, body }) => tape !== null && parent === tape.serverId && (body.grade ?? body.text) !== null)
    .map(({ key, body: { author_id: id, grade, text } }) => {
      const author = id == null ? FORMER : (names.get(id) ?? FORMER);
      return { key, author, grade, text: text ?? '' };
    })
    .sort((one, other) => one.author.localeCompare(other.author));
}

/** What the person thinks of a tape, with what waits here. */
function readMark(
  tape: CastingItem<'tape'> | null,
  marks: readonly CastingItem<'mark'>[],
  rows: readonly OutboxRow[],
): MarkView {
  const said = marks.find(({ parent }) => tape !== null && parent === tape.serverId)?.body;
  const waiting = rows.flatMap((row) =>
    row.target === tape?.id && row.state !== 'attention' && hasEffect(row, 'act') && row.patch.act === 'mark'
      ? [row.patch.fields]
      : [],
  );
  const { grade = null, text = null } = Object.assign({ ...said }, ...waiting) as Partial<Mark>;
  return { grade, text: text ?? '' };
}

/** Casting names requests by the ids that the server knows. */
const withServerId = ({ body, serverId: id }: CastingItem<'request'>): AuditionRequest => ({
  ...body,
  id: id ?? body.id,
});

/** An audition with what was sent for it, newest first. */
export type AuditionView = CastingItem<'audition'> & { tapes: CastingItem<'tape'>[] };

/** The auditions that the person was asked for, the next deadline first. */
export const listAuditions = (db: AccountDb): Promise<AuditionView[]> =>
  db.transaction('r', TABLES(db), async () => {
    const { items } = await read(db, 'audition');
    const tapes = (await read(db, 'tape')).items.toSorted((a, b) => b.body.number - a.body.number);
    return items
      .map((item) => ({ ...item, tapes: tapes.filter(({ parent }) => parent === item.id) }))
      .sort((a, b) => a.body.deadline_at.localeCompare(b.body.deadline_at));
  });

/** One audition with its tapes; null if this device does not have it. */
export const readAudition = async (db: AccountDb, id: string): Promise<AuditionView | null> =>
  find(await listAuditions(db), id) ?? null;

/** The name of a request in lists of changes: 'Naseem, The Salt Road'. */
export const getRoleTitle = (role: Pick<Role, 'name'>, project: Pick<Project, 'title'>): string =>
  `${role.name}, ${project.title}`;
