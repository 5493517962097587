import type { Db } from './connect.ts';
import { installation } from './schema.ts';

const known = new WeakMap<Db, Promise<string>>();

async function read(db: Db): Promise<string> {
  const [found] = await db.select({ secret: installation.linkSecret }).from(installation);
  if (found === undefined) throw new Error('The installation has no row');
  return found.secret;
}

/** The secret that this installation signs with. It is the same on every node and after a restart. */
export function getSigningSecret(db: Db): Promise<string> {
  const found = known.get(db);
  if (found !== undefined) return found;
  const reading = read(db);
  known.set(db, reading);
  // The database may be unreachable only for a moment, so a failure is not cached.
  reading.catch(() => known.delete(db));
  return reading;
}
