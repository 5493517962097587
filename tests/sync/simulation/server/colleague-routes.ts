import { CASTING_CALLS } from '#contract/casting-calls.ts';
import type { Endpoint } from '#contract/section.ts';
import { markBody } from '#contract/records/tapes.ts';
import { epoch } from '../scheduler.ts';
import type { Body, FakeStore, StoredRow } from './fake-store.ts';
import type { Call, Routes } from './routes.ts';
import { markersOf, ok, Refused, type ServerAnswer } from './wire.ts';

/** To which record each record of a project belongs. */
const PARENTS: Readonly<Record<string, string>> = {
  project_member: 'project',
  role: 'project',
  request: 'role',
  tape: 'request',
  mark: 'tape',
  candidate: 'role',
  link: 'role',
};

type Place = Pick<StoredRow, 'type' | 'id'> & { parent: string | null };

/** The id of the project that a record belongs to, also of one that was just deleted; null if it belongs to none. */
export function findProjectId(store: FakeStore, { type, id, parent }: Place): string | null {
  if (type === 'project') return id;
  const above = PARENTS[type];
  if (above === undefined || parent === null) return null;
  const row = store.row(above, parent);
  return above === 'project' ? parent : row ? findProjectId(store, toPlace(row)) : null;
}

const toPlace = ({ type, id, profileId }: StoredRow): Place => ({ type, id, parent: profileId });

/** The people who work in a project of somebody else. */
export const listColleagues = (store: FakeStore, projectId: string): string[] =>
  store
    .rowsOf('project_member', projectId)
    .filter(({ body }) => body['state'] === 'active')
    .map(({ userId }) => userId);

/** Whether a person reads a record of a project: the owner, and colleagues. */
export function readsRecord(store: FakeStore, row: StoredRow, userId: string): boolean {
  const projectId = findProjectId(store, toPlace(row));
  const project = projectId === null ? undefined : store.row('project', projectId);
  return project !== undefined && (project.userId === userId || listColleagues(store, project.id).includes(userId));
}

/** Everything of a project. */
export const listProjectRows = (store: FakeStore, projectId: string): StoredRow[] =>
  [...store.rows.values()].filter((row) => findProjectId(store, toPlace(row)) === projectId);

/** What people think of tapes, and who works in a project. */
export function colleagueRoutes(routes: Routes): void {
  const { store } = routes;
  const kept = ({ id, clientId, version, created }: StoredRow): Body => ({
    id,
    client_id: clientId,
    version,
    created_at: new Date(epoch + created).toISOString(),
  });
  const present: Readonly<Record<string, (row: StoredRow) => Body>> = {
    tape: (row) => ({ ...kept(row), request_id: row.profileId, ...row.body }),
    mark: (row) => ({ ...kept(row), tape_id: row.profileId, author_id: row.userId, ...row.body }),
    project_member: (row) => ({
      ...kept(row),
      project_id: row.profileId,
      user: { user_id: row.userId, name: store.users.get(row.userId)?.name ?? '' },
      ...row.body,
    }),
  };
  for (const [type, toBody] of Object.entries(present)) {
    store.presenters.set(type, (id, userId) => {
      const row = store.row(type, id);
      if (row === undefined) return null;
      // Performers read their own tapes, and whoever was invited the invitation.
      const isOwn = type !== 'mark' && row.userId === userId;
      return isOwn || readsRecord(store, row, userId) ? toBody(row) : null;
    });
  }
  memberRoutes(routes, present.project_member!);

  const { method, path } = CASTING_CALLS.markTape;
  routes.add(
    method,
    path,
    (call, id) => {
      const tape = store.row('tape', id ?? '');
      if (!tape || !readsRecord(store, tape, call.userId)) throw new Refused(404, 'No such tape');
      const said = markBody.safeParse(call.json);
      if (!said.success) throw new Refused(422, 'Check');
      const known = store.rowsOf('mark', tape.id).find(({ userId }) => userId === call.userId);
      const body: Body = { request_id: tape.profileId, grade: null, text: null, ...said.data };
      const row = { type: 'mark', id: store.newId(), userId: call.userId, profileId: tape.id, body, clientId: null };
      if (known) store.change(known, { ...said.data }, call.device);
      const mark = known ?? store.insert(row, call.device);
      const { userId, device, request } = call;
      store.acts.push({ act: 'mark', type: 'tape', id: tape.id, userId, device, markers: markersOf(request) });
      return ok({ message: 'Saved', data: present.tape!(tape), marks: [present.mark!(mark)] });
    },
    { isExtension: true },
  );
}

