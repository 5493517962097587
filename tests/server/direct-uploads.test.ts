import { randomBytes, randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { LIMITS } from '#contract/limits.ts';
import type { Media } from '#contract/records/media.ts';
import { checkUpload } from '#server/features/media/direct/check.ts';
import type { Place } from '#server/platform/storage/quarantine.ts';
import { newFileKey } from '#server/platform/storage/storage.ts';
import { cut, directCalls, sha256, toFilm } from './support/direct.ts';
import { tus, useTwoPerformers } from './support/files.ts';
import { mp4 } from './support/media-files.ts';
import { startS3Server } from './support/s3-server.ts';
import { toEnv } from './support/store.ts';
import { sweep } from './support/uploads.ts';

const MIB = 1024 * 1024;
const DAY_MS = 86_400_000;
const s3 = await startS3Server();
const env = { ...toEnv({ ...s3.settings, direct: {} }), MAX_VIDEO_MB: '60', MAX_STORAGE_MB_PER_PERSON: '5000' };
const testServer = useTwoPerformers({ env });
/** Its bytes differ in every part. */
const bytes = mp4({ pictures: randomBytes(17 * MIB) });
const film = toFilm(bytes);
const { announced } = film;

beforeEach(() => {
  s3.intercept = () => false;
  s3.offers.checksums = true;
  s3.now = () => new Date();
  s3.objects.clear();
  s3.unfinished.clear();
});
afterAll(() => s3.close());

const nell = () => directCalls(testServer, testServer.nell);

/** Attaches an upload to the portfolio of a performer. */
const submit = (id: string, by = testServer.nell) =>
  testServer.call<{ files: Media[]; errors: Record<string, string[]> }>('POST /submit/media-form', {
    token: by.token,
    body: { profile_id: by.profileId, media_type: 'video', name: 'Tape', upload_ids: [id] },
  });

const fetchFile = async ({ path }: Pick<Media, 'path'>) => {
  const answer = await fetch(testServer.url + path, { headers: { authorization: `Bearer ${testServer.nell.token}` } });
  return Buffer.from(await answer.arrayBuffer());
};

const quarantined = () => [
  ...[...s3.objects.keys()].filter((key) => key.startsWith('quarantine/')),
  ...[...s3.unfinished.values()].filter(({ key }) => key.startsWith('quarantine/')).map(({ key }) => key),
];

/** Makes failed jobs due, as time would. */
const retryJobs = async () => {
  await testServer.database.pool.query('update graphile_worker._private_jobs set run_at = now()');
  await testServer.runJobs();
};

describe('a film that a device sends to the bucket', () => {
  test('is checked, attached and served, and hardly any of its bytes pass the server', async () => {
    const [id, before] = [randomUUID(), s3.serverBytes()];
    await nell().send(id, film);
    expect((await nell().look(id)).body).toMatchObject({ state: 'checking', offset: bytes.length });
    await testServer.runJobs();
    expect((await nell().look(id)).body).toMatchObject({ state: 'ready', offset: bytes.length, reason: null });
    const { status, body } = await submit(id);
    expect(status).toBe(201);
    expect(body.files).toMatchObject([{ size: bytes.length, duration: 3, width: 640, height: 360 }]);
    expect(s3.serverBytes() - before).toBeLessThan(256 * 1024);
    expect(sha256(await fetchFile(body.files[0]!))).toBe(announced.sha256);
    expect(quarantined()).toEqual([]);
    expect((await nell().look(id)).status).toBe(404);
  });

  test('goes on with the parts that are missing, as the bucket knows them', async () => {
    const id = randomUUID();
    const [, second] = (await nell().parts(id, announced)).body.urls;
    await nell().put(second!, film.parts[1]!.bytes);
    const { body } = await nell().parts(id, announced);
    expect(body.done).toEqual([{ n: 2, size: 5 * MIB }]);
    expect(body.urls.map(({ n }) => n)).toEqual([1, 3, 4]);
    expect((await nell().look(id)).body).toMatchObject({ state: 'open', offset: 5 * MIB });
    expect(await nell().complete(id)).toMatchObject({ status: 409 });
  });

  test('is attached as another device sent it to the server when it has not arrived in the bucket', async () => {
    const id = randomUUID();
    await nell().parts(id, announced);
    expect((await submit(id)).body.errors).toHaveProperty('upload_ids');
    const calls = tus(testServer.url, testServer.nell);
    const created = await calls.create(id, bytes.length);
    expect(created.status).toBe(201);
    expect((await calls.patch(id, 0, new Uint8Array(bytes))).status).toBe(204);
    const { status, body } = await submit(id);
    expect(status).toBe(201);
    expect(sha256(await fetchFile(body.files[0]!))).toBe(announced.sha256);
    expect((await nell().look(id)).status).toBe(404);
  });

  test('begins anew when the bucket has forgotten what arrived', async () => {
    const id = randomUUID();
    await nell().sendParts(id, film);
    s3.unfinished.clear();
    expect(await nell().complete(id)).toMatchObject({ status: 409 });
    await nell().send(id, film);
    await testServer.runJobs();
    expect(await submit(id)).toMatchObject({ status: 201 });
  });

  test('loses where it was filmed, and nothing else', async () => {
    const id = randomUUID();
    const marked = mp4({ pictures: randomBytes(20 * MIB), place: '+18.94+72.83/' });
    await nell().send(id, toFilm(marked));
    await testServer.runJobs();
    const stored = await fetchFile((await submit(id)).body.files[0]!);
    expect(stored.includes('+18.94')).toBe(false);
    expect(stored.length).toBe(marked.length);
    const contentAt = marked.indexOf('mdat');
    expect(stored.subarray(contentAt).equals(marked.subarray(contentAt))).toBe(true);
  });

  test('is refused with a reason when it is no video, and the request that attaches it says so', async () => {
    const id = randomUUID();
    await nell().send(id, toFilm(randomBytes(17 * MIB)));
    await testServer.runJobs();
    expect((await nell().look(id)).body).toMatchObject({
      state: 'refused',
      reason: 'Only .MP4, .AVI, .MOV and .WEBM videos',
    });
    const { status, body } = await submit(id);
    expect([status, body.errors]).toEqual([422, { files: ['Only .MP4, .AVI, .MOV and .WEBM videos'] }]);
    expect(quarantined()).toEqual([]);
  });

  test('cannot be attached before it was checked, nor by anybody else', async () => {
    const id = randomUUID();
    await nell().sendParts(id, film);
    expect((await submit(id)).body.errors).toEqual({ upload_ids: ['This upload is not finished yet'] });
    await nell().complete(id);
    expect(await submit(id)).toMatchObject({ status: 409, headers: { 'retry-after': '2' } });
    await testServer.runJobs();
    expect(Object.keys((await submit(id, testServer.moll)).body.errors)).toEqual(['upload_ids']);
    expect(await submit(id)).toMatchObject({ status: 201 });
  });

  test('is checked once, however often its completion is asked for', async () => {
    const id = randomUUID();
    await nell().send(id, film);
    expect(await nell().complete(id)).toMatchObject({ status: 202, body: { state: 'checking' } });
    await testServer.runJobs();
    expect(await nell().complete(id)).toMatchObject({ status: 202, body: { state: 'ready' } });
    expect(s3.objects.size).toBe(1);
  });
});

describe('trouble with the bucket', () => {
  test('a check that goes on after another has ended leaves the checked file alone', async () => {
    const id = randomUUID();
    await nell().send(id, film);
    const { deps } = testServer.app;
    const quarantine = deps.storage.quarantine!;
    const listParts = async (place: Place) => {
      await testServer.runJobs();
      return quarantine.listParts(place);
    };
    await checkUpload({ ...deps, storage: { ...deps.storage, quarantine: { ...quarantine, listParts } } }, id);
    expect((await nell().look(id)).body).toMatchObject({ state: 'ready' });
  });

  test('an error inside a 200 is a failure, and the check is done again', async () => {
    const id = randomUUID();
    await nell().send(id, film);
    s3.intercept = ({ operation, response }) => {
      if (operation !== 'CompleteMultipartUpload') return false;
      response.writeHead(200).end('<?xml version="1.0"?>\n<Error><Code>InternalError</Code></Error>');
      return true;
    };
    await testServer.runJobs({ mayFail: 'uploads.check' });
    expect((await nell().look(id)).body.state).toBe('checking');
    s3.intercept = () => false;
    await retryJobs();
    expect((await nell().look(id)).body.state).toBe('ready');
  });

  test.each(['CompleteMultipartUpload', 'UploadPart'])('a lost answer to %s does not matter', async (lost) => {
    const id = randomUUID();
    await nell().send(id, film);
    let isLost = false;
    s3.intercept = ({ operation, response }) => {
      if (operation !== lost || isLost) return false;
      isLost = true;
      response.end = () => {
        response.socket?.destroy();
        return response;
      };
      return false;
    };
    await testServer.runJobs();
    expect(isLost).toBe(true);
    const { body } = await submit(id);
    expect(sha256(await fetchFile(body.files[0]!))).toBe(announced.sha256);
  });

  test('a server that is killed after it put the parts together goes on from there', async () => {
    const id = randomUUID();
    await nell().send(id, film);
    s3.intercept = ({ operation, response }) => {
      if (operation !== 'HeadObject') return false;
      response.socket?.destroy();
      return true;
    };
    await testServer.runJobs({ mayFail: 'uploads.check' });
    expect([...s3.objects.keys()].length).toBe(1);
    s3.intercept = () => false;
    await retryJobs();
    expect(await submit(id)).toMatchObject({ status: 201 });
  });

  test('where it computes no digests, the server reads the file once and compares', async () => {
    s3.offers.checksums = false;
    const [id, before] = [randomUUID(), s3.serverBytes()];
    await nell().send(id, film);
    await testServer.runJobs();
    expect(await submit(id)).toMatchObject({ status: 201 });
    expect(s3.serverBytes() - before).toBeGreaterThan(bytes.length);
    expect(s3.serverBytes() - before).toBeLessThan(bytes.length + 256 * 1024);
  });

  test('damaged bytes that such a bucket took are sent again', async () => {
    s3.offers.checksums = false;
    const id = randomUUID();
    const { body } = await nell().parts(id, announced);
    for (const address of body.urls) {
      const part = film.parts[address.n - 1]!;
      expect((await nell().put(address, Buffer.from(part.bytes).fill(1, 0, 9))).status).toBe(200);
    }
    await nell().complete(id);
    await testServer.runJobs();
    expect(Object.keys((await submit(id)).body.errors)).toEqual(['upload_ids']);
    expect(quarantined()).toEqual([]);
  });

  test('an address takes no other bytes, no other length, and nothing after 15 minutes', async () => {
    const part = film.parts[0]!.bytes;
    const [address] = (await nell().parts(randomUUID(), announced)).body.urls;
    expect((await nell().put(address!, Buffer.from(part).fill(1, 0, 9))).status).toBe(400);
    expect((await nell().put(address!, part.subarray(1))).status).toBe(403);
    s3.now = () => new Date(Date.now() + 16 * 60_000);
    expect((await nell().put(address!, part)).status).toBe(403);
    s3.now = () => new Date();
    expect((await nell().put(address!, part)).status).toBe(200);
  });
});

describe('refuses before a byte is sent', () => {
  const huge = { ...announced, size: 61 * MIB };
  const renumbered = announced.parts.map((part) => ({ ...part, n: part.n + 1 }));

  test.each<[string, object, number, string]>([
    ['a file above the limit of its kind', huge, 413, 'size'],
    ['a file that is small', { ...announced, size: MIB }, 422, 'size'],
    ['another kind of file', { ...announced, kind: 'document' }, 422, 'kind'],
    ['parts that do not make up the file', { ...announced, size: bytes.length + 1 }, 422, 'parts'],
    ['parts in another order', { ...announced, parts: renumbered }, 422, 'parts'],
    ['parts that no bucket takes', { ...announced, parts: cutSmall() }, 422, 'parts'],
    ['too many addresses', { ...announced, want: Array(9).fill(1) }, 422, 'want'],
  ])('%s', async (_, body, status, field) => {
    const answer = await testServer.call<{ errors: object }>(`POST /uploads/${randomUUID()}/parts`, {
      token: testServer.nell.token,
      body,
    });
    expect([answer.status, Object.keys(answer.body.errors)]).toEqual([status, [field]]);
    expect(s3.unfinished.size).toBe(0);
  });

  function cutSmall() {
    return cut(bytes, 4 * MIB).map(({ n, size, sha256: digest }) => ({ n, size, sha256: digest }));
  }

  test('the id of somebody else', async () => {
    const id = randomUUID();
    await nell().parts(id, announced);
    const moll = directCalls(testServer, testServer.moll);
    expect(await moll.parts(id, announced)).toMatchObject({ status: 409 });
    for (const answer of [await moll.look(id), await moll.complete(id), await moll.end(id)]) {
      expect(answer.status).toBe(404);
    }
  });

  test('another file under the same id', async () => {
    const id = randomUUID();
    await nell().parts(id, announced);
    expect(await nell().parts(id, { ...announced, sha256: '0'.repeat(64) })).toMatchObject({ status: 422 });
  });

  test('what exceeds the quota, where unfinished uploads count', async () => {
    const person = await testServer.addPerformer();
    await testServer.database.pool.query(
      `insert into uploads (id, user_id, length_bytes, created_at, updated_at) values ($1, $2, $3, now(), now())`,
      [randomUUID(), person.id, 4980 * MIB],
    );
    const { parts } = directCalls(testServer, person);
    expect(await parts(randomUUID(), announced)).toMatchObject({ status: 201 });
    const answer = await parts(randomUUID(), announced);
    expect(answer).toMatchObject({ status: 422, body: { errors: { storage: [expect.any(String)] } } });
  });
});

describe('the quarantine', () => {
  test('is served by no route, neither before nor after the check', async () => {
    const id = randomUUID();
    await nell().send(id, film);
    const [name] = quarantined().map((key) => key.slice('quarantine/'.length));
    await testServer.runJobs();
    for (const path of [name, `quarantine/${name}`, `quarantine%2F${name}`, `..%2Fquarantine%2F${name}`]) {
      const answer = await testServer.call(`GET /storage/${path}`, { token: testServer.nell.token });
      expect(answer.status).toBe(404);
    }
  });

  test('loses an upload that is ended, whatever its state', async () => {
    const [open, ready] = [randomUUID(), randomUUID()];
    await nell().send(ready, film);
    await testServer.runJobs();
    await nell().sendParts(open, film);
    for (const id of [open, ready]) expect(await nell().end(id)).toMatchObject({ status: 204 });
    expect([s3.objects.size, s3.unfinished.size]).toEqual([0, 0]);
  });

  test('loses uploads without activity for seven days, also checked ones that nobody attached', async () => {
    const [open, ready] = [randomUUID(), randomUUID()];
    await nell().send(ready, film);
    await testServer.runJobs();
    await nell().sendParts(open, film);
    testServer.clock.advance(LIMITS.uploadDays * DAY_MS - 60_000);
    await sweep(testServer);
    expect([s3.objects.size, s3.unfinished.size]).toEqual([1, 1]);
    testServer.clock.advance(120_000);
    await sweep(testServer);
    expect([s3.objects.size, s3.unfinished.size]).toEqual([0, 0]);
  });

  test('loses what no upload needs, but not what one does', async () => {
    const id = randomUUID();
    await nell().sendParts(id, film);
    const quarantine = testServer.storage.quarantine!;
    await quarantine.begin(newFileKey());
    s3.objects.set(`quarantine/${newFileKey()}`, { bytes: Buffer.alloc(9), etag: '""', storedAt: new Date(0) });
    await sweep(testServer, { filesOlderThan: new Date(Date.now() + 60_000) });
    expect(quarantined().length).toBe(1);
    await nell().send(id, film);
    await testServer.runJobs();
    expect(await submit(id)).toMatchObject({ status: 201 });
  });

  test('has uploads checked whose job was lost', async () => {
    const id = randomUUID();
    await nell().send(id, film);
    await testServer.database.pool.query('delete from graphile_worker._private_jobs');
    testServer.clock.advance(2 * 60 * 60_000);
    await sweep(testServer);
    await testServer.runJobs();
    expect((await nell().look(id)).body.state).toBe('ready');
  });
});

test('tells devices about it, and lets pages connect to the bucket', async () => {
  const { body, headers } = await testServer.call('GET /config');
  expect(body).toMatchObject({ uploads: { direct: true, part_bytes: 8 * MIB } });
  expect(headers['content-security-policy']).toContain(`connect-src 'self' ${s3.settings.endpoint}`);
});
