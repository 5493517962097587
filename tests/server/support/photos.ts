import { randomUUID } from 'node:crypto';
import { expect } from 'vitest';
import type { Media } from '#contract/records/media.ts';
import { tus, type FileTestServer, type Performer } from './files.ts';

interface Answer {
  status: number;
  headers: Headers;
  body: { message: string; files: Media[]; errors?: Record<string, string[]> };
}

/** A form field: a text or a file with its name. */
export type Field = [string, string | Blob] | [string, Blob, string];

export const photo = (bytes: Uint8Array, name = 'photo.jpg'): Field => [
  'files[]',
  new Blob([new Uint8Array(bytes)]),
  name,
];

/** Photo requests of a performer: Nell unless another person is given. */
export function photoCalls(testServer: FileTestServer & { nell: Performer }) {
  async function submit(
    fields: Field[],
    { token = testServer.nell.token, ...headers }: Record<string, string> = {},
  ): Promise<Answer> {
    const form = new FormData();
    for (const [name, value, fileName] of fields) {
      if (typeof value === 'string') form.append(name, value);
      else form.append(name, value, fileName);
    }
    const answer = await fetch(`${testServer.url}/submit/media-form`, {
      method: 'POST',
      headers: { accept: 'application/json', authorization: `Bearer ${token}`, ...headers },
      body: form,
    });
    return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer['body'] };
  }
  const fields = (over: Record<string, string> = {}): Field[] =>
    Object.entries({ profile_id: testServer.nell.profileId, media_type: 'image', name: 'On stage', ...over });
  const attach = (body: object, { token = testServer.nell.token, ...headers }: Record<string, string> = {}) =>
    testServer.call<Answer['body']>('POST /submit/media-form', { token, headers, body });
  const photos = async (person = testServer.nell) =>
    (await testServer.call<Media[]>(`GET /media?profile_id=${person.profileId}`, { token: person.token })).body;

  async function upload(bytes: Uint8Array, person = testServer.nell): Promise<string> {
    const id = randomUUID();
    const calls = tus(testServer.url, person);
    await calls.create(id, bytes.byteLength);
    expect((await calls.patch(id, 0, new Uint8Array(bytes))).status).toBe(204);
    return id;
  }

  const snapshot = async () => [
    await testServer.keys(),
    await photos(),
    (await testServer.call('GET /sync', { token: testServer.nell.token })).body.cursor,
  ];
  /** Checks that a rejected submission leaves no record, file or change in the sync feed. */
  async function expectNoChange(act: () => Promise<void>): Promise<void> {
    const before = await snapshot();
    await act();
    expect(await snapshot()).toEqual(before);
  }
  return { submit, fields, attach, photos, upload, expectNoChange };
}
