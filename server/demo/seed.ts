import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { FastifyInstance } from 'fastify';
import { CALLS } from '#contract/calls.ts';
import { SEND_MESSAGE } from '#contract/chat-calls.ts';
import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import { pathOf } from '#contract/path.ts';
import { SECTIONS, sectionOf } from '#contract/sections/index.ts';
import type { Endpoint } from '#contract/section.ts';
import { users } from '#server/db/schema.ts';
import { projectRoot } from '#server/paths.ts';
import { DEMO_PEOPLE, DEMO_SAVED, DEMO_TIES, type DemoPerson, type DemoProfile } from './people.ts';

/** Fixed, and printed at every start with demo people: it guards nothing. */
export const DEMO_SIGN_IN = { email: 'meera@callboard.example', password: 'curtain up at eight' };

/** Calls the API as the app would, so that demo data is as valid as anybody's. */
async function call(
  app: FastifyInstance,
  endpoint: Pick<Endpoint, 'method' | 'path'>,
  payload: object,
  token?: string,
  headers: Record<string, string> = {},
): Promise<Record<string, unknown>> {
  const answer = await app.inject({
    method: endpoint.method,
    url: endpoint.path,
    headers: {
      'x-requested-with': 'XMLHttpRequest',
      'user-agent': 'Callboard demo',
      ...(token && { authorization: `Bearer ${token}` }),
      ...headers,
    },
    payload,
  });
  if (answer.statusCode >= 300) throw new Error(`${endpoint.path} refused demo data: ${answer.body}`);
  return answer.body === '' ? {} : answer.json<Record<string, unknown>>();
}

const drawingOf = (folder: 'portraits' | 'photos', name: string) =>
  readFile(path.join(projectRoot, 'server', 'demo', folder, `${name}.jpg`));

/** A drawn portrait as avatar and as the first photo, and the photos that follow it. */
async function addPictures(
  app: FastifyInstance,
  { portrait, photos = [] }: Pick<DemoProfile, 'portrait' | 'photos'>,
  profile_id: string,
  token: string,
): Promise<void> {
  const addPhoto = (fields: { name: string; category_type: string }, bytes: Buffer) =>
    sendForm(
      app,
      CALLS.submitMedia,
      token,
      { profile_id, media_type: 'image', ...fields },
      { field: 'files[]', name: 'photo.jpg', bytes },
    );
  // The newest stands on top, so what follows goes in first.
  for (const { drawing, ...fields } of [...photos].reverse())
    await addPhoto(fields, await drawingOf('photos', drawing));
  if (portrait === undefined) return;
  const bytes = await drawingOf('portraits', portrait);
  await sendForm(app, CALLS.avatar, token, { profileId: profile_id }, { field: 'image', name: 'portrait.jpg', bytes });
  await addPhoto({ name: 'Headshot, stage light', category_type: 'Headshot' }, bytes);
}

async function sendForm(
  app: FastifyInstance,
  endpoint: Endpoint,
  token: string,
  fields: Record<string, string>,
  file: { field: string; name: string; bytes: Buffer },
): Promise<void> {
  const form = new FormData();
  for (const [field, value] of Object.entries(fields)) form.append(field, value);
  form.append(file.field, new Blob([new Uint8Array(file.bytes)], { type: 'image/jpeg' }), file.name);
  const encoded = new Response(form);
  const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
  await call(app, endpoint, Buffer.from(await encoded.arrayBuffer()), token, headers);
}

/** Ids of lookup lists by what the demo calls their entries. */
interface Lookups {
  typeIds: Map<string, string>;
  industryIds: Map<string, string>;
}

async function readLookups(app: FastifyInstance): Promise<Lookups> {
  const read = async <T>({ path: url }: Endpoint) =>
    (await app.inject({ url, headers: { 'x-requested-with': 'XMLHttpRequest' } })).json<T[]>();
  const types = await read<{ id: string; slug: string }>(CALLS.profileTypes);
  const industries = await read<{ id: string; name: string }>(CALLS.industries);
  return {
    typeIds: new Map(types.map(({ slug, id }) => [slug, id])),
    industryIds: new Map(industries.map(({ name, id }) => [name, id])),
  };
}

/** A demo person who is there now. */
interface Added {
  token: string;
  userId: string;
  /** Their newest. */
  profileId: string;
}

