import { NEW_PROFILE_FIELDS } from '#contract/new-profile.ts';
import type { Body } from './fake-store.ts';
import type { Routes } from './routes.ts';
import { ok, Refused } from './wire.ts';

export const PROFILE_FIELDS = [
  'stage_name',
  'title',
  'location',
  'per_day',
  'dob',
  'min_age_range',
  'max_age_range',
  'profile_industry_id',
  'description',
  'status',
];

/** Endpoints for profiles. */
export function profileRoutes(routes: Routes): void {
  routes.add('GET', '/profiles/all', (call) =>
    ok(routes.store.profilesOf(call.userId).map((row) => routes.present(row))),
  );
  routes.add('GET', '/profiles/shared/all/:userId', (_call, userId) =>
    ok(
      routes.store
        .profilesOf(userId!)
        .map((row) => ({ id: row.id, title: row.body['title'], profile_type: { slug: 'actor-performer' } })),
    ),
  );
  routes.add('GET', '/profile/details/:id', (call, id) => ok(routes.present(routes.ownProfile(call, id))));
  routes.add('GET', '/profile/aboutme/:id', (call, id) =>
    ok({ description: routes.ownProfile(call, id).body['description'] ?? null }),
  );
  routes.add(
    'POST',
    '/profile',
    (call) => {
      if (call.json['stage_name'] == null) throw new Refused(422, 'Check', { stage_name: ['Add your stage name'] });
      const known = routes.findByClientId(call, 'profile');
      if (known) return ok({ message: 'Profile created', data: routes.present(known) });
      const body: Body = { profile_photo: null, status: 'active' };
      for (const field of PROFILE_FIELDS) body[field] ??= null;
      for (const field of NEW_PROFILE_FIELDS) {
        if (PROFILE_FIELDS.includes(field) && call.json[field] !== undefined) body[field] = call.json[field];
      }
      const { userId, device } = call;
      const id = routes.store.newId();
      const made = { type: 'profile', id, userId, profileId: id, body, clientId: routes.clientIdOf(call) };
      return ok({ message: 'Profile created', data: routes.present(routes.store.insert(made, device)) }, 201);
    },
    { isExtension: true },
  );
  routes.add('PUT', '/profile/update', (call) => {
    const profile = routes.ownProfile(call, call.json['profile_id']);
    const patch = Object.fromEntries(Object.entries(call.json).filter(([field]) => PROFILE_FIELDS.includes(field)));
    const conflict = routes.checkVersion(call, profile);
    if (conflict) return conflict;
    routes.store.change(profile, patch, call.device);
    return ok({ message: 'Profile updated', data: routes.present(profile) });
  });
}
