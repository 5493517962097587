import { LIMITS } from '#contract/limits.ts';
import { markersIn } from '../markers.ts';
import { epoch } from '../scheduler.ts';
import type { Body, FakeStore, StoredRow } from './fake-store.ts';
import type { Call, Routes } from './routes.ts';
import { ok, Refused, type ServerAnswer } from './wire.ts';

/** Adds a connection request to the records of one of the two people. */
export function addConnection(
  store: FakeStore,
  userId: string,
  ask: { from: string; to: string; message: unknown },
  device: string,
): StoredRow {
  const body: Body = {
    status: 'pending',
    user_id: ask.from,
    connected_user_id: ask.to,
    name: store.users.get(ask.from === userId ? ask.to : ask.from)?.name ?? null,
    message: ask.message,
  };
  const id = store.newId();
  return store.insert({ type: 'connection', id, userId, profileId: id, body, clientId: null }, device);
}

/** Adds a notification for this user. */
export function addNotification(store: FakeStore, userId: string): void {
  const id = store.newId();
  const body: Body = {
    type: 'profile.saved',
    actor: { user_id: 'n', name: 'Somebody', title: null, profile_photo: null, slug: null, profile_type: null },
    data: {},
    read_at: null,
    created_at: new Date(epoch + store.now()).toISOString(),
  };
  store.insert({ type: 'notification', id, userId, profileId: id, body, clientId: null }, 'web');
}

/** Raises a notification of this user again, as a repeated action does. */
export function raiseAgain(store: FakeStore, userId: string): void {
  const row = [...store.rows.values()].find(({ type, userId: owner }) => type === 'notification' && owner === userId);
  if (row) store.change(row, { read_at: null, created_at: new Date(epoch + store.now()).toISOString() }, 'web');
}

function connectionOf(store: FakeStore, userId: string, otherId: string): StoredRow | undefined {
  return [...store.rows.values()].find(
    ({ type, userId: owner, body }) =>
      type === 'connection' && owner === userId && [body['user_id'], body['connected_user_id']].includes(otherId),
  );
}

/** Endpoints for saved profiles, connections and notifications. */
export function peopleRoutes(routes: Routes): void {
  const { store } = routes;
  const set = (call: Call, id: string, isSaved: boolean): ServerAnswer => {
    const profile = store.row('profile', id);
    if (!profile) throw new Refused(404, 'No such profile');
    const row = store.row('saved_profile', id);
    if (row && !isSaved) store.remove(row, call.device);
    if (!row && isSaved) {
      const { title, stage_name, location, profile_photo } = profile.body;
      const { slug, profile_type } = routes.present(profile);
      const body = { title, stage_name, location, profile_photo, slug, profile_type };
      const { userId } = call;
      store.insert({ type: 'saved_profile', id, userId, profileId: id, body, clientId: null }, call.device);
    }
    return ok({ message: 'Done', is_saved: isSaved ? 1 : 0 });
  };
  routes.add('POST', '/profile/:id/save', (call, id) => set(call, id!, true));
  routes.add('POST', '/profile/:id/unsave', (call, id) => set(call, id!, false));
  routes.add('POST', '/connections/request/:userId', (call, userId) => {
    if (!store.users.has(userId!)) throw new Refused(404, 'Nobody by that name');
    const message = call.json['message'] ?? null;
    const known = connectionOf(store, call.userId, userId!);
    if (known) {
      for (const marker of markersIn(message)) store.absorbed.add(`${marker}:message`);
      const isAnswer = known.body['user_id'] === userId && known.body['status'] === 'pending';
      if (isAnswer) store.change(known, { status: 'accepted' }, call.device);
      return ok({ message: 'Connected', data: routes.present(known) });
    }
    if (store.unconfirmed.has(call.userId)) throw new Refused(403, 'Confirm your address first', undefined, 'verify');
    const row = addConnection(store, call.userId, { from: call.userId, to: userId!, message }, call.device);
    return ok({ message: 'Request sent', data: routes.present(row) }, 201);
  });
  routes.add('POST', '/connections/accept/:id', (call, id) => {
    const row = store.row('connection', id!);
    if (!row || row.userId !== call.userId) throw new Refused(404, 'No such request');
    if (row.body['connected_user_id'] !== call.userId) throw new Refused(403, 'Not yours to accept');
    if (row.body['status'] === 'pending') store.change(row, { status: 'accepted' }, call.device);
    return ok({ message: 'Connected', data: routes.present(row) });
  });
  routes.add(
    'POST',
    '/notifications/read',
    (call) => {
      const all = [...store.rows.values()].filter(
        ({ type, userId }) => type === 'notification' && userId === call.userId,
      );
      const ids =
        call.json['all'] === true ? all.map(({ id }) => id) : ((call.json['ids'] as string[] | undefined) ?? []);
      if (call.json['all'] !== true && ids.length > LIMITS.notificationsPerRequest)
        throw new Refused(422, 'Too many', { ids: ['Send fewer'] });
      for (const id of ids) {
        const row = store.row('notification', id);
        if (row?.userId !== call.userId || row.body['read_at'] !== null) continue;
        const seen = (call.json['created_at'] as Record<string, string> | undefined)?.[id];
        if (seen !== undefined && String(row.body['created_at']) > seen) continue;
        store.change(row, { read_at: new Date(epoch + store.now()).toISOString() }, call.device);
      }
      return ok({ message: 'Marked as read' });
    },
    { isExtension: true },
  );
  const end = (call: Call, id: string, message: string): ServerAnswer => {
    const row = store.row('connection', id);
    if (!row || row.userId !== call.userId) throw new Refused(404, 'No such connection');
    const isTheirs = row.body['connected_user_id'] === call.userId;
    if (message === 'Declined' && !isTheirs) throw new Refused(403, 'Not yours to decline');
    if (message === 'Declined' && row.body['status'] === 'accepted') throw new Refused(422, 'Connected already');
    store.remove(row, call.device);
    return ok({ message });
  };
  routes.add('POST', '/connections/decline/:id', (call, id) => end(call, id!, 'Declined'));
  routes.add('DELETE', '/connections/:id', (call, id) => end(call, id!, 'Ended'));
}
