import { appendFile, mkdir, open, readFile } from 'node:fs/promises';
import path from 'node:path';
import * as z from 'zod/mini';
import type { Db } from '#server/platform/db/connect.ts';
import { getInstallationId } from '#server/platform/db/installation.ts';

/**
 * Deleted accounts, noted outside the database: a restored backup from before a deletion must delete the account again. Ids only, one JSON
 * object per line.
 */
const NAME = 'erasures.jsonl';

const line = z.object({ installation: z.string(), user: z.int(), at: z.iso.datetime() });
export type Erasure = z.infer<typeof line>;

export const getErasurePath = (folder: string): string => path.join(folder, NAME);

/** Adds to the file of a folder. The bytes are durable when this resolves. */
export async function noteErasures(folder: string, erasures: readonly Erasure[]): Promise<void> {
  if (erasures.length === 0) return;
  const file = getErasurePath(folder);
  // A line break first: the line before may have been cut by a crash.
  const text = erasures.map((erasure) => `\n${JSON.stringify(erasure)}\n`).join('');
  await mkdir(folder, { recursive: true, mode: 0o700 });
  await appendFile(file, text, { mode: 0o600 });
  const handle = await open(file, 'r');
  try {
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Notes the deletion of an account beside the database. */
export async function noteErasure(db: Db, dataDir: string, userId: number, now: Date): Promise<void> {
  const installation = await getInstallationId(db);
  await noteErasures(dataDir, [{ installation, user: userId, at: now.toISOString() }]);
}

/** The deletions that a folder knows of, each account once, with the first time. */
export async function readErasures(folder: string): Promise<Erasure[]> {
  const text = await readFile(getErasurePath(folder), 'utf8').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT' || error.code === 'ENOTDIR') return '';
    throw error;
  });
  const found = new Map<string, Erasure>();
  for (const each of text.split('\n')) {
    const erasure = parse(each);
    if (erasure === null) continue;
    const key = `${erasure.installation} ${erasure.user}`;
    if (!found.has(key)) found.set(key, erasure);
  }
  return [...found.values()];
}

/** A line that was cut by a crash is skipped: the job that wrote it was not done, and wrote it again. */
function parse(text: string): Erasure | null {
  try {
    return line.safeParse(JSON.parse(text)).data ?? null;
  } catch {
    return null;
  }
}
