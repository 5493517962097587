import { expect, test } from 'vitest';
import { sha256 } from './support/direct.ts';
import { type Disturbance, useDirectDevice } from './support/direct-device.ts';

const device = await useDirectDevice();
const { film, s3, testServer } = device;

test('a large video goes to the bucket, part by part, with nothing that tells who sends it', async () => {
  await device.phone.add(film);
  await device.waitUntilSent();
  expect(sha256(await device.fetchNewest())).toBe(sha256(film));
  expect(device.sentParts()).toEqual([1, 2, 3, 4]);
  expect(device.countPieces()).toBe(0);
  for (const { headers } of s3.direct) {
    const known = ['authorization', 'cookie', 'referer', 'x-requested-with', 'x-xsrf-token'];
    expect(known.filter((name) => name in headers)).toEqual([]);
  }
});

test('an app that died goes on with the parts that are missing', async () => {
  device.disturb((n) => {
    if (n !== 3) return false;
    setTimeout(() => device.phone.die(), 0);
    // The request of the dead app gets no answer.
    return true;
  });
  await device.phone.add(film);
  await device.waitUntilSent();
  expect(device.sentParts()).toEqual([1, 2, 3, 3, 4]);
  expect(sha256(await device.fetchNewest())).toBe(sha256(film));
});

test.each<[string, Disturbance]>([
  ['cannot be reached from here', (_, destroy) => (destroy(), true)],
  ['refuses the parts', (_n, _destroy, answer) => (answer(403), true)],
])('a file goes through the server when the bucket %s, and the journal says so', async (_, how) => {
  device.disturb(how);
  const id = await device.phone.add(film);
  await device.waitUntilSent();
  expect(device.sentParts()).toEqual([1, 1]);
  expect(device.countPieces()).toBeGreaterThan(0);
  expect(sha256(await device.fetchNewest())).toBe(sha256(film));
  const notes = (await device.phone.db.journal.toArray()).flatMap(({ note }) => note ?? []);
  expect(notes).toEqual(['The storage could not be reached from here. The file goes through the server']);
  expect((await testServer.call(`GET /uploads/${id}`, testServer.nell)).status).toBe(404);
  expect(s3.unfinished.size).toBe(0);
});
