import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Audition, AuditionRequest, Role } from '#contract/records/casting.ts';
import type { Mark, Tape } from '#contract/records/tapes.ts';
import { mp4 } from './media-files.ts';
import { addProfile } from './people.ts';
import type { Person, TestServer } from './test-server.ts';

export const DAY_MS = 86_400_000;
const TUS = { 'tus-resumable': '1.0.0' };
const NONE = { nudity: 'None', intimacy: 'None', stunts: 'None' };

/** A person who was asked, by the profile that was asked. */
export interface Asked extends Person {
  profileId: string;
}

interface Refusal {
  message: string;
  errors?: Record<string, string[]>;
  data?: unknown;
}

/** What a device sends when it announces a tape. */
export interface Announced {
  /** Ids of uploads. One new one by default. */
  uploadIds?: string[];
  clientId?: string;
  note?: string;
  noLinks?: boolean;
  /** The CV that goes with it. */
  cv?: { uploadId: string; name?: string };
  /** Pictures of the takes as base64, in their order. */
  posters?: (string | null)[];
  /** Frames of the takes as base64, in their order. */
  strips?: (string | null)[];
  /** When it was finished, by the device's clock, ms. Now by default. */
  finished?: number;
  /** The device's clock when it sends, ms, or the header as it is. That of the server by default; null sends none. */
  sent?: number | string | null;
  offset?: number | null;
  age?: number | null;
  headers?: Record<string, string>;
}

