'fetched first by members';

import { ENGINE_CALLS } from '#contract/engine-calls.ts';
import { CALLS } from '#contract/calls.ts';
import type { User } from '#contract/records/account.ts';
import type { AnyRow } from '#contract/section.ts';
import type { AccountDb } from '#db/database.ts';
import { API_BASE } from '#net/client.ts';

/**
 * What the first page on a new device needs from the server before anything else: who somebody is, and the profile with
 * their name on it. It goes by fetch, so that the engine and axios, which are most of the code, are fetched once that
 * page has been painted.
 */

/** Milliseconds; what waits for the first look goes on then. */
const PATIENCE_MS = 8000;

/** The JSON that our server answers, or null for every other outcome: the engine asks again, and says what is wrong. */
async function get(path: string, token: string): Promise<unknown> {
  try {
    const answer = await fetch(API_BASE + path, {
      headers: { 'x-requested-with': 'XMLHttpRequest', accept: 'application/json', authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(PATIENCE_MS),
      credentials: 'same-origin',
      // What the browser keeps may be the sign-in page of a Wi-Fi.
      cache: 'no-cache',
    });
    // A page in place of JSON was made by something between us and the server.
    return answer.status === 200 && !answer.redirected ? ((await answer.json()) as unknown) : null;
  } catch {
    return null;
  }
}

/** Whose token it is. A server without /user tells by the caller's own profile. Null where nobody answers. */
export async function whoIs(token: string): Promise<User | null> {
  const user = (await get(CALLS.user.path, token)) as User | null;
  if (user?.id !== undefined) return { ...user, id: String(user.id) };
  const profiles = await get(ENGINE_CALLS.profiles.path, token);
  const own = Array.isArray(profiles) ? (profiles[0] as { user_id: string; user?: { name?: string } }) : undefined;
  return own ? { id: String(own.user_id), name: own.user?.name ?? '', email: '' } : null;
}

/**
 * Puts a person's profiles into the mirror of a store that has never heard from the server; the first pull brings the rest.
 * @returns whether the store holds a profile now
 */
export async function firstLook(db: AccountDb, token: string): Promise<boolean> {
  const profiles = await get(ENGINE_CALLS.profiles.path, token);
  if (!Array.isArray(profiles)) return false;
  const own = (profiles as AnyRow[]).filter((row) => String(row.user_id) === db.userId);
  return db.transaction('rw', db.records, db.cursors, async () => {
    // Another tab may have pulled meanwhile: what it has is newer, and what it left out is gone.
    const isHeard = (await db.cursors.count()) > 0 || (await db.records.count()) > 0;
    if (isHeard)
      return (await db.records.where('[type+id]').between(['profile', ''], ['profile', '\uffff']).count()) > 0;
    for (const body of own) {
      const version = typeof body.version === 'number' ? body.version : null;
      await db.records.put({ type: 'profile', id: String(body.id), parent: null, body, version });
    }
    return own.length > 0;
  });
}
