import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import net from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { ConfigError, readConfig, type S3Settings } from '#server/platform/config.ts';
import { openForTools } from '#server/platform/db/open.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import { wav } from './support/media-files.ts';
import { quietLog } from './support/quiet.ts';
import { startS3Server, type S3Server } from './support/s3-server.ts';
import { callServer, startServer } from './support/server-process.ts';
import { toEnv } from './support/store.ts';

let s3: S3Server;
let dataDir = '';
beforeAll(async () => {
  s3 = await startS3Server();
  dataDir = await mkdtemp(path.join(tmpdir(), 'callboard-s3-'));
});
beforeEach(() => {
  s3.intercept = () => false;
  s3.objects.clear();
});
afterAll(async () => {
  await s3.close();
  await rm(dataDir, { recursive: true, force: true });
});

/** Returns the URL of a port where nothing listens. */
async function findUnusedUrl(): Promise<string> {
  const server = net.createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as net.AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return `http://127.0.0.1:${port}`;
}

describe('rejects an unusable bucket at startup in one line', () => {
  const open = (over: Partial<S3Settings>) => openStorage(readConfig(toEnv({ ...s3.settings, ...over })));
  /** Refuses calls of this operation as S3 does when a key lacks a permission. */
  const forbid = (operation: string): S3Server['intercept'] => {
    return (call) => {
      if (call.operation !== operation) return false;
      call.response.writeHead(403).end('<Error><Code>AccessDenied</Code></Error>');
      return true;
    };
  };

  test('leaves nothing of the startup check in a working bucket', async () => {
    await open({});
    expect([s3.objects.size, s3.unfinished.size]).toEqual([0, 0]);
  });

  test.each<[Partial<S3Settings>, RegExp]>([
    [{ secretAccessKey: 'wrong' }, /^S3_SECRET_ACCESS_KEY is not the secret of S3_ACCESS_KEY_ID at http:\/\/\S+$/],
    [{ accessKeyId: 'NOBODY' }, /^S3_ACCESS_KEY_ID is not known at http:\/\/\S+$/],
    [{ bucket: 'elsewhere' }, /^S3_BUCKET elsewhere does not exist at http:\/\/\S+$/],
    [{ region: 'us-west-2' }, /^S3_REGION us-west-2 is not the region of S3_BUCKET callboard$/],
  ])('%j', async (over, line) => {
    const opened = open(over);
    await expect(opened).rejects.toThrow(ConfigError);
    await expect(opened).rejects.toThrow(line);
  });

  test.each([
    ['ListObjectsV2', 'list'],
    ['ListMultipartUploads', 'list unfinished uploads of'],
    ['PutObject', 'write to'],
    ['GetObject', 'read from'],
    ['DeleteObject', 'delete from'],
  ])('reports a key without permission to %s', async (operation, what) => {
    s3.intercept = forbid(operation);
    await expect(open({})).rejects.toThrow(`S3_ACCESS_KEY_ID may not ${what} S3_BUCKET callboard`);
    expect(s3.objects.size).toBe(operation === 'DeleteObject' ? 1 : 0);
  });

  test('reports an endpoint that is not reachable', async () => {
    const endpoint = await findUnusedUrl();
    await expect(open({ endpoint })).rejects.toThrow(`S3_ENDPOINT ${endpoint} cannot be reached: ECONNREFUSED`);
  });

  test('reports an endpoint that is not S3', async () => {
    s3.intercept = ({ response }) => {
      response.writeHead(404, { 'content-type': 'text/html' }).end('<html>Not here</html>');
      return true;
    };
    await expect(open({})).rejects.toThrow(ConfigError);
  });

  test('exits the server with the message and without the secret', async () => {
    const start = startServer({ DATA_DIR: dataDir, ...toEnv({ ...s3.settings, secretAccessKey: 'open-sesame' }) });
    const output = await start.then(
      () => 'it started',
      (error: Error) => error.message,
    );
    expect(output).toContain('Callboard cannot start: S3_SECRET_ACCESS_KEY is not the secret of S3_ACCESS_KEY_ID');
    expect(output).not.toContain('open-sesame');
    expect(output).not.toContain('    at ');
  });
});

test(
  'leaves nothing visible of a recording whose upload a kill interrupted and clears it after the restart',
  { timeout: 120_000 },
  async () => {
    const env = { DATA_DIR: dataDir, ...toEnv(s3.settings) };
    let server = await startServer(env);
    const { body: person } = await callServer<{ token: string }>(server.url, 'POST /register', {
      body: { name: 'Ila', email: 'ila@callboard.example', password: 'the ghost light stays on' },
    });
    const { token } = person;
    const types = await callServer<{ id: string }[]>(server.url, 'GET /profile_types', { token });
    const profile = await callServer<{ data: { id: string } }>(server.url, 'POST /profile', {
      token,
      body: { profile_type_id: types.body[0]?.id, stage_name: 'Ila' },
    });
    const submit = () => {
      const form = new FormData();
      form.append('profile_id', profile.body.data.id);
      form.append('media_type', 'audio');
      form.append('name', 'Narration');
      form.append('files[]', new Blob([new Uint8Array(wav(400))]), 'narration.wav');
      const headers = { authorization: `Bearer ${token}`, accept: 'application/json', 'idempotency-key': randomUUID() };
      return fetch(`${server.url}/submit/media-form`, { method: 'POST', headers, body: form });
    };

    let killed: Promise<number | null> = Promise.resolve(0);
    s3.intercept = ({ operation }) => {
      if (operation !== 'CompleteMultipartUpload') return false;
      killed = server.end('SIGKILL');
      return true;
    };
    await expect(submit()).rejects.toThrow();
    expect(await killed).toBeNull();
    expect([s3.objects.size, s3.unfinished.size]).toEqual([0, 1]);

    // Two hours later. The job that tidies files is due once an hour.
    for (const upload of s3.unfinished.values()) upload.begunAt = new Date(Date.now() - 2 * 60 * 60_000);
    s3.intercept = () => false;
    server = await startServer(env);
    const database = await openForTools(readConfig(env), quietLog);
    await database.db.execute(sql`select graphile_worker.add_job('tidy.files', '{}'::json)`);
    await database.close();
    await vi.waitFor(() => expect(s3.unfinished.size).toBe(0), { timeout: 10_000 });
    const answer = await submit();
    expect([answer.status, s3.objects.size]).toEqual([201, 1]);
    const { files } = (await answer.json()) as { files: { path: string }[] };
    const stored = await fetch(server.url + files[0]?.path, {
      headers: { authorization: `Bearer ${token}`, range: 'bytes=0-3' },
    });
    expect([stored.status, await stored.text()]).toEqual([206, 'RIFF']);
    expect(await server.end('SIGTERM')).toBe(0);
  },
);
