import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { and, asc, eq, inArray } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import sharp from 'sharp';
import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import { CALLS } from '#contract/calls.ts';
import { CASTING_CALLS } from '#contract/casting-calls.ts';
import { CHAT_CALLS, SEND_MESSAGE } from '#contract/chat-calls.ts';
import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import { pathOf } from '#contract/path.ts';
import type { AnyRow, Endpoint, Section } from '#contract/section.ts';
import { getCurrentVersions } from '#contract/legal.ts';
import { SECTIONS, sectionOf } from '#contract/sections/index.ts';
import { media, profiles, sessions, users } from '#server/platform/db/schema.ts';
import { hashPassword } from '#server/features/account/passwords.ts';
import { recordConsents } from '#server/features/account/consents.ts';
import { addSession, addUser, findUserByEmail } from '#server/features/account/store.ts';
import { projectRoot } from '#server/platform/paths.ts';
import type { DemoAudition } from './audition.ts';
import { writePdf } from './document.ts';
import type { DemoConnection } from './people.ts';
import { type DemoMedia, type DemoPerson, type DemoProfile, faceName } from './person.ts';
import { peaksOf, record } from './recording.ts';

/** Device name of a person's session during creation. After a crash it identifies incomplete people, who are then recreated. */
const UNFINISHED_DEVICE = 'Callboard demo, unfinished';
/** Device name of sessions of people who respond to the person being created. */
const HELPER_DEVICE = 'Callboard demo';

const DAY_MS = 86_400_000;

const fileOf = (folder: 'portraits' | 'faces' | 'photos' | 'videos', name: string) =>
  readFile(path.join(projectRoot, 'server', 'demo', folder, name));

/** Ids of lookup entries by name. */
interface Lookups {
  typeIds: Map<string, string>;
  industryIds: Map<string, string>;
  languageIds: Map<string, string>;
}

/** A signed-in demo person. */
interface Actor {
  token: string;
  userId: number;
  /** Their newest profile. */
  profileId: string;
}

/** Creates demo people through the API, as the app would, so that their data is valid. */
export class DemoMaker {
  readonly #app: FastifyInstance;
  readonly #password: string;
  readonly #signal: AbortSignal | undefined;
  readonly #actors = new Map<string, Actor>();
  #lookups: Promise<Lookups> | undefined;
  #passwordHash: Promise<string> | undefined;

  /** @param signal aborts before the next request, which then throws */
  constructor(app: FastifyInstance, password: string, signal?: AbortSignal) {
    this.#app = app;
    this.#password = password;
    this.#signal = signal;
  }

  /** Counts how many of these people, from the first on, exist completely. Removes those that an interrupted run left incomplete. */
  async countMade(people: readonly DemoPerson[]): Promise<number> {
    const { db } = this.#app.deps;
    await db.delete(sessions).where(eq(sessions.device, HELPER_DEVICE));
    const emails = people.map(({ email }) => email);
    const unfinished = await db
      .selectDistinct({ email: users.email })
      .from(users)
      .innerJoin(sessions, eq(sessions.userId, users.id))
      .where(and(inArray(users.email, emails), eq(sessions.device, UNFINISHED_DEVICE)));
    for (const { email } of unfinished) {
      const { token } = await this.#actor(email);
      await this.#call(ACCOUNT_CALLS.deleteAccount, { password: this.#password }, token);
      this.#actors.delete(email);
    }
    const found = await db.select({ email: users.email }).from(users).where(inArray(users.email, emails));
    return Math.max(0, ...found.map(({ email }) => emails.indexOf(email) + 1));
  }

