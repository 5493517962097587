import type { AuditionRequest, Project, Role } from '#contract/records/casting.ts';
import type { Member, MemberRole } from '#contract/records/members.ts';
import { applyPending, sortItems } from './apply-pending.ts';
import { applyActs } from './casting-acts.ts';
import { canonicalId, serverId } from './canonical.ts';
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
  /** Their account, if the device knows it: one person may have several profiles. */
  user_id?: string | undefined;
  name: string;
  title: string | null;
  profile_photo: string | null;
  /** Whether the server has refused a request to them because it counts the hours that are due to minors. No device knows who is one. */
  for_minors?: boolean | undefined;
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

/**
 * Those of these requests whose tapes are here and nobody has watched. A request outlives the tape that was sent for it, and one that was
 * withdrawn never counts as watched.
 */
async function findUnwatched(
  db: AccountDb,
  requests: readonly CastingItem<'request'>[],
): Promise<CastingItem<'request'>[]> {
  const arrived = requests.filter(
    ({ body }) => body.arrived_at != null && body.watched_at === null && body.withdrawn_at === null,
  );
  const keys = arrived.map(({ serverId: id }) => [id ?? '', 'tape']);
  const tapes = await db.records.where('[parent+type]').anyOf(keys).toArray();
  const taped = new Set(tapes.filter(({ body }) => body.state === 'arrived').map(({ parent }) => parent));
  return arrived.filter(({ serverId: id }) => taped.has(id));
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
    // Most people cast nothing, and Home reads this at every start.
    if (opened.length === 0) return { projects: [], unwatched: 0 };
    const roles = (await read(db, 'role')).items.filter((role) => belongsTo(opened, role));
    const requests = (await read(db, 'request')).items.filter((request) => belongsTo(roles, request));
    return { projects: opened, unwatched: (await findUnwatched(db, requests)).length };
  });

/** What the person may do in a project. Projects that were made here, or stored by an older version of the app, are the person's own. */
export const getRight = ({ body }: CastingItem<'project'>): 'own' | MemberRole => body.my_role ?? 'own';

const isOf = (userId: string) => (item: CastingItem<'project_member'>) => getUserId(item) === userId;

/** Whether somebody is in a project or invited to it, so that inviting them again would change nothing. */
export const isIn = ({ body }: CastingItem<'project_member'>): boolean =>
  body.state === 'invited' || body.state === 'active';

/** Who a colleague is; of one who was invited on this device, as the device knows them. */
export const getUserId = ({ body }: CastingItem<'project_member'>): string =>
  String((body.user as Member['user'] | undefined)?.user_id ?? body.user_id);

export const find = <T extends Item>(items: readonly T[], id: string): T | undefined =>
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
    const unwatched = new Set(await findUnwatched(db, requests.flat()));
    const counted = roles.map((role, n) => {
      const asked = requests[n]!;
      return { role, asked: asked.length, unwatched: asked.filter((request) => unwatched.has(request)).length };
    });
    const members = (await read(db, 'project_member', project.id)).items.toReversed();
    return {
      project,
      roles: counted,
      performerIds: new Set(
        requests
          .flat()
          .flatMap(({ body }) => (body.performer ?? (body.card as PerformerCard | undefined))?.user_id ?? []),
      ),
      members,
      place: members.find(isOf(db.userId)),
    };
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
