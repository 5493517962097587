import { attributeChanges } from './attribute-routes.ts';
import type { Body, StoredRow } from './fake-store.ts';
import type { Call, Routes } from './routes.ts';
import { ok, type ServerAnswer } from './wire.ts';

const pageSize = 7;

/** Endpoints for the signed-in user, the server's features and /sync. */
export function accountRoutes(routes: Routes): void {
  routes.add('GET', '/user', (call) => ok({ ...routes.store.users.get(call.userId), email: 'a@example.org' }), {
    isExtension: true,
  });
  const features = { idempotency_keys: true, versions: true, client_ids: true, uploads: true, sync: true };
  routes.add('GET', '/config', () => ok({ pusher: null, limits: { max_upload_mb: 10 }, features }), {
    isExtension: true,
  });
  routes.add('GET', '/sync', (call) => sync(routes, call), { isExtension: true });
}

/** In /sync, about me is a separate record with the profile's id and version. */
function presentAbout(profile: StoredRow): Body {
  const { id, version, body } = profile;
  return { id, profile_id: id, description: body['description'] ?? null, version };
}

function sync(routes: Routes, call: Call): ServerAnswer {
  const { store } = routes;
  const cursor = call.query.get('cursor');
  const [, generation, place] = /^c(\d+)\.(\d+)$/.exec(cursor ?? '') ?? [];
  const isKnown = Number(generation) === store.cursorGeneration;
  if (cursor && !isKnown) return ok({ message: 'Start over' }, 410);
  const since = cursor ? Number(place) : 0;
  let changes = store.changesAfter(call.userId, since);
  const shown = (type: string, id: string) => store.presenters.get(type)?.(id, call.userId, since === 0) ?? null;
  const exists = (type: string, id: string) => store.row(type === 'about_me' ? 'profile' : type, id);
  if (since === 0) changes = changes.filter(({ type, id }) => exists(type, id) ?? shown(type, id));
  const page = changes.slice(0, pageSize);
  const records = page.flatMap(({ type, id, parent }) => {
    if (type === 'attribute') return attributeChanges(routes, id, since === 0);
    const row = exists(type, id);
    if (store.presenters.has(type)) return { type, id, parent, body: shown(type, id) };
    const body = row ? (type === 'about_me' ? presentAbout(row) : routes.present(row)) : null;
    return { type, id, parent, body };
  });
  const hasMore = changes.length > page.length;
  const last = hasMore ? page.at(-1)!.n : store.counter;
  return ok({ records, cursor: `c${store.cursorGeneration}.${last}`, has_more: hasMore });
}
