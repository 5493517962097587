import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { sha256 } from './support/direct.ts';
import { isByDevice, MIB, useDirectDevice } from './support/direct-device.ts';
import { mp4 } from './support/media-files.ts';

const device = await useDirectDevice();
const { film, s3, testServer } = device;

test('the progress is what has arrived in the bucket', async () => {
  const offsets: number[] = [];
  const id = await device.phone.add(film);
  s3.intercept = ({ response }) => {
    if (isByDevice(response)) void device.phone.db.media.get(id).then((file) => offsets.push(file?.offset ?? -1));
    return false;
  };
  await device.waitUntilSent();
  expect(offsets).toEqual([0, 5 * MIB, 10 * MIB, 15 * MIB]);
});

test('a file that is still being checked is attached later', async () => {
  device.phone.onComplete = () => Promise.resolve();
  await device.phone.add(film);
  await device.waitUntilSent(() => testServer.runJobs());
  expect(sha256(await device.fetchNewest())).toBe(sha256(film));
});

test('a small file and one that was picked before go through the server', async () => {
  await device.phone.db.media.clear();
  await device.phone.add(mp4({ pictures: randomBytes(MIB) }));
  await device.phone.db.meta.delete('upload-limits');
  await device.phone.add(film);
  await device.waitUntilSent();
  expect(s3.direct).toEqual([]);
});

test('a broken connection costs the part that was being sent', async () => {
  device.disturb((n, destroy) => {
    if (n === 2) destroy();
    return n === 2;
  });
  await device.phone.add(film);
  await device.waitUntilSent();
  expect(device.sentParts()).toEqual([1, 2, 2, 3, 4]);
  expect(sha256(await device.fetchNewest())).toBe(sha256(film));
});

test('breaks with progress between them do not make the file go through the server', async () => {
  // Each part but the first is broken off three times: nine breaks, of which no more than three come in a row.
  device.disturb((n, destroy) => {
    const isBroken = n % 4 !== 1;
    if (isBroken) destroy();
    return isBroken;
  });
  await device.phone.add(film);
  await device.waitUntilSent();
  expect(device.sentParts()).toEqual([1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4]);
  expect(device.countPieces()).toBe(0);
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
  await device.phone.add(film);
  await device.waitUntilSent();
  expect(device.sentParts()).toEqual([1, 2, 3, 4]);
});

test('expired addresses are asked for again', async () => {
  const countAsked = () => device.phone.requests.filter((request) => request === 'POST uploads').length;
  let answered = 0;
  // To the bucket it is later than to the server, from the first addresses until the device asks again.
  s3.now = () => new Date(Date.now() + (answered === 1 && countAsked() === 1 ? 16 * 60_000 : 0));
  device.phone.onAnswer = ({ path }) => {
    if (path.endsWith('/parts')) answered += 1;
  };
  await device.phone.add(film);
  await device.waitUntilSent();
  expect(device.sentParts()).toEqual([1, 1, 2, 3, 4]);
  expect(device.countPieces()).toBe(0);
});

test('a file goes through the server once the operator has switched the bucket off', async () => {
  const { quarantine: _, ...storage } = testServer.storage;
  const node = await testServer.openNode({ storage });
  device.phone.serverUrl = node.url;
  await device.phone.add(film);
  await device.waitUntilSent();
  expect([s3.direct.length, device.countPieces() > 0]).toEqual([0, true]);
  expect(sha256(await device.fetchNewest())).toBe(sha256(film));
  await device.phone.close();
  await node.close();
});

test('the worker leaves such a file to a page', async () => {
  await device.phone.close();
  device.phone.open({ isWorker: true });
  await device.phone.add(film);
  await expect
    .poll(async () => (await device.phone.db.outbox.toArray()).some(({ lastError }) => lastError !== undefined), {
      timeout: 9000,
    })
    .toBe(true);
  expect([s3.direct.length, device.countPieces()]).toEqual([0, 0]);
  await device.phone.close();
  device.phone.open();
  await device.waitUntilSent();
  expect(device.sentParts()).toEqual([1, 2, 3, 4]);
});