/** Invitations, and what those who were invited say. */
function memberRoutes(routes: Routes, present: (row: StoredRow) => Body): void {
  const { store } = routes;
  const add = ({ method, path }: Endpoint, run: (call: Call, id: string) => ServerAnswer) =>
    routes.add(method, path, (call, id) => run(call, id ?? ''), { isExtension: true });
  const say = (row: StoredRow) => ok({ message: 'Saved', data: present(row) });
  const ownProject = (call: Call, id: string) => {
    const project = store.row('project', id);
    if (project?.userId !== call.userId) throw new Refused(404, 'No such project');
    return project;
  };
  /** What a colleague reads changes with their place. */
  const tell = ({ userId, profileId }: StoredRow) => {
    for (const { type, id, profileId: parent } of listProjectRows(store, profileId))
      store.recordChange(userId, type, id, type === 'project' ? null : parent);
  };
  const member = (call: Call, id: string, isInvited: boolean) => {
    const row = store.row('project_member', id);
    const isTheirs = isInvited ? row?.userId === call.userId : row && ownProject(call, row.profileId);
    if (!row || !isTheirs) throw new Refused(404, 'No such place');
    return row;
  };

  add(CASTING_CALLS.inviteMember, (call) => {
    const { id } = ownProject(call, String(call.json['project_id']));
    const userId = String(call.json['user_id']);
    if (!store.users.has(userId)) throw new Refused(422, 'Check', { user_id: ['Nobody'] });
    const known = store.rowsOf('project_member', id).find((row) => row.userId === userId);
    if (known === undefined) {
      const body = { role: call.json['role'], state: 'invited' };
      const about = { type: 'project_member', id: store.newId(), userId, profileId: id };
      return ok(
        {
          message: 'Invited',
          data: present(store.insert({ ...about, body, clientId: routes.clientIdOf(call) }, call.device)),
        },
        201,
      );
    }
    // Who declined or left is invited again, in the same place.
    if (['declined', 'left'].includes(String(known.body['state'])))
      store.change(known, { state: 'invited', role: call.json['role'] }, call.device);
    return say(known);
  });
  add(CASTING_CALLS.updateMember, (call, id) => {
    const row = member(call, id, false);
    const outdated = routes.checkVersion(call, row);
    if (outdated) return ok({ message: 'Changed meanwhile', data: present(row) }, 412);
    store.change(row, { role: call.json['role'] }, call.device);
    return say(row);
  });
  add(CASTING_CALLS.removeMember, (call, id) => {
    const row = member(call, id, false);
    store.remove(row, call.device);
    tell(row);
    return ok({ message: 'Removed' });
  });
  for (const [endpoint, act, from, state] of [
    [CASTING_CALLS.acceptInvitation, 'join', ['invited'], 'active'],
    [CASTING_CALLS.declineInvitation, 'refuse', ['invited'], 'declined'],
    [CASTING_CALLS.leaveProject, 'leave', ['active'], 'left'],
  ] as const) {
    add(endpoint, (call, id) => {
      const row = member(call, id, true);
      const { userId, device, request } = call;
      const before = String(row.body['state']);
      if (before !== state && !(from as readonly string[]).includes(before))
        return ok({ message: 'This invitation is over', data: present(row) }, 409);
      if (before !== state) store.change(row, { state }, device);
      store.acts.push({ act, type: 'project_member', id, userId, device, markers: markersOf(request) });
      tell(row);
      return say(row);
    });
  }
}
