import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import http from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { buildApp } from '#server/app.ts';
import { readConfig } from '#server/config.ts';
import { openDatabase } from '#server/db/open.ts';
import { diskStorage } from '#server/storage/disk.ts';
import type { Storage } from '#server/storage/storage.ts';

const quiet = { debug() {}, info() {}, warn: console.warn, error: console.error };

/** A real server on a real socket, with its own database and store; `node` starts another on the same two. */
export async function startFiles() {
  const dataDir = await mkdtemp(path.join(tmpdir(), 'files-'));
  const config = readConfig({ DATA_DIR: dataDir, LOG_LEVEL: 'error', RATE_LIMIT_SCALE: '0' });
  const database = await openDatabase(config, quiet);
  const storage = await diskStorage(path.join(dataDir, 'files'));
  const clock = { now: () => new Date() };
  const closers = [() => rm(dataDir, { recursive: true, force: true }), database.close];

  async function node(over: { storage?: Storage } = {}) {
    const app = await buildApp({ config, db: database.db, clock, storage, checkAnswers: true, ...over });
    const url = await app.listen({ port: 0, host: '127.0.0.1' });
    closers.push(() => app.close());
    return { app, url };
  }
  return {
    ...(await node()),
    node,
    db: database.db,
    pool: database.pool,
    storage,
    clock,
    async stop() {
      for (const close of closers.reverse()) await close();
    },
  };
}

export interface Person {
  token: string;
  profileId: string;
}

/** Signs somebody up with a profile. */
export async function person(url: string): Promise<Person> {
  const headers = { 'content-type': 'application/json', accept: 'application/json' };
  const post = async (path: string, body: unknown, token?: string) => {
    const authorization = token === undefined ? {} : { authorization: `Bearer ${token}` };
    const answer = await fetch(url + path, {
      method: 'POST',
      headers: { ...headers, ...authorization },
      body: JSON.stringify(body),
    });
    if (!answer.ok) throw new Error(`${path} answered ${answer.status}: ${await answer.text()}`);
    return answer.json() as Promise<{ token: string; data: { id: string } }>;
  };
  const { token } = await post('/register', {
    name: 'Nell Gwyn',
    email: `${randomUUID()}@callboard.test`,
    password: 'orange girl of drury lane',
  });
  const { data } = await post('/profile', { profile_type_id: '1', stage_name: 'Nell' }, token);
  return { token, profileId: data.id };
}

const base64 = (text: string) => Buffer.from(text).toString('base64');

/** The tus calls of one person. */
export function tus(url: string, { token }: Pick<Person, 'token'>) {
  const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0', accept: 'application/json' };
  const call = (method: string, path: string, more: Record<string, string>, body?: Uint8Array) =>
    fetch(url + path, { method, headers: { ...headers, ...more }, ...(body && { body }) });
  return {
    call,
    create: (id: string, length: number | string) =>
      call('POST', '/uploads', { 'upload-length': String(length), 'upload-metadata': `id ${base64(id)}` }),
    head: (id: string) => call('HEAD', `/uploads/${id}`, {}),
    remove: (id: string) => call('DELETE', `/uploads/${id}`, {}),
    patch: (id: string, offset: number | string, bytes: Uint8Array) =>
      call('PATCH', `/uploads/${id}`, { 'upload-offset': String(offset), 'content-type': CHUNK }, bytes),

    /** Opens a PATCH that says it brings `announced` bytes, over a connection of its own. */
    open(id: string, offset: number, announced: number) {
      const request = http.request(`${url}/uploads/${id}`, {
        method: 'PATCH',
        agent: false,
        headers: { ...headers, 'upload-offset': offset, 'content-type': CHUNK, 'content-length': announced },
      });
      const answered = new Promise<number>((resolve, reject) => {
        request.once('response', (answer) => resolve(answer.resume().statusCode ?? 0));
        request.once('error', reject);
      });
      answered.catch(() => undefined);
      return {
        answered,
        send: (bytes: Uint8Array) => new Promise<void>((resolve) => void request.write(bytes, () => resolve())),
        /** As when the train goes into the tunnel. */
        cut: () => request.destroy(),
      };
    },
  };
}
const CHUNK = 'application/offset+octet-stream';

export const offsetOf = (answer: Response) => Number(answer.headers.get('upload-offset') ?? NaN);
