import { createHash } from 'node:crypto';
import { sql } from 'drizzle-orm';
import type { Db } from './connect.ts';

/** Tells one Callboard from another, also after a restore. Derived from the secret that signs links, of which it reveals nothing. */
export const toInstallationId = (linkSecret: string): string =>
  createHash('sha256').update(`Callboard installation ${linkSecret}`).digest('hex').slice(0, 16);

export async function getInstallationId(db: Db): Promise<string> {
  const { rows } = await db.execute<{ link_secret: string }>(sql`select link_secret from installation`);
  const found = rows[0];
  if (found === undefined) throw new Error('The installation has no row');
  return toInstallationId(found.link_secret);
}
