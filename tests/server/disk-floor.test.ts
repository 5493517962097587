import { expect, test } from 'vitest';
import { diskFloor } from '#server/platform/storage/disk-floor.ts';

const MB = 1024 * 1024;

/** A disk on which everything that is written takes room, and streams that write to it. */
function openDisk(freeBytes: number) {
  let free = freeBytes;
  const config = { dataDir: '/data', minFreeDiskBytes: 100 * MB, s3: undefined };
  const floor = diskFloor({ config, freeDiskBytes: () => Promise.resolve(free) });
  async function write(bytes: number): Promise<void> {
    async function* source() {
      for (let sent = 0; sent < bytes; sent += MB) {
        await Promise.resolve();
        yield new Uint8Array(MB);
      }
    }
    for await (const chunk of floor.meter(source())) free -= chunk.byteLength;
  }
  return { floor, write, free: () => free };
}

test('many that write at once do not fill the disk together, though each asked when there was room', async () => {
  const disk = openDisk(300 * MB);
  const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => disk.write(60 * MB)));
  expect(disk.free()).toBeGreaterThanOrEqual(100 * MB);
  const refused = outcomes.filter(({ status }) => status === 'rejected');
  expect(refused.length).toBeGreaterThan(40);
  expect(refused.every((outcome) => (outcome as { reason?: { status?: number } }).reason?.status === 507)).toBe(true);
});

test('what was granted and not written is free again when a stream ends', async () => {
  const disk = openDisk(112 * MB);
  for (let n = 0; n < 5; n += 1) await disk.write(MB);
  expect(disk.free()).toBe(107 * MB);
  await expect(disk.write(MB)).rejects.toMatchObject({ status: 507 });
  await disk.floor.requireStagingSpace(7 * MB);
});