async function addPerson(app: FastifyInstance, person: DemoPerson, lookups: Lookups): Promise<Added> {
  const { name, email } = person;
  const { token, user } = await call(app, CALLS.register, { name, email, password: DEMO_SIGN_IN.password });
  let profileId = '';
  const as = (endpoint: Endpoint, payload: object) => call(app, endpoint, payload, String(token));
  // The app opens with the newest profile, so the first of the list is made last.
  for (const { type, sections, portrait, photos, stage_name, title, location, industry, ...rest } of [
    ...person.profiles,
  ].reverse()) {
    const made = await as(CALLS.createProfile, {
      profile_type_id: lookups.typeIds.get(type),
      profile_industry_id: lookups.industryIds.get(industry),
      stage_name,
      title,
      location,
    });
    const profile_id = (made.data as { id: string }).id;
    profileId = profile_id;
    await as(CALLS.updateProfile, { profile_id, ...rest });
    await addPictures(app, { portrait, photos }, profile_id, String(token));
    for (const section of SECTIONS) {
      const { create } = section.endpoints;
      const isOfType = section.profileTypes?.includes(type) ?? true;
      if (create === null || !isOfType || section.writtenBy === 'viewers') continue;
      const rows = sections[section.key] ?? [section.example];
      // The list shows the newest on top, so the last of these goes in first.
      for (const row of [...rows].reverse()) await as(create, { profile_id, ...row });
    }
  }
  return { token: String(token), userId: (user as { id: string }).id, profileId };
}

/** Sends a drawing as the app sends its photos; answers the upload's id. */
async function upload(app: FastifyInstance, name: string, token: string): Promise<string> {
  const bytes = await drawingOf('photos', name);
  const id = randomUUID();
  const tus = { 'tus-resumable': '1.0.0' };
  const named = `id ${Buffer.from(id).toString('base64')}`;
  const announced = { ...tus, 'upload-length': String(bytes.length), 'upload-metadata': named };
  await call(app, ENGINE_CALLS.createUpload, {}, token, announced);
  const part = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  await call(app, { ...ENGINE_CALLS.upload, path: pathOf(ENGINE_CALLS.upload, { id }) }, bytes, token, part);
  return id;
}

/** Who knows whom, and who has saved whose profile. */
async function tiePeople(app: FastifyInstance, people: Map<string, Added>): Promise<void> {
  const known = (name: string): Added => {
    const found = people.get(name);
    if (found === undefined) throw new Error(`Nobody in the demo is called ${name}`);
    return found;
  };
  const to = (endpoint: Endpoint, params: Record<string, string>) => ({ ...endpoint, path: pathOf(endpoint, params) });
  for (const { from, to: asked, isAccepted, message, rows, said = [] } of DEMO_TIES) {
    const request = to(CALLS.requestConnection, { userId: known(asked).userId });
    const made = await call(app, request, { message }, known(from).token);
    const { id } = made.data as { id: string };
    if (isAccepted) {
      const accepted = await call(app, to(CALLS.acceptConnection, { id }), {}, known(asked).token);
      const { conversation_id } = accepted.data as { conversation_id: string };
      for (const { by, message: words = '', photo } of said) {
        const { token } = known(by);
        const receiver_id = known(by === from ? asked : from).userId;
        const upload_id = photo && (await upload(app, photo, token));
        await call(app, SEND_MESSAGE, { conversation_id, receiver_id, message: words, upload_id }, token);
      }
    }
    for (const [key, row] of Object.entries(rows ?? {})) {
      const create = sectionOf(key)?.endpoints.create;
      if (create) await call(app, create, { profile_id: known(asked).profileId, ...row }, known(from).token);
    }
  }
  for (const { by, whose } of DEMO_SAVED) {
    await call(app, to(CALLS.saveProfile, { profileId: known(whose).profileId }), {}, known(by).token);
  }
}

/**
 * Puts demo people into an empty store.
 * @returns whether the store has them: false where other people live already
 */
export async function seedDemo(app: FastifyInstance): Promise<boolean> {
  const people = await app.deps.db.select({ email: users.email }).from(users).limit(DEMO_PEOPLE.length);
  if (people.length > 0) return people.some((person) => person.email === DEMO_SIGN_IN.email);
  const lookups = await readLookups(app);
  const added = new Map<string, Added>();
  for (const person of DEMO_PEOPLE) {
    const firstName = person.name.split(' ', 1)[0] ?? '';
    added.set(firstName.toLowerCase(), await addPerson(app, person, lookups));
  }
  await tiePeople(app, added);
  // Nobody is signed in on a device that does not exist.
  for (const { token } of added.values()) await call(app, CALLS.logout, {}, token);
  return true;
}