  /** Creates one person with their connections to those created before; does nothing if the e-mail address is taken. */
  async make(
    person: DemoPerson,
    connections: readonly DemoConnection[],
    saved: readonly { by: string; whose: string }[],
  ): Promise<void> {
    const { db, clock } = this.#app.deps;
    const { name, email } = person;
    this.#passwordHash ??= hashPassword(this.#password);
    const passwordHash = await this.#passwordHash;
    const token = await db.transaction(async (tx) => {
      const user = await addUser(tx, {
        name,
        email,
        passwordHash,
        createdAt: clock.now(),
        emailVerifiedAt: clock.now(),
      });
      if (user === null) return null;
      // Nobody reads the mail of demo people.
      await tx.update(users).set({ newsMail: false }).where(eq(users.id, user.id));
      await recordConsents(tx, user.id, getCurrentVersions(), 'registration', clock.now());
      return { userId: user.id, ...(await addSession(tx, user.id, UNFINISHED_DEVICE, clock.now())) };
    });
    if (token === null) return;
    const actor: Actor = { token: token.token, userId: token.userId, profileId: '' };
    this.#actors.set(email, actor);
    // The app opens the oldest profile, and other people see it first.
    for (const profile of person.profiles) {
      const profileId = await this.#addProfile(actor.token, profile);
      actor.profileId ||= profileId;
    }
    for (const connection of connections) await this.#connect(connection);
    for (const { by, whose } of saved) {
      const { profileId } = await this.#actor(whose);
      await this.#call(to(CALLS.saveProfile, { profileId }), {}, (await this.#actor(by)).token);
    }
    await db.delete(sessions).where(and(eq(sessions.userId, actor.userId), eq(sessions.device, UNFINISHED_DEVICE)));
    this.#actors.delete(email);
  }

  /** Adds the portraits and media that an existing person lacks. */
  async addLater(person: DemoPerson): Promise<void> {
    const { db } = this.#app.deps;
    const { token, userId } = await this.#actor(person.email);
    const own = await db
      .select({ id: profiles.id, stageName: profiles.stageName, photoKey: profiles.photoKey })
      .from(profiles)
      .where(eq(profiles.userId, userId));
    for (const profile of person.profiles) {
      const found = own.find(({ stageName }) => stageName === profile.stage_name);
      if (found === undefined) continue;
      const profileId = String(found.id);
      if (profile.face && found.photoKey === null)
        await this.#setPortrait(token, profileId, await fileOf('faces', `${faceName(profile.face)}.jpg`));
      const there = await db
        .select({ kind: media.mediaType, name: media.name })
        .from(media)
        .where(eq(media.profileId, found.id));
      const names = new Set(there.map(({ kind, name }) => `${kind} ${name}`));
      for (const each of [...(profile.laterMedia ?? [])].reverse()) {
        if (!names.has(`${each.kind} ${each.name}`)) await this.#addMedia(token, profileId, each);
      }
    }
  }

  /** Asks a person to tape for a role. What is there already stays as it is. @param whom e-mail address */
  async addAudition({ from, project, role, request, dueInDays }: DemoAudition, whom: string): Promise<void> {
    const { token } = await this.#actor(from);
    const { profileId } = await this.#actor(whom);
    const make = async (endpoint: Endpoint, fields: object) => {
      const { data } = (await this.#call(endpoint, fields, token)) as { data: { id: string } };
      return data.id;
    };
    const project_id = await make(CASTING_CALLS.createProject, project);
    const role_id = await make(CASTING_CALLS.createRole, { ...role, project_id });
    const due = this.#app.deps.clock.now().getTime() + dueInDays * DAY_MS;
    const asked = { ...request, role_id, profile_id: profileId, deadline_at: new Date(due).toISOString() };
    await make(CASTING_CALLS.ask, asked);
  }

  /** Signs out the sessions that were used for creation. */
  async leave(): Promise<void> {
    this.#actors.clear();
    await this.#app.deps.db.delete(sessions).where(eq(sessions.device, HELPER_DEVICE));
  }

  async #actor(email: string): Promise<Actor> {
    const known = this.#actors.get(email);
    if (known) return known;
    const { db, clock } = this.#app.deps;
    const user = await findUserByEmail(db, email);
    if (user === null) throw new Error(`Nobody in the demo has the address ${email}`);
    const [oldest] = await db
      .select({ id: profiles.id })
      .from(profiles)
      .where(eq(profiles.userId, user.id))
      .orderBy(asc(profiles.id))
      .limit(1);
    const { token } = await addSession(db, user.id, HELPER_DEVICE, clock.now());
    const actor = { token, userId: user.id, profileId: String(oldest?.id ?? '') };
    this.#actors.set(email, actor);
    return actor;
  }

