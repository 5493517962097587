import type { FastifyInstance } from 'fastify';
import { CALLS } from '#contract/calls.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import type { Endpoint } from '#contract/section.ts';
import { users } from '#server/db/schema.ts';
import { DEMO_PEOPLE, type DemoPerson } from './people.ts';

/** Fixed, and printed at every start with demo people: it guards nothing. */
export const DEMO_SIGN_IN = { email: 'meera@callboard.example', password: 'curtain up at eight' };

/** Calls the API as the app would, so that demo data is as valid as anybody's. */
async function call(
  app: FastifyInstance,
  endpoint: Endpoint,
  payload: object,
  token?: string,
): Promise<Record<string, unknown>> {
  const answer = await app.inject({
    method: endpoint.method,
    url: endpoint.path,
    headers: {
      'x-requested-with': 'XMLHttpRequest',
      'user-agent': 'Callboard demo',
      ...(token && { authorization: `Bearer ${token}` }),
    },
    payload,
  });
  if (answer.statusCode >= 300) throw new Error(`${endpoint.path} refused demo data: ${answer.body}`);
  return answer.json<Record<string, unknown>>();
}

async function addPerson(app: FastifyInstance, person: DemoPerson, typeIds: Map<string, string>): Promise<void> {
  const { name, email } = person;
  const { token } = await call(app, CALLS.register, { name, email, password: DEMO_SIGN_IN.password });
  const as = (endpoint: Endpoint, payload: object) => call(app, endpoint, payload, String(token));
  for (const { type, sections, stage_name, title, location, ...rest } of person.profiles) {
    const made = await as(CALLS.createProfile, { profile_type_id: typeIds.get(type), stage_name, title, location });
    const profile_id = (made.data as { id: string }).id;
    await as(CALLS.updateProfile, { profile_id, ...rest });
    for (const section of SECTIONS) {
      const { create } = section.endpoints;
      const isOfType = section.profileTypes?.includes(type) ?? true;
      if (create === null || !isOfType) continue;
      const rows = sections[section.key] ?? [section.example];
      // The list shows the newest on top, so the last of these goes in first.
      for (const row of [...rows].reverse()) await as(create, { profile_id, ...row });
    }
  }
}

/**
 * Puts demo people into an empty store.
 * @returns whether the store has them: false where other people live already
 */
export async function seedDemo(app: FastifyInstance): Promise<boolean> {
  const people = await app.deps.db.select({ email: users.email }).from(users).limit(DEMO_PEOPLE.length);
  if (people.length > 0) return people.some((person) => person.email === DEMO_SIGN_IN.email);
  const types = await app.inject({ url: CALLS.profileTypes.path, headers: { 'x-requested-with': 'XMLHttpRequest' } });
  const typeIds = new Map(types.json<{ id: string; slug: string }[]>().map((type) => [type.slug, type.id]));
  for (const person of DEMO_PEOPLE) await addPerson(app, person, typeIds);
  return true;
}
