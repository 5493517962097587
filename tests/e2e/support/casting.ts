import { randomUUID } from 'node:crypto';
import { PROJECT_FORM } from '#contract/casting/project.ts';
import { ROLE_FORM } from '#contract/casting/role.ts';
import type { Role } from '#contract/records/casting.ts';
import type { Tape } from '#contract/records/tapes.ts';
import { makePerson, makeProfile, type Person } from './people.ts';

/** A short MP4 with sound. */
export const FILM = 'server/demo/videos/chowk.mp4';
const TUS = { 'Tus-Resumable': '1.0.0' };

/** Makes a record of casting. @returns what the server made of it */
export async function make<T = { id: string }>(person: Person, path: string, fields: Record<string, unknown>) {
  const { status, body } = await person.call<{ data: T }>('POST', path, fields);
  if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(body)}`);
  return body.data;
}

/** A role of a new project. */
export async function makeRole(person: Person, fields: Record<string, unknown> = {}) {
  const project = await make(person, '/casting/projects', PROJECT_FORM.example);
  return make<Role>(person, '/casting/roles', { ...ROLE_FORM.example, project_id: project.id, ...fields });
}

/** A deadline in two weeks, long enough for every rule. */
export const inTwoWeeks = () => new Date(Date.now() + 14 * 86_400_000).toISOString();

/** Asks a performer to tape within two weeks. */
export const ask = (person: Person, roleId: string, profileId: string | number, fields: Record<string, unknown> = {}) =>
  make(person, '/casting/requests', {
    role_id: roleId,
    profile_id: profileId,
    deadline_at: inTwoWeeks(),
    ...fields,
  });

/** A performer who was asked to tape for a role of a new project. @param url of the server */
export async function makeAudition(url: string, person: Person, fields: Record<string, unknown> = {}) {
  const performer = await makePerson(url);
  await makeProfile(person, { title: 'Casting director' });
  const profile = await makeProfile(performer, { title: 'Actor' });
  const role = await makeRole(person);
  return { performer, profile, role, request: await ask(person, role.id, profile.id, fields) };
}

interface SentTape {
  /** An MP4. Without it, the tape is announced and still on its way. */
  film?: Buffer;
  /** A JPEG. */
  poster?: Buffer;
  /** A JPEG of six frames side by side. */
  strip?: Buffer;
  /** Seconds. */
  duration?: number;
  note?: string;
}

/** Uploads bytes in one piece. @param id of the upload */
export async function upload(url: string, { token }: Person, id: string, bytes: Buffer): Promise<void> {
  const send = async (method: string, path: string, headers: Record<string, string>, body?: Buffer) => {
    const answer = await fetch(url + path, {
      method,
      headers: { ...TUS, Authorization: `Bearer ${token}`, ...headers },
      ...(body && { body: new Uint8Array(body) }),
    });
    if (!answer.ok) throw new Error(`${method} ${path} answered ${answer.status}: ${await answer.text()}`);
  };
  await send('POST', '/uploads', { 'Upload-Length': String(bytes.length), 'Upload-Metadata': `id ${btoa(id)}` });
  const type = 'application/offset+octet-stream';
  await send('PATCH', `/uploads/${id}`, { 'Upload-Offset': '0', 'Content-Type': type }, bytes);
}

/** Sends a tape of one take, as a performer's device would. */
export async function sendTape(
  url: string,
  performer: Person,
  requestId: string,
  { film, poster, strip, duration = 74, note }: SentTape = {},
): Promise<Tape> {
  const uploadId = randomUUID();
  const take = {
    upload_id: uploadId,
    name: 'Naseem.mp4',
    label: 'Take 1',
    duration,
    width: 640,
    height: 360,
    size: film?.length ?? 1_000_000,
    poster: poster?.toString('base64') ?? null,
    strip: strip?.toString('base64') ?? null,
  };
  const tape = await make<Tape>(performer, '/auditions/tapes', {
    request_id: requestId,
    client_id: randomUUID(),
    takes: [take],
    note: note ?? null,
    finished_device: new Date().toISOString(),
    clock_offset: 0,
    clock_age: 0,
  });
  if (film === undefined) return tape;
  await upload(url, performer, uploadId, film);
  const arrived = await performer.call<{ data: Tape }>('POST', `/auditions/tapes/${tape.id}/arrive`, {
    upload_ids: [uploadId],
  });
  if (arrived.status !== 200) throw new Error(`The tape was answered ${JSON.stringify(arrived.body)}`);
  return arrived.body.data;
}
