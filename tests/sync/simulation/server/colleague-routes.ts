import { CASTING_CALLS } from '#contract/casting-calls.ts';
import { markBody } from '#contract/records/tapes.ts';
import { epoch } from '../scheduler.ts';
import type { Body, FakeStore, StoredRow } from './fake-store.ts';
import type { Routes } from './routes.ts';
import { markersOf, ok, Refused } from './wire.ts';

/** To which record each record of a project belongs. */
const PARENTS: Readonly<Record<string, string>> = {
  project_member: 'project',
  role: 'project',
  request: 'role',
  tape: 'request',
  mark: 'tape',
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
  store.rowsOf('project_member', projectId).map(({ userId }) => userId);

/** Whether a person reads a record of a project: the owner, and colleagues. */
export function readsRecord(store: FakeStore, row: StoredRow, userId: string): boolean {
  const projectId = findProjectId(store, toPlace(row));
  const project = projectId === null ? undefined : store.row('project', projectId);
  return project !== undefined && (project.userId === userId || listColleagues(store, project.id).includes(userId));
}

/** Everything of a project. */
export const listProjectRows = (store: FakeStore, projectId: string): StoredRow[] =>
  [...store.rows.values()].filter((row) => findProjectId(store, toPlace(row)) === projectId);

/** What people think of tapes, and who works in a project. Nobody is invited here: tests put colleagues there. */
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
      return row && readsRecord(store, row, userId) ? toBody(row) : null;
    });
  }

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
