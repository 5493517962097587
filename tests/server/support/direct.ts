import { createHash } from 'node:crypto';
import type { PartsResponse } from '#contract/records/uploads.ts';
import type { Person, TestServer } from './test-server.ts';

const MIB = 1024 * 1024;

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

interface Part {
  n: number;
  bytes: Buffer;
  size: number;
  sha256: string;
}

/** Cuts a file as a device does. */
export const cut = (film: Buffer, partBytes = 5 * MIB): Part[] =>
  Array.from({ length: Math.ceil(film.length / partBytes) }, (_, index) => {
    const bytes = film.subarray(index * partBytes, (index + 1) * partBytes);
    return { n: index + 1, bytes, size: bytes.length, sha256: sha256(bytes) };
  });

/** What a device says of a file that it sends to the bucket. */
export function toFilm(film: Buffer) {
  const parts = cut(film);
  const announced = {
    kind: 'video',
    size: film.length,
    sha256: sha256(film),
    parts: parts.map(({ n, size, sha256: digest }) => ({ n, size, sha256: digest })),
    want: parts.map(({ n }) => n),
  };
  return { parts, announced };
}
export type Film = ReturnType<typeof toFilm>;

/** Requests of a device that sends files to the bucket itself. */
export function directCalls(testServer: TestServer, { token }: Person) {
  const parts = (id: string, body: object) =>
    testServer.call<PartsResponse>(`POST /uploads/${id}/parts`, { token, body });
  const complete = (id: string) => testServer.call<{ state: string }>(`POST /uploads/${id}/complete`, { token });

  /** Sends a part as a browser does: without anything of ours. */
  const put = ({ url, headers }: PartsResponse['urls'][number], bytes: Buffer) =>
    fetch(url, { method: 'PUT', headers, body: new Uint8Array(bytes) });

  /** Sends all parts of a file that are missing. */
  async function sendParts(id: string, film: Film): Promise<void> {
    const { status, text, body } = await parts(id, film.announced);
    if (status !== 201) throw new Error(`${status} ${text}`);
    for (const address of body.urls) {
      const answer = await put(address, film.parts[address.n - 1]!.bytes);
      if (!answer.ok) throw new Error(`Part ${address.n}: ${answer.status} ${await answer.text()}`);
    }
  }

  async function send(id: string, film: Film): Promise<void> {
    await sendParts(id, film);
    const { status, text } = await complete(id);
    if (status !== 202) throw new Error(`${status} ${text}`);
  }

  const look = (id: string) =>
    testServer.call<{ state: string; offset: number; reason: string | null }>(`GET /uploads/${id}`, { token });
  const end = (id: string) =>
    testServer.call(`DELETE /uploads/${id}`, { token, headers: { 'tus-resumable': '1.0.0' } });

  return { parts, put, complete, sendParts, send, look, end };
}
