import { PassThrough, Readable } from 'node:stream';
import { afterEach, expect, test, vi } from 'vitest';
import { readRequestBody, type BodyReader } from '#server/features/uploads/request-body.ts';

const limits = { limitBytes: 10_000_000, idleTimeoutMs: 10_000 };

afterEach(() => vi.useRealTimers());

async function readAll(arrival: BodyReader, maxBytes = 1000) {
  const read: Uint8Array[] = [];
  for (let bytes = await arrival.read(maxBytes); bytes !== null; bytes = await arrival.read(maxBytes)) read.push(bytes);
  return Buffer.concat(read).toString();
}

test('reads everything in chunks no larger than requested', async () => {
  const arrival = readRequestBody(Readable.from([Buffer.from('abcdef'), Buffer.from('gh')]), limits);
  expect(Buffer.from((await arrival.read(4)) ?? []).toString()).toBe('abcd');
  expect(await readAll(arrival)).toBe('efgh');
  expect(arrival.ending).toBe('whole');
});

test('keeps the bytes received before the connection broke', async () => {
  const body = new PassThrough();
  const arrival = readRequestBody(body, limits);
  body.write('what came');
  expect(await arrival.hasMore()).toBe(true);
  body.destroy(new Error('aborted'));
  expect(await readAll(arrival)).toBe('what came');
  expect(arrival.ending).toBe('cut');
});

test('reports a body destroyed before the first read as cut', async () => {
  const body = new PassThrough();
  body.destroy();
  const arrival = readRequestBody(body, limits);
  expect(await arrival.read(10)).toBeNull();
  expect(arrival.ending).toBe('cut');
});

test('ends when more bytes arrive than announced', async () => {
  const body = new PassThrough();
  const arrival = readRequestBody(body, { ...limits, limitBytes: 5 });
  body.write('12345');
  expect(await arrival.hasMore()).toBe(true);
  body.write('6');
  body.end();
  await readAll(arrival);
  expect(arrival.ending).toBe('too many');
});

test('ends as cut after the idle timeout', async () => {
  const body = new PassThrough();
  const arrival = readRequestBody(body, { ...limits, idleTimeoutMs: 20 });
  body.write('a word');
  expect(await readAll(arrival)).toBe('a word');
  expect(arrival.ending).toBe('cut');
});

test('returns the received bytes after stop()', async () => {
  const body = new PassThrough();
  const arrival = readRequestBody(body, limits);
  body.write('so far');
  await arrival.hasMore();
  arrival.stop();
  expect(await readAll(arrival)).toBe('so far');
  expect(arrival.ending).toBe('cut');
});

test('keeps the bytes that are buffered while the sender is paused', async () => {
  const body = new Readable({ read() {} });
  const arrival = readRequestBody(body, limits);
  for (let sent = 0; sent < 600; sent += 1) body.push(Buffer.alloc(1024, 'x'));
  await arrival.hasMore();
  expect(body.isPaused()).toBe(true);
  body.destroy(new Error('aborted'));
  expect((await readAll(arrival)).length).toBe(600 * 1024);
});

test('pauses a fast sender while nobody reads and does not count that as idle time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
  let sent = 0;
  const body = new Readable({
    highWaterMark: 64 * 1024,
    read() {
      sent += 64 * 1024;
      this.push(sent > 8 * 1024 * 1024 ? null : Buffer.alloc(64 * 1024));
    },
  });
  const arrival = readRequestBody(body, { ...limits, idleTimeoutMs: 15 });
  await arrival.hasMore();
  await vi.advanceTimersByTimeAsync(40);
  expect(sent).toBeLessThan(1024 * 1024);
  expect(arrival.idleMs()).toBe(0);
  expect((await readAll(arrival, 100_000)).length).toBe(8 * 1024 * 1024);
  expect(arrival.ending).toBe('whole');
});
