import { canonicalId, isLocal, LOCAL } from './canonical.ts';
import { type CastingItem, read, TABLES } from './casting.ts';
import type { AccountDb } from './database.ts';

/** A share link with what waits on this device. */
export interface LinkItem extends CastingItem<'link'> {
  /** Its name in the address, known before it has been sent. */
  name: string;
  hasCode: boolean;
  /** What only its address says; null on other devices, and once the address was passed on. */
  token: string | null;
}

/** The share links of a role, newest first. @param roleId of either side */
export const listLinks = (db: AccountDb, roleId: string): Promise<LinkItem[]> =>
  db.transaction('r', [...TABLES(db), db.meta], async () => {
    const { items } = await read(db, 'link', await canonicalId(db, 'role', roleId));
    return Promise.all(
      items.map(async (item) => {
        const { client_id: known, has_code: hasCode, code_hash: codeHash } = item.body;
        const found = await db.meta.get(`link-token:${item.body.token_hash}`);
        return {
          ...item,
          name: known ?? item.id.slice(isLocal(item.id) ? LOCAL.length : 0),
          hasCode: hasCode ?? codeHash != null,
          token: found !== undefined && 'token' in found ? found.token : null,
        };
      }),
    );
  });

/** Keeps the token of a link that is made, until its address was passed on. Written first: without it, the link is of no use. */
export const keepToken = (db: AccountDb, hash: string, token: string) =>
  db.meta.put({ k: `link-token:${hash}`, token });

export const dropToken = (db: AccountDb, hash: string) => db.meta.delete(`link-token:${hash}`);
