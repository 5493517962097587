import http from 'node:http';
import { beforeAll, expect, test, vi } from 'vitest';
import { newFileKey } from '#server/platform/storage/storage.ts';
import { useFileTestServer, type Performer } from './support/files.ts';
import { docx, pdf } from './support/media-files.ts';
import * as pictures from './support/pictures.ts';

const testServer = useFileTestServer();
let nell: Performer;
let address: string;
let bytes: Buffer;
beforeAll(async () => {
  nell = await testServer.addPerformer();
  const form = new FormData();
  form.append('profileId', nell.profileId);
  form.append('image', new Blob([new Uint8Array(await pictures.jpeg(300, 200))]), 'me.jpg');
  const headers = { authorization: `Bearer ${nell.token}` };
  const answer = await fetch(`${testServer.url}/profile/avatar`, { method: 'POST', headers, body: form });
  address = testServer.url + ((await answer.json()) as { profile_photo: string }).profile_photo;
  bytes = Buffer.from(await (await fetch(address)).arrayBuffer());
});

const get = (headers: Record<string, string> = {}, method = 'GET') => fetch(address, { method, headers });
const body = async (answer: Response) => Buffer.from(await answer.arrayBuffer());

test('serves a file with its type and headers that prevent execution', async () => {
  const { status, headers } = await get();
  expect(status).toBe(200);
  expect(Object.fromEntries(headers)).toMatchObject({
    'content-type': 'image/webp',
    'content-length': String(bytes.length),
    'x-content-type-options': 'nosniff',
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
  });
  expect(headers.get('content-disposition')).toMatch(/^inline; filename="[0-9a-f]{32}\.webp"$/);
  expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
  const policy = headers.get('content-security-policy')?.split('; ');
  expect(policy).toEqual(expect.arrayContaining(["frame-ancestors 'none'", "object-src 'none'", "base-uri 'none'"]));
});

test('serves every document as a sandboxed download, whatever its name', async () => {
  const stored = async (name: string, content: Buffer) => {
    const form = new FormData();
    for (const [key, value] of [
      ['profile_id', nell.profileId],
      ['media_type', 'document'],
      ['name', 'CV'],
    ] as const)
      form.append(key, value);
    // The name and type that the sender gives are ignored.
    form.append('files[]', new Blob([new Uint8Array(content)], { type: 'text/html' }), name);
    const headers = { accept: 'application/json', authorization: `Bearer ${nell.token}` };
    const answer = await fetch(`${testServer.url}/submit/media-form`, { method: 'POST', headers, body: form });
    const { files } = (await answer.json()) as { files: { path: string }[] };
    return (await fetch(testServer.url + files[0]!.path)).headers;
  };
  for (const [bytes, type, extension] of [
    [pdf(), 'application/pdf', 'pdf'],
    [docx(), 'application/vnd.openxmlformats-officedocument.wordprocessingml.document', 'docx'],
  ] as const) {
    const headers = await stored('cv.html', bytes);
    expect(headers.get('content-type')).toBe(type);
    expect(headers.get('x-content-type-options')).toBe('nosniff');
    expect(headers.get('content-disposition')).toMatch(
      new RegExp(`^attachment; filename="[0-9a-f]{32}\\.${extension}"$`),
    );
    expect(headers.get('content-security-policy')).toMatch(/default-src 'none'.*sandbox/);
  }
});

test('serves ranges', async () => {
  const last = bytes.length - 1;
  for (const [range, start, end] of [
    ['bytes=0-0', 0, 0],
    ['bytes=10-19', 10, 19],
    ['bytes=10-', 10, last],
    ['bytes=-7', last - 6, last],
    [`bytes=5-${last + 1000}`, 5, last],
  ] as const) {
    const answer = await get({ range });
    expect([answer.status, answer.headers.get('content-range')]).toEqual([
      206,
      `bytes ${start}-${end}/${bytes.length}`,
    ]);
    expect(answer.headers.get('content-length')).toBe(String(end - start + 1));
    expect((await body(answer)).equals(bytes.subarray(start, end + 1))).toBe(true);
  }
  const outside = await get({ range: `bytes=${bytes.length}-` });
  expect([outside.status, outside.headers.get('content-range')]).toEqual([416, `bytes */${bytes.length}`]);
  for (const range of ['bytes=0-1,3-4', 'bytes=9-2', 'pages=1-2', 'nonsense']) {
    const answer = await get({ range });
    expect([answer.status, (await body(answer)).length]).toEqual([200, bytes.length]);
  }
});

