import * as z from 'zod/mini';
import type { Db } from '#server/platform/db/connect.ts';
import { addJob } from '#server/platform/jobs/add.ts';
import { defineJob, UNLIMITED_TRIES } from '#server/platform/jobs/kinds.ts';

/** Removes files that no row refers to any more. */
export const REMOVE_FILES = defineJob({
  name: 'files.remove',
  payload: z.object({ keys: z.array(z.string()) }),
  tries: UNLIMITED_TRIES,
});

const KEYS_PER_JOB = 500;

/** Removes these files after the transaction has committed, unless a row refers to them then. */
export async function removeFilesLater(
  tx: Db,
  keys: readonly string[],
  when: { delayMs?: number } = {},
): Promise<void> {
  for (let at = 0; at < keys.length; at += KEYS_PER_JOB) {
    await addJob(tx, REMOVE_FILES, { keys: keys.slice(at, at + KEYS_PER_JOB) }, when);
  }
}
