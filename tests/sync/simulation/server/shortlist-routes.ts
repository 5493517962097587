import { CASTING_CALLS } from '#contract/casting-calls.ts';
import { changeColumns, type Column, getColumns } from '#contract/casting/shortlist.ts';
import { addCandidateBody, columnsBody, moveCandidateBody } from '#contract/records/shortlist.ts';
import type { Endpoint } from '#contract/section.ts';
import { epoch } from '../scheduler.ts';
import { readsRecord } from './colleague-routes.ts';
import type { Body, StoredRow } from './fake-store.ts';
import type { Call, Routes } from './routes.ts';
import { ok, Refused, type ServerAnswer } from './wire.ts';

/** Shortlists: one card for each performer of a role, and the last move of a card holds. */
export function shortlistRoutes(routes: Routes): void {
  const { store } = routes;
  const add = ({ method, path }: Endpoint, run: (call: Call, id: string) => ServerAnswer) =>
    routes.add(method, path, (call, id) => run(call, id ?? ''), { isExtension: true });
  const present = ({ id, clientId, version, created, profileId, body }: StoredRow): Body => {
    const { profile_id, ...place } = body;
    const performer = { profile_id, user_id: store.row('profile', String(profile_id))?.userId ?? '', name: 'Somebody' };
    const created_at = new Date(epoch + created).toISOString();
    return { id, client_id: clientId, version, created_at, role_id: profileId, performer, ...place };
  };
  store.presenters.set('candidate', (id, userId) => {
    const row = store.row('candidate', id);
    return row && readsRecord(store, row, userId) ? present(row) : null;
  });
  const card = (call: Call, id: string) => {
    const row = store.row('candidate', id);
    if (!row || !readsRecord(store, row, call.userId)) throw new Refused(404, 'No such card');
    return row;
  };

  add(CASTING_CALLS.addCandidate, (call) => {
    const read = addCandidateBody.safeParse(call.json);
    if (!read.success) throw new Refused(422, 'Check');
    const { role_id, profile_id, column, position } = read.data;
    const role = store.row('role', role_id);
    if (!role || !readsRecord(store, role, call.userId)) throw new Refused(404, 'No such role');
    const known = store.rowsOf('candidate', role.id).find(({ body }) => body['profile_id'] === profile_id);
    if (known) return ok({ message: 'Already there', data: present(known) });
    const about = { type: 'candidate', id: store.newId(), userId: role.userId, profileId: role.id };
    const body = { profile_id, column, position };
    return ok(
      {
        message: 'Saved',
        data: present(store.insert({ ...about, body, clientId: routes.clientIdOf(call) }, call.device)),
      },
      201,
    );
  });
  add(CASTING_CALLS.moveCandidate, (call, id) => {
    const row = card(call, id);
    const read = moveCandidateBody.safeParse(call.json);
    if (!read.success) throw new Refused(422, 'Check');
    store.change(row, read.data, call.device);
    return ok({ message: 'Saved', data: present(row) });
  });
  add(CASTING_CALLS.changeColumns, (call, id) => {
    const role = store.row('role', id);
    if (!role || !readsRecord(store, role, call.userId)) throw new Refused(404, 'No such role');
    const read = columnsBody.safeParse(call.json);
    if (!read.success) throw new Refused(422, 'Check');
    const columns = changeColumns(getColumns(role.body as { columns?: Column[] }), read.data.columns);
    store.change(role, { columns }, call.device);
    return ok({ message: 'Saved', data: store.presenters.get('role')!(role.id, call.userId, false) });
  });
  add(CASTING_CALLS.removeCandidate, (call, id) => {
    store.remove(card(call, id), call.device);
    return ok({ message: 'Removed' });
  });
}
