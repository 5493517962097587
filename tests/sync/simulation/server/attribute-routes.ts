import type { Body } from './fake-store.ts';
import type { Routes } from './routes.ts';
import { ok } from './wire.ts';

const ATTRIBUTES = ['Height', 'Weight', 'Build', 'Hair', 'Eyes', 'Skin'];

/** A set is stored as one row, so that its fields have one history. The wire has a row for each filled field. */
function rowsOf(routes: Routes, profileId: string): { id: string; body: Body | null }[] {
  const row = routes.store.row('attribute', profileId);
  return ATTRIBUTES.map((key, at) => {
    const id = `${profileId}.${at}`;
    const value = row?.body[key] ?? null;
    if (row === undefined || value === null) return { id, body: null };
    const extra = routes.isBasic ? {} : { version: row.version };
    return { id, body: { id, profile_id: profileId, attribute_key: key, attribute_value: value, ...extra } };
  });
}

function listOf(routes: Routes, profileId: string): Body[] {
  return rowsOf(routes, profileId).flatMap(({ body }) => (body ? [body] : []));
}

/** Returns the attributes for /sync, including empty ones except in a first pull. */
export function attributeChanges(
  routes: Routes,
  profileId: string,
  isFirst: boolean,
): { type: string; id: string; parent: string; body: Body | null }[] {
  const rows = rowsOf(routes, profileId).filter(({ body }) => body !== null || !isFirst);
  return rows.map((row) => ({ type: 'attribute', parent: profileId, ...row }));
}

/** Endpoints for the physical attributes. */
export function attributeRoutes(routes: Routes): void {
  routes.add('GET', '/profiles/:profileId/attributes', (call, profileId) => {
    routes.ownProfile(call, profileId);
    return ok(listOf(routes, profileId!));
  });
  routes.add('POST', '/attributes', (call) => {
    const profile = routes.ownProfile(call, call.json['profile_id']);
    const row = routes.store.row('attribute', profile.id);
    const match = routes.isBasic ? undefined : call.request.headers['if-match'];
    const version = row?.version ?? 0;
    if (match !== undefined && match !== `"${version}"`) {
      const data = { rows: listOf(routes, profile.id), version };
      return ok({ message: 'Changed meanwhile', data }, 412);
    }
    const values = Object.fromEntries(Object.entries(call.json).filter(([field]) => ATTRIBUTES.includes(field)));
    if (row) routes.store.change(row, values, call.device);
    else {
      const { id, userId } = profile;
      const made = { type: 'attribute', id, userId, profileId: id, body: values, clientId: null };
      routes.store.insert(made, call.device);
    }
    return ok({ message: 'Attributes added successfully!', data: listOf(routes, profile.id) });
  });
}