test('answers conditional requests by ETag', async () => {
  const etag = (await get()).headers.get('etag') ?? '';
  expect(etag).toMatch(/^"[0-9a-f]{32}"$/);
  for (const known of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await get({ 'if-none-match': known });
    expect([answer.status, (await body(answer)).length]).toEqual([304, 0]);
  }
  expect((await get({ 'if-none-match': '"other"' })).status).toBe(200);
  expect((await get({ range: 'bytes=0-0', 'if-range': etag })).status).toBe(206);
  expect((await get({ range: 'bytes=0-0', 'if-range': '"other"' })).status).toBe(200);
});

test('answers HEAD with the size and no body, and does not read the file', async () => {
  const open = vi.spyOn(testServer.app.deps.storage, 'open');
  const whole = await get({}, 'HEAD');
  expect([whole.status, whole.headers.get('content-length')]).toEqual([200, String(bytes.length)]);
  expect((await body(whole)).length).toBe(0);
  const part = await get({ range: 'bytes=2-5' }, 'HEAD');
  expect([part.status, part.headers.get('content-length')]).toEqual([206, '4']);
  expect(open).not.toHaveBeenCalled();
  await body(await get());
  expect(open).toHaveBeenCalledOnce();
  open.mockRestore();
});

test('serves a file of an inactive profile only to its owner', async () => {
  const status = async (value: string) =>
    testServer.call('PUT /profile/update', {
      token: nell.token,
      body: { profile_id: nell.profileId, status: value },
    });
  const other = await testServer.addPerformer();
  await status('inactive');
  expect((await get()).status).toBe(404);
  expect((await get({ authorization: `Bearer ${other.token}` })).status).toBe(404);
  expect((await get({ authorization: `Bearer ${nell.token}` })).status).toBe(200);
  expect((await get({ authorization: `Bearer ${'x'.repeat(43)}` })).status).toBe(401);
  const listed = await testServer.call(`GET /media?profile_id=${nell.profileId}`, { token: other.token });
  expect(listed.status).toBe(404);
  await status('active');
  expect((await get()).status).toBe(200);
});

/** Requests the path unchanged; `fetch` would normalize it. */
const raw = (path: string) =>
  new Promise<{ status: number; text: string }>((resolve, reject) => {
    const { hostname, port } = new URL(testServer.url);
    http
      .get({ hostname, port, path, agent: false }, (answer) => {
        let text = '';
        answer.setEncoding('utf8');
        answer.on('data', (chunk: string) => (text += chunk));
        answer.on('end', () => resolve({ status: answer.statusCode ?? 0, text }));
      })
      .on('error', reject);
  });

test.each([
  '/storage/',
  '/storage/../package.json',
  '/storage/../../../../etc/passwd',
  '/storage/%2e%2e/%2e%2e/%2e%2e/etc/passwd',
  '/storage/..%2f..%2f..%2fetc%2fpasswd',
  '/storage/%252e%252e%252fetc%252fpasswd',
  '/storage//etc/passwd',
  '/storage/unfinished/x',
  '/storage/..\\..\\windows',
  `/storage/${'a'.repeat(32)}%00.jpg`,
  '/storage/%00',
  '/storage/%ff%fe',
  `/storage/${'a'.repeat(5000)}`,
])('returns nothing at %s', async (path) => {
  const { status, text } = await raw(path);
  expect([400, 404, 414]).toContain(status);
  expect(text).not.toMatch(/root:|"name": "callboard"/);
});

test('does not serve a stored file that no record references', async () => {
  const key = newFileKey('webp');
  async function* some() {
    yield await Promise.resolve(Buffer.from('secret'));
  }
  await testServer.storage.write(key, some());
  expect((await raw(`/storage/${key}`)).status).toBe(404);
  expect((await raw(`/storage/${key.slice(0, 2)}/${key}`)).status).toBe(404);
});