/** Requests of both sides of an audition. */
export function tapeCalls(testServer: TestServer) {
  const now = () => testServer.clock.now().getTime();

  /** Makes a request that must succeed. */
  async function must<T>(person: Person, request: string, body?: unknown): Promise<T> {
    const answer = await testServer.call<T>(request, { token: person.token, body });
    if (answer.status >= 300) throw new Error(`${request}: ${answer.status} ${answer.text}`);
    return answer.body;
  }

  async function addRole(owner: Person, name = 'Naseem'): Promise<Role> {
    const project = await must<{ data: { id: string } }>(owner, 'POST /casting/projects', {
      title: 'The Salt Road',
      type: 'film',
      time_zone: 'Asia/Kolkata',
      rule_pack: 'plain-courtesy',
    });
    const body = { project_id: project.data.id, name, ...NONE };
    return (await must<{ data: Role }>(owner, 'POST /casting/roles', body)).data;
  }

  const addPerformer = async (name = 'Ila Deshpande'): Promise<Asked> => {
    const person = await testServer.join(name);
    return { ...person, profileId: (await addProfile(testServer, person)).id };
  };

  /** Asks a performer for a role, by default with a deadline in ten days. @returns the id of the request */
  async function ask(owner: Person, roleId: string, performer: Asked, deadline = now() + 10 * DAY_MS): Promise<string> {
    const body = { role_id: roleId, profile_id: performer.profileId, deadline_at: new Date(deadline).toISOString() };
    return (await must<{ data: AuditionRequest }>(owner, 'POST /casting/requests', body)).data.id;
  }

  /** An owner, a role of theirs, and a performer who was asked for it. */
  async function addAudition() {
    const [owner, performer] = [await testServer.join('Meera Casting'), await addPerformer()];
    const role = await addRole(owner);
    return { owner, performer, role, requestId: await ask(owner, role.id, performer) };
  }

  async function upload({ token }: Person, bytes: Buffer = mp4(), id: string = randomUUID()): Promise<string> {
    const created = await testServer.call('POST /uploads', {
      token,
      headers: { ...TUS, 'upload-length': String(bytes.length), 'upload-metadata': `id ${btoa(id)}` },
    });
    expect(created.status).toBe(201);
    const headers = { ...TUS, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
    expect((await testServer.call(`PATCH /uploads/${id}`, { token, headers, body: bytes })).status).toBe(204);
    return id;
  }

  function toAnnouncement(
    requestId: string,
    { uploadIds = [randomUUID()], clientId, cv, note, noLinks, posters, strips, ...clock }: Announced,
  ) {
    const { finished = now(), offset = 0, age = 0 } = clock;
    return {
      request_id: requestId,
      client_id: clientId ?? randomUUID(),
      takes: uploadIds.map((upload_id, index) => ({
        upload_id,
        name: `Take ${index + 1}.mp4`,
        label: `Take ${index + 1}`,
        duration: 3,
        width: 640,
        height: 360,
        size: 2500,
        ...(posters && { poster: posters[index] }),
        ...(strips && { strip: strips[index] }),
      })),
      ...(cv && { cv: { upload_id: cv.uploadId, name: cv.name ?? 'Ila Deshpande CV', size: 900 } }),
      note: note ?? null,
      ...(noLinks !== undefined && { no_links: noLinks }),
      finished_device: new Date(finished).toISOString(),
      clock_offset: offset,
      clock_age: age,
    };
  }

  const announce = (person: Person, requestId: string, announced: Announced = {}) => {
    const { sent = now(), headers } = announced;
    return testServer.call<{ data: Tape } & Refusal>('POST /auditions/tapes', {
      token: person.token,
      headers: { ...(sent !== null && { 'x-device-time': String(sent) }), ...headers },
      body: toAnnouncement(requestId, announced),
    });
  };

  const arrive = (person: Person, tapeId: string, uploadIds: string[], headers: Record<string, string> = {}) =>
    testServer.call<{ data: Tape } & Refusal>(`POST /auditions/tapes/${tapeId}/arrive`, {
      token: person.token,
      headers,
      body: { upload_ids: uploadIds },
    });

  /** Announces a tape and brings its bytes. */
  async function sendTape(
    person: Person,
    requestId: string,
    { videos = [mp4()], pdf, ...announced }: Announced & { videos?: Buffer[]; pdf?: Buffer } = {},
  ) {
    const uploadIds: string[] = [];
    for (const video of videos) uploadIds.push(await upload(person, video));
    const cv = pdf && { uploadId: await upload(person, pdf) };
    const first = await announce(person, requestId, { ...announced, uploadIds, ...(cv && { cv }) });
    expect(first.status).toBe(201);
    const arrived = await arrive(person, first.body.data.id, [...uploadIds, ...(cv ? [cv.uploadId] : [])]);
    expect(arrived.status).toBe(200);
    return arrived.body.data;
  }

  const view = (person: Person, tapeId: string, seconds: number, headers: Record<string, string> = {}) =>
    testServer.call<{ data: Tape } & Refusal>(`POST /casting/tapes/${tapeId}/viewed`, {
      token: person.token,
      headers,
      body: { seconds },
    });

  const mark = (person: Person, tapeId: string, body: object) =>
    testServer.call<{ data: Tape; marks: Mark[] } & Refusal>(`PUT /casting/tapes/${tapeId}/mark`, {
      token: person.token,
      body,
    });

  /** The records of a person that are not deleted, by type. */
  async function getRecords<T>(person: Person, type: string): Promise<T[]> {
    const { body } = await testServer.call<{ records: { type: string; body: T | null }[] }>('GET /sync', {
      token: person.token,
    });
    return body.records.flatMap((each) => (each.type === type && each.body !== null ? [each.body] : []));
  }

  const getAudition = async (person: Person): Promise<Audition> => (await getRecords<Audition>(person, 'audition'))[0]!;
  const getTapes = (person: Person) => getRecords<Tape>(person, 'tape');
  const fetchFile = (path: string, person: Person | null, headers: Record<string, string> = {}) =>
    testServer.call(`GET ${path}`, { token: person?.token ?? null, headers });

  return {
    must,
    addRole,
    addPerformer,
    ask,
    addAudition,
    upload,
    announce,
    arrive,
    sendTape,
    view,
    mark,
    getRecords,
    getAudition,
    getTapes,
    fetchFile,
  };
}
