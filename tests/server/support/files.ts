import http from 'node:http';
import { afterAll, beforeAll } from 'vitest';
import { buildApp } from '#server/app.ts';
import type { Storage } from '#server/platform/storage/storage.ts';
import { addProfile } from './people.ts';
import { openTestServer, type Person, type TestServer, type TestServerOptions } from './test-server.ts';

export interface Performer extends Person {
  profileId: string;
}

/** A test server that listens on a real socket, so that connections can be cut. */
export interface FileTestServer extends TestServer {
  url: string;
  storage: Storage;
  /** Opens another server on the same database and store. */
  openNode: (over?: { storage?: Storage }) => Promise<{ url: string; close: () => Promise<void> }>;
  addPerformer: () => Promise<Performer>;
  /** Returns every key in the store. */
  keys: () => Promise<Set<string>>;
}

/** Opens one for a test file and closes it afterwards. */
export function useFileTestServer(options?: TestServerOptions): FileTestServer {
  const testServer = {} as FileTestServer;
  const nodes: (() => Promise<void>)[] = [];
  beforeAll(async () => {
    const opened = await openTestServer(options);
    const { config, storage } = opened.app.deps;
    Object.assign(testServer, opened, { storage, url: await opened.app.listen({ port: 0, host: '127.0.0.1' }) });

    testServer.openNode = async (over) => {
      const { db, connection } = opened.database;
      const app = await buildApp({ config, db, connection, clock: opened.clock, storage, ...over });
      const close = () => app.close();
      nodes.push(close);
      return { url: await app.listen({ port: 0, host: '127.0.0.1' }), close };
    };
    testServer.addPerformer = async () => {
      const person = await opened.join();
      return { ...person, profileId: (await addProfile(opened, person)).id };
    };
    testServer.keys = async () => {
      const keys = new Set<string>();
      for await (const { key } of storage.list()) keys.add(key);
      return keys;
    };
  });
  afterAll(async () => {
    for (const close of nodes) await close();
    await testServer.close();
  });
  return testServer;
}

/** Two performers on a test server with files. */
export function useTwoPerformers(options?: TestServerOptions): FileTestServer & { nell: Performer; moll: Performer } {
  const testServer = useFileTestServer(options) as ReturnType<typeof useTwoPerformers>;
  beforeAll(async () => {
    testServer.nell = await testServer.addPerformer();
    testServer.moll = await testServer.addPerformer();
  });
  return testServer;
}

const CHUNK = 'application/offset+octet-stream';
const base64 = (text: string) => Buffer.from(text).toString('base64');

/** The tus requests of one person. */
export function tus(url: string, { token }: Pick<Person, 'token'>) {
  const headers = { authorization: `Bearer ${token}`, 'tus-resumable': '1.0.0', accept: 'application/json' };
  const call = (method: string, path: string, more: Record<string, string>, body?: Uint8Array<ArrayBuffer>) =>
    fetch(url + path, { method, headers: { ...headers, ...more }, ...(body && { body }) });
  return {
    call,
    /** @param file the name and type that the sender gives; none by default */
    create: (id: string, length: number | string, file?: { name: string; type: string }) => {
      const told = file ? `,filename ${base64(file.name)},filetype ${base64(file.type)}` : '';
      const metadata = `id ${base64(id)}${told}`;
      return call('POST', '/uploads', { 'upload-length': String(length), 'upload-metadata': metadata });
    },
    head: (id: string) => call('HEAD', `/uploads/${id}`, {}),
    remove: (id: string) => call('DELETE', `/uploads/${id}`, {}),
    patch: (id: string, offset: number | string, bytes: Uint8Array<ArrayBuffer>) =>
      call('PATCH', `/uploads/${id}`, { 'upload-offset': String(offset), 'content-type': CHUNK }, bytes),

    /** Opens a PATCH on its own connection that announces `announced` bytes. */
    open(id: string, offset: number, announced: number) {
      const request = http.request(`${url}/uploads/${id}`, {
        method: 'PATCH',
        agent: false,
        headers: { ...headers, 'upload-offset': offset, 'content-type': CHUNK, 'content-length': announced },
      });
      const answered = new Promise<number | 'cut'>((resolve) => {
        request.once('response', (answer) => resolve(answer.resume().statusCode ?? 0));
        request.once('error', () => resolve('cut'));
      });
      const closed = new Promise<void>((resolve) => request.once('close', () => resolve()));
      return {
        answered,
        closed,
        send: (bytes: Uint8Array) => new Promise<void>((resolve) => void request.write(bytes, () => resolve())),
        /** Breaks the connection without closing it properly. */
        cut: () => request.destroy(),
      };
    },
  };
}

export const getOffset = (answer: Response) => Number(answer.headers.get('upload-offset') ?? NaN);
