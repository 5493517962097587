import { randomBytes } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { Media } from '#contract/records/media.ts';
import { DirectPhone } from './support/direct-phone.ts';
import { sha256 } from './support/direct.ts';
import { useTwoPerformers } from './support/files.ts';
import { mp4 } from './support/media-files.ts';
import { startS3Server } from './support/s3-server.ts';
import { isPresigned } from './support/s3-signature.ts';
import { toEnv } from './support/store.ts';

const MIB = 1024 * 1024;
const s3 = await startS3Server();
const testServer = useTwoPerformers({ env: toEnv({ ...s3.settings, direct: {} }) });
/** Four parts of 5 MiB, the last of them smaller. */
const film = mp4({ pictures: randomBytes(17 * MIB) });
let phone: DirectPhone;

beforeEach(async () => {
  s3.intercept = () => false;
  s3.now = () => new Date();
  s3.direct.length = 0;
  phone = new DirectPhone(testServer.nell, testServer.url);
  // A server that is quick: the file is checked before the device wants to attach it.
  phone.onComplete = () => testServer.runJobs();
  phone.open();
  await phone.engine.pull();
  await phone.learnLimits();
});
afterEach(() => phone.close());
afterAll(() => s3.close());

/** Waits until everything is sent. @param during runs again and again meanwhile */
const waitUntilSent = (during: () => Promise<unknown> = () => Promise.resolve()) =>
  expect
    .poll(
      async () => {
        await during();
        phone.engine.wake('online');
        return phone.db.outbox.count();
      },
      { timeout: 60_000, interval: 100 },
    )
    .toBe(0);

/** The stored film of the newest item in the portfolio. */
async function fetchNewest(): Promise<Buffer> {
  const { nell } = testServer;
  const { body } = await testServer.call<Media[]>(`GET /media/video?profile_id=${nell.profileId}`, nell);
  const newest = body.toSorted((one, other) => Number(other.id) - Number(one.id))[0]!;
  const answer = await fetch(testServer.url + newest.path, { headers: { authorization: `Bearer ${nell.token}` } });
  return Buffer.from(await answer.arrayBuffer());
}

/** The numbers of the parts that were sent, in order. */
const sentParts = () => s3.direct.map(({ url }) => Number(new URL(url, 'http://s3').searchParams.get('partNumber')));
const countPieces = () => phone.requests.filter((request) => request === 'PATCH uploads').length;

/** Whether this answers a device, not the server. */
const isByDevice = ({ req }: ServerResponse) => isPresigned(req.url ?? '');

/** Refuses the bytes of devices as `how` says, until it returns false. */
const disturb = (how: (n: number, destroy: () => void, answer: (status: number) => void) => boolean) => {
  let n = 0;
  s3.intercept = ({ response }) => {
    if (!isByDevice(response)) return false;
    n += 1;
    return how(
      n,
      () => void response.socket?.destroy(),
      (status) => void response.writeHead(status).end(),
    );
  };
};

test('a large video goes to the bucket, part by part, with nothing that tells who sends it', async () => {
  await phone.add(film);
  await waitUntilSent();
  expect(sha256(await fetchNewest())).toBe(sha256(film));
  expect(sentParts()).toEqual([1, 2, 3, 4]);
  expect(countPieces()).toBe(0);
  for (const { headers } of s3.direct) {
    const known = ['authorization', 'cookie', 'referer', 'x-requested-with', 'x-xsrf-token'];
    expect(known.filter((name) => name in headers)).toEqual([]);
  }
});

test('the progress is what has arrived in the bucket', async () => {
  const offsets: number[] = [];
  const id = await phone.add(film);
  s3.intercept = ({ response }) => {
    if (isByDevice(response)) void phone.db.media.get(id).then((file) => offsets.push(file?.offset ?? -1));
    return false;
  };
  await waitUntilSent();
  expect(offsets).toEqual([0, 5 * MIB, 10 * MIB, 15 * MIB]);
});

test('a file that is still being checked is attached later', async () => {
  phone.onComplete = () => Promise.resolve();
  await phone.add(film);
  await waitUntilSent(() => testServer.runJobs());
  expect(sha256(await fetchNewest())).toBe(sha256(film));
});

