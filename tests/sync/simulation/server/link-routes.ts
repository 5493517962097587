import { CASTING_CALLS } from '#contract/casting-calls.ts';
import { createLinkBody, updateLinkBody } from '#contract/records/links.ts';
import type { Endpoint } from '#contract/section.ts';
import { epoch } from '../scheduler.ts';
import type { Body, StoredRow } from './fake-store.ts';
import type { Call, Routes } from './routes.ts';
import { ok, Refused, type ServerAnswer } from './wire.ts';

/** Share links of a role, which its owner alone sees. */
export function linkRoutes(routes: Routes): void {
  const { store } = routes;
  const add = ({ method, path }: Endpoint, run: (call: Call, id: string) => ServerAnswer) =>
    routes.add(method, path, (call, id) => run(call, id ?? ''), { isExtension: true });
  const present = ({ id, clientId, version, created, profileId, body }: StoredRow): Body => {
    const created_at = new Date(epoch + created).toISOString();
    return { id, client_id: clientId, version, created_at, role_id: profileId, ...body };
  };
  store.presenters.set('link', (id, userId) => {
    const row = store.row('link', id);
    return row?.userId === userId ? present(row) : null;
  });
  const own = (call: Call, type: string, id: string) => {
    const row = store.row(type, id);
    if (row?.userId !== call.userId) throw new Refused(404, `No such ${type}`);
    return row;
  };

  add(CASTING_CALLS.createLink, (call) => {
    const known = routes.findByClientId(call, 'link');
    if (known) return ok({ message: 'Already there', data: present(known) });
    const read = createLinkBody.safeParse(call.json);
    if (!read.success) throw new Refused(422, 'Check');
    const { role_id, client_id, code_hash, ...fields } = read.data;
    const role = own(call, 'role', role_id);
    const none = { opened: 0, openings: [], closed_until: null, revoked_at: null, revoked_by: null };
    const body = { ...fields, has_code: code_hash !== null, ...none };
    const about = { type: 'link', id: store.newId(), userId: call.userId, profileId: role.id, clientId: client_id };
    return ok({ message: 'Saved', data: present(store.insert({ ...about, body }, call.device)) }, 201);
  });
  add(CASTING_CALLS.updateLink, (call, id) => {
    const row = own(call, 'link', id);
    if (routes.checkVersion(call, row)) return ok({ message: 'Changed meanwhile', data: present(row) }, 412);
    if (row.body['revoked_at'] !== null) return ok({ message: 'This link is revoked', data: present(row) }, 409);
    const read = updateLinkBody.safeParse(call.json);
    if (!read.success) throw new Refused(422, 'Check');
    store.change(row, read.data, call.device);
    return ok({ message: 'Saved', data: present(row) });
  });
  add(CASTING_CALLS.revokeLink, (call, id) => {
    const row = own(call, 'link', id);
    const revoked_at = new Date(epoch + Math.floor(store.now())).toISOString();
    if (row.body['revoked_at'] === null) store.change(row, { revoked_at, revoked_by: 'owner' }, call.device);
    return ok({ message: 'Revoked', data: present(row) });
  });
}
