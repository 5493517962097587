import { randomBytes } from 'node:crypto';
import { afterAll, afterEach, beforeEach, expect, test } from 'vitest';
import type { Media } from '#contract/records/media.ts';
import { startTcpProxy, type TcpProxy } from '../e2e/support/tcp-proxy.ts';
import { DirectPhone } from './support/direct-phone.ts';
import { useTwoPerformers } from './support/files.ts';
import { mp4 } from './support/media-files.ts';
import { startS3Server } from './support/s3-server.ts';
import { toEnv } from './support/store.ts';

const MB = 1024 * 1024;
const FILE_BYTES = 300 * MB;
/**
 * What happens on the way to the bucket, in order: ten broken connections, another network with the old connection left open and silent, and
 * two deaths of the app in the middle of a part.
 */
const EVENTS = [
  ...(['cut', 'cut', 'death', 'cut', 'cut', 'cut', 'network'] as const),
  ...(['cut', 'death', 'cut', 'cut', 'cut', 'cut'] as const),
];
/** Bytes since the event before. The breaks are spread over the length of a part. */
const distanceTo = (event: number) => 18 * MB + ((event * 1_777_777) % (5 * MB));

const s3 = await startS3Server();
/** Where the phone reaches the bucket. */
const toBucket = await startTcpProxy(Number(new URL(s3.settings.endpoint!).port));
const env = { ...toEnv({ ...s3.settings, direct: {} }), S3_PUBLIC_ENDPOINT: toBucket.url };
const testServer = useTwoPerformers({ env });
let toServer: TcpProxy;
beforeEach(async () => {
  toServer = await startTcpProxy(Number(new URL(testServer.url).port));
});
afterEach(() => toServer.close());
afterAll(async () => {
  await toBucket.close();
  await s3.close();
});

test('300 MB reach the bucket after ten cuts, two deaths and another network: a part again for each, 2 MB of load on the server', async ({
  annotate,
}) => {
  const phone = new DirectPhone(testServer.nell, toServer.url);
  phone.open();
  await phone.engine.pull();
  await phone.learnLimits();
  const film = mp4({ pictures: randomBytes(FILE_BYTES) });
  EVENTS.forEach((event, index) => {
    if (event === 'network') toBucket.changeNetworkAfterBytes(distanceTo(index));
    else toBucket.cutAfterBytes(distanceTo(index));
  });
  let seen = 0;
  phone.onAnswer = () => {
    // After each break, the device asks the server what has arrived.
    if (toBucket.cutCount() === seen) return;
    const event = EVENTS[seen];
    seen = toBucket.cutCount();
    if (event === 'death') phone.die();
  };
  await phone.add(film);
  await expect
    .poll(
      async () => {
        await testServer.runJobs();
        return [seen, await phone.db.outbox.count()];
      },
      { timeout: 600_000, interval: 500 },
    )
    .toEqual([EVENTS.length, 0]);

  const { nell } = testServer;
  const { body } = await testServer.call<Media[]>(`GET /media/video?profile_id=${nell.profileId}`, nell);
  expect(body).toMatchObject([{ name: 'Tape', size: film.length }]);
  expect(s3.objects.get(body[0]!.file_path!)?.bytes.equals(film)).toBe(true);

  // What went over the air twice: at most a part for each break.
  const againBytes = toBucket.sentBytes() - film.length;
  // The first request for each part, and at most one more for each event.
  const partCount = new Set(
    s3.direct.map(({ url }) => new URL(url, s3.settings.endpoint).searchParams.get('partNumber')),
  ).size;
  expect(s3.direct.length).toBeLessThanOrEqual(partCount + EVENTS.length);
  const partBytes = Math.max(...s3.direct.map(({ headers }) => Number(headers['content-length'])));
  expect(againBytes).toBeGreaterThan(0);
  expect(againBytes).toBeLessThanOrEqual(EVENTS.length * partBytes);
  // From the phone to the server, and between the server and the bucket.
  const loadBytes = toServer.sentBytes() + s3.serverBytes();
  await annotate(
    `Sent again: ${((100 * againBytes) / film.length).toFixed(1)} % in parts of ${partBytes / MB} MiB; load on the server: ${Math.round(loadBytes / 1024)} KiB`,
  );
  expect(loadBytes).toBeLessThanOrEqual(2 * MB);
  await phone.close();
}, 700_000);
