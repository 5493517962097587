import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { expect, vi } from 'vitest';
import { sweepFiles } from '#server/features/uploads/sweep.ts';
import { getOffset, type FileTestServer, type tus } from './files.ts';

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Returns the bytes that the server has stored of an upload. */
export async function readUpload({ database, storage }: FileTestServer, id: string): Promise<Buffer<ArrayBuffer>> {
  const { rows } = await database.pool.query<{ key: string }>(
    'select key from upload_parts where upload_id = $1 order by start_bytes',
    [id],
  );
  const parts = rows.map(async ({ key }) => {
    const part = await storage.open(key);
    if (part === null) throw new Error(`${key} is missing in the store`);
    return buffer(part);
  });
  return Buffer.concat(await Promise.all(parts));
}

/** Sweeps with the clock of the machine for files and the clock of the test server for rows. */
export const sweep = ({ app }: FileTestServer, { filesOlderThan = new Date(0) } = {}) =>
  sweepFiles(app.deps, filesOlderThan);

/** Resumes like a client: asks for the offset and sends the rest. */
export function resume(calls: ReturnType<typeof tus>, id: string, bytes: Buffer<ArrayBuffer>) {
  return vi.waitFor(
    async () => {
      const offset = getOffset(await calls.head(id));
      const answer = await calls.patch(id, offset, bytes.subarray(offset));
      expect(answer.status).toBe(204);
      return { offset, answer };
    },
    { timeout: 10_000, interval: 20 },
  );
}
