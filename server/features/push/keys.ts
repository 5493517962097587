import { createECDH } from 'node:crypto';
import { isNull } from 'drizzle-orm';
import type { Db } from '#server/platform/db/connect.ts';
import { installation } from '#server/platform/db/schema.ts';

/** The keys by which push services know this installation, base64url. */
export interface VapidKeys {
  publicKey: string;
  privateKey: string;
}

const PRIVATE_KEY_BYTES = 32;

function generateKeys(): VapidKeys {
  const pair = createECDH('prime256v1');
  pair.generateKeys();
  const privateKey = Buffer.alloc(PRIVATE_KEY_BYTES);
  // Node leaves out leading zeros.
  const bytes = pair.getPrivateKey();
  bytes.copy(privateKey, PRIVATE_KEY_BYTES - bytes.length);
  return { publicKey: pair.getPublicKey('base64url'), privateKey: privateKey.toString('base64url') };
}

const known = new WeakMap<Db, Promise<VapidKeys>>();

/** Reads the keys, and generates them the first time. Of several nodes that do so at once, one stores its pair. */
async function readOrGenerate(db: Db): Promise<VapidKeys> {
  const { vapidPublicKey, vapidPrivateKey } = installation;
  const read = async () => {
    const [row] = await db.select({ publicKey: vapidPublicKey, privateKey: vapidPrivateKey }).from(installation);
    return row?.publicKey != null && row.privateKey !== null
      ? { publicKey: row.publicKey, privateKey: row.privateKey }
      : null;
  };
  const found = await read();
  if (found !== null) return found;
  const made = generateKeys();
  await db
    .update(installation)
    .set({ vapidPublicKey: made.publicKey, vapidPrivateKey: made.privateKey })
    .where(isNull(vapidPrivateKey));
  const stored = await read();
  if (stored === null) throw new Error('The installation has no row');
  return stored;
}

/** The keys of this installation. They are the same on every node, after a restart and after a restore. */
export function getVapidKeys(db: Db): Promise<VapidKeys> {
  const found = known.get(db);
  if (found !== undefined) return found;
  const reading = readOrGenerate(db);
  known.set(db, reading);
  // The database may be unreachable only for a moment, so a failure is not cached.
  reading.catch(() => known.delete(db));
  return reading;
}