test('a small file and one that was picked before go through the server', async () => {
  await phone.db.media.clear();
  await phone.add(mp4({ pictures: randomBytes(MIB) }));
  await phone.db.meta.delete('upload-limits');
  await phone.add(film);
  await waitUntilSent();
  expect(s3.direct).toEqual([]);
});

test('a broken connection costs the part that was being sent', async () => {
  disturb((n, destroy) => {
    if (n === 2) destroy();
    return n === 2;
  });
  await phone.add(film);
  await waitUntilSent();
  expect(sentParts()).toEqual([1, 2, 2, 3, 4]);
  expect(sha256(await fetchNewest())).toBe(sha256(film));
});

test('a part whose answer was lost is not sent again', async () => {
  let isLost = false;
  s3.intercept = ({ operation, response }) => {
    if (operation !== 'UploadPart' || isLost) return false;
    isLost = true;
    response.writeHead = () => {
      response.socket?.destroy();
      return response;
    };
    return false;
  };
  await phone.add(film);
  await waitUntilSent();
  expect(sentParts()).toEqual([1, 2, 3, 4]);
});

test('an app that died goes on with the parts that are missing', async () => {
  disturb((n) => {
    if (n !== 3) return false;
    setTimeout(() => phone.die(), 0);
    // The request of the dead app gets no answer.
    return true;
  });
  await phone.add(film);
  await waitUntilSent();
  expect(sentParts()).toEqual([1, 2, 3, 3, 4]);
  expect(sha256(await fetchNewest())).toBe(sha256(film));
});

test('expired addresses are asked for again', async () => {
  const countAsked = () => phone.requests.filter((request) => request === 'POST uploads').length;
  let answered = 0;
  // To the bucket it is later than to the server, from the first addresses until the device asks again.
  s3.now = () => new Date(Date.now() + (answered === 1 && countAsked() === 1 ? 16 * 60_000 : 0));
  phone.onAnswer = ({ path }) => {
    if (path.endsWith('/parts')) answered += 1;
  };
  await phone.add(film);
  await waitUntilSent();
  expect(sentParts()).toEqual([1, 1, 2, 3, 4]);
  expect(countPieces()).toBe(0);
});

test.each<[string, Parameters<typeof disturb>[0]]>([
  ['cannot be reached from here', (_, destroy) => (destroy(), true)],
  ['refuses the parts', (_n, _destroy, answer) => (answer(403), true)],
])('a file goes through the server when the bucket %s, and the journal says so', async (_, how) => {
  disturb(how);
  const id = await phone.add(film);
  await waitUntilSent();
  expect(sentParts()).toEqual([1, 1]);
  expect(countPieces()).toBeGreaterThan(0);
  expect(sha256(await fetchNewest())).toBe(sha256(film));
  const notes = (await phone.db.journal.toArray()).flatMap(({ note }) => note ?? []);
  expect(notes).toEqual(['The storage could not be reached from here. The file goes through the server']);
  expect((await testServer.call(`GET /uploads/${id}`, testServer.nell)).status).toBe(404);
  expect(s3.unfinished.size).toBe(0);
});

test('a file goes through the server once the operator has switched the bucket off', async () => {
  const { quarantine: _, ...storage } = testServer.storage;
  const node = await testServer.openNode({ storage });
  phone.serverUrl = node.url;
  await phone.add(film);
  await waitUntilSent();
  expect([s3.direct.length, countPieces() > 0]).toEqual([0, true]);
  expect(sha256(await fetchNewest())).toBe(sha256(film));
  await phone.close();
  await node.close();
});

test('the worker leaves such a file to a page', async () => {
  await phone.close();
  phone.open({ isWorker: true });
  await phone.add(film);
  await expect
    .poll(async () => (await phone.db.outbox.toArray()).some(({ lastError }) => lastError !== undefined), {
      timeout: 9000,
    })
    .toBe(true);
  expect([s3.direct.length, countPieces()]).toEqual([0, 0]);
  await phone.close();
  phone.open();
  await waitUntilSent();
  expect(sentParts()).toEqual([1, 2, 3, 4]);
});
