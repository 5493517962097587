'fetched first by members';

import { ENGINE_READS } from '#contract/engine-calls.ts';
import { CALLS } from '#contract/calls.ts';
import type { User } from '#contract/records/account.ts';
import type { AnyRow } from '#contract/section.ts';
import { API_BASE } from './client.ts';

/**
 * Requests that the first page on a new device needs before anything else: the user, and the profile with their name.
 * They use fetch, so that the engine and axios, which are most of the code, load after that page has painted.
 */

const TIMEOUT_MS = 8000;

/** Returns the JSON of a successful answer, else null: the engine retries and reports what is wrong. */
async function getJson(path: string, token: string): Promise<unknown> {
  try {
    const answer = await fetch(API_BASE + path, {
      headers: { 'x-requested-with': 'XMLHttpRequest', accept: 'application/json', authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(TIMEOUT_MS),
      credentials: 'same-origin',
      // The browser may have cached the sign-in page of a Wi-Fi network.
      cache: 'no-cache',
    });
    // A redirect comes from a proxy or a captive portal, not from the server.
    return answer.status === 200 && !answer.redirected ? ((await answer.json()) as unknown) : null;
  } catch {
    return null;
  }
}

/**
 * Returns the user a token belongs to, or null if the server does not answer. On a server without /user it reads the
 * user's profiles.
 */
export async function fetchUser(token: string): Promise<User | null> {
  const user = (await getJson(CALLS.user.path, token)) as User | null;
  if (user?.id !== undefined) return { ...user, id: String(user.id) };
  const profiles = await getJson(ENGINE_READS.profiles.path, token);
  const own = Array.isArray(profiles) ? (profiles[0] as { user_id: string; user?: { name?: string } }) : undefined;
  return own ? { id: String(own.user_id), name: own.user?.name ?? '', email: '' } : null;
}

/** Returns the profiles the server lists for the owner of a token, or null if it does not answer. */
export async function fetchProfiles(token: string): Promise<AnyRow[] | null> {
  const profiles = await getJson(ENGINE_READS.profiles.path, token);
  return Array.isArray(profiles) ? (profiles as AnyRow[]) : null;
}