  async #call(
    endpoint: Pick<Endpoint, 'method' | 'path'>,
    payload: object,
    token: string,
    headers: Record<string, string> = {},
  ): Promise<Record<string, unknown>> {
    this.#signal?.throwIfAborted();
    const answer = await this.#app.inject({
      method: endpoint.method,
      url: endpoint.path,
      headers: { 'x-requested-with': 'XMLHttpRequest', authorization: `Bearer ${token}`, ...headers },
      payload,
    });
    if (answer.statusCode >= 300) throw new Error(`${endpoint.path} refused demo data: ${answer.body}`);
    return answer.body === '' ? {} : answer.json<Record<string, unknown>>();
  }

  async #readLookups(): Promise<Lookups> {
    const read = async <T>({ path: url }: Endpoint) =>
      (await this.#app.inject({ url, headers: { 'x-requested-with': 'XMLHttpRequest' } })).json<T[]>();
    const named = (list: { id: string; name: string }[]) => new Map(list.map(({ id, name }) => [name, id]));
    const types = await read<{ id: string; slug: string }>(CALLS.profileTypes);
    return {
      typeIds: new Map(types.map(({ slug, id }) => [slug, id])),
      industryIds: named(await read(CALLS.industries)),
      languageIds: named(await read(CALLS.languages)),
    };
  }

  #lists(): Promise<Lookups> {
    return (this.#lookups ??= this.#readLookups());
  }

  async #addProfile(token: string, profile: DemoProfile): Promise<string> {
    const { typeIds, industryIds } = await this.#lists();
    const { type, industry, stage_name, title, location, portrait, face, media: items = [] } = profile;
    const { per_day, dob, min_age_range, max_age_range, description } = profile;
    const made = await this.#call(
      CALLS.createProfile,
      {
        profile_type_id: typeIds.get(type),
        profile_industry_id: industryIds.get(industry),
        stage_name,
        title,
        location,
      },
      token,
    );
    const profile_id = (made['data'] as { id: string }).id;
    const facts = { per_day, dob, min_age_range, max_age_range, description };
    await this.#call(CALLS.updateProfile, { profile_id, ...facts }, token);
    // Lists show the newest first, so insert in reverse order.
    for (const each of [...items].reverse()) await this.#addMedia(token, profile_id, each);
    const drawn = portrait && (await fileOf('portraits', `${portrait}.jpg`));
    if (drawn) {
      await this.#setPortrait(token, profile_id, drawn);
      await this.#addMedia(token, profile_id, {
        kind: 'image',
        name: 'Headshot, stage light',
        fields: { category_type: 'Headshot' },
        bytes: drawn,
      });
    } else if (face && profile.laterMedia === undefined && !profile.hasExamples) {
      await this.#setPortrait(token, profile_id, await fileOf('faces', `${faceName(face)}.jpg`));
    }
    for (const section of SECTIONS) await this.#addRows(token, profile, profile_id, section);
    return profile_id;
  }

  async #addRows(token: string, profile: DemoProfile, profile_id: string, section: Section): Promise<void> {
    const { create, update } = section.endpoints;
    if (section.writtenBy === 'viewers') return;
    if (section.profileTypes?.includes(profile.type) === false) return;
    const rows = profile.sections[section.key] ?? (profile.hasExamples && create ? [section.example] : []);
    const endpoint = create ?? update;
    if (endpoint === null) return;
    // Lists show the newest first, so insert in reverse order.
    for (const row of [...rows].reverse())
      await this.#call(endpoint, { profile_id, ...(await this.#withIds(row)) }, token);
  }

  /** Replaces language names in a row with this server's ids. */
  async #withIds(row: AnyRow): Promise<AnyRow> {
    if (!Array.isArray(row['languages'])) return row;
    const { languageIds } = await this.#lists();
    return { ...row, languages: row['languages'].map((name) => languageIds.get(String(name)) ?? String(name)) };
  }

  async #setPortrait(token: string, profileId: string, bytes: Buffer): Promise<void> {
    const form = new FormData();
    form.append('profileId', profileId);
    form.append('image', new Blob([new Uint8Array(bytes)], { type: 'image/jpeg' }), 'portrait.jpg');
    const encoded = new Response(form);
    const headers = { 'content-type': encoded.headers.get('content-type') ?? '' };
    await this.#call(CALLS.avatar, Buffer.from(await encoded.arrayBuffer()), token, headers);
  }

  async #addMedia(token: string, profile_id: string, item: DemoMedia & { bytes?: Buffer }): Promise<void> {
    const { kind, name, fields, language, hum, drawing } = item;
    const { languageIds } = await this.#lists();
    const poster = kind === 'video' && drawing ? (await readPoster(drawing)).toString('base64') : undefined;
    const upload = await this.#upload(token, item.bytes ?? (await readBytes(item)));
    await this.#call(
      CALLS.submitMedia,
      {
        profile_id,
        media_type: kind,
        name,
        ...fields,
        ...(language && { media_language: languageIds.get(language) }),
        ...(hum && { duration: hum.seconds, peaks: peaksOf(hum) }),
        ...(poster && { duration: FILM_SECONDS, poster }),
        upload_ids: [upload],
      },
      token,
    );
  }

  /** Uploads bytes as the app does. @returns the upload's id */
  async #upload(token: string, bytes: Buffer): Promise<string> {
    const id = randomUUID();
    const tus = { 'tus-resumable': '1.0.0' };
    const named = `id ${Buffer.from(id).toString('base64')}`;
    const announced = { ...tus, 'upload-length': String(bytes.length), 'upload-metadata': named };
    await this.#call(ENGINE_CALLS.createUpload, {}, token, announced);
    const part = { ...tus, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    await this.#call(to(ENGINE_CALLS.upload, { id }), bytes, token, part);
    return id;
  }

  async #connect({ from, to: asked, isAccepted, message, rows, messages = [] }: DemoConnection): Promise<void> {
    const [asking, answering] = [await this.#actor(from), await this.#actor(asked)];
    const request = to(CALLS.requestConnection, { userId: String(answering.userId) });
    const made = await this.#call(request, { message }, asking.token);
    if (isAccepted) {
      const { id } = made['data'] as { id: string };
      const accepted = await this.#call(to(CALLS.acceptConnection, { id }), {}, answering.token);
      const { conversation_id } = accepted['data'] as { conversation_id: string };
      const read = to(CHAT_CALLS.readConversation, { id: conversation_id });
      let lastSeq = 0;
      for (const { by, message: words = '', photo } of messages) {
        const [writer, reader] = by === from ? [asking, answering] : [answering, asking];
        const upload_id = photo && (await this.#upload(writer.token, await fileOf('photos', `${photo}.jpg`)));
        const receiver_id = String(reader.userId);
        // A person who replies has read the messages before.
        await this.#call(read, { seq: lastSeq }, writer.token);
        const body = { conversation_id, receiver_id, message: words, upload_id };
        const sent = await this.#call(SEND_MESSAGE, body, writer.token);
        lastSeq = (sent['data'] as { seq: number }).seq;
      }
    }
    for (const [key, row] of Object.entries(rows ?? {})) {
      const create = sectionOf(key)?.endpoints.create;
      if (create) await this.#call(create, { profile_id: answering.profileId, ...row }, asking.token);
    }
  }
}

const to = (endpoint: Endpoint, params: Record<string, string>) => ({ ...endpoint, path: pathOf(endpoint, params) });

/** Duration of every file in `videos/`. */
const FILM_SECONDS = 8;
const readPoster = async (drawing: string) =>
  sharp(await fileOf('photos', `${drawing}.jpg`))
    .resize(480, 270, { position: 'top' })
    .jpeg({ quality: 75 })
    .toBuffer();

function readBytes({ kind, drawing, face, hum, lines }: DemoMedia): Promise<Buffer> | Buffer {
  if (face) return fileOf('faces', `${faceName(face)}.jpg`);
  if (hum) return record(hum);
  if (lines) return writePdf(lines);
  return kind === 'video' ? fileOf('videos', `${drawing ?? ''}.mp4`) : fileOf('photos', `${drawing ?? ''}.jpg`);
}
