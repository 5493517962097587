import type { AccountDb } from '#db/database.ts';
import { isOwnRefusal, isSignedOut } from '../own-answer.ts';
import type { Ports } from '../../ports.ts';
import { acknowledgedSince, getLastEntry } from '../../pull/own-changes.ts';
import type { PullResult } from '../../pull/result.ts';
import { jsonRequest } from '../../operations/build-request.ts';

/** The response of a list of a server without /sync. */
export interface TaggedList {
  path: string;
  /** The stored tag at the time of the request. */
  known: string | undefined;
  /** The number of the last journal entry at the time of the request. */
  since: number;
  tag: string | null;
  /** Undefined when nothing changed. */
  body: unknown;
}

/**
 * Requests a list, with the ETag of the stored one.
 * @param none statuses that mean that there is no such list, so that the pull continues without it
 */
export async function readWithTag(
  db: AccountDb,
  ports: Pick<Ports, 'transport'>,
  path: string,
  none: readonly number[] = [404],
): Promise<TaggedList | Exclude<PullResult, 'done' | 'overtaken'>> {
  const request = jsonRequest('GET', path);
  const known = (await db.cursors.get(path))?.value;
  if (known !== undefined) request.headers['if-none-match'] = known;
  const since = await getLastEntry(db);
  const answer = await ports.transport.send(request, { userId: db.userId });
  if ('reason' in answer) return answer.reason === 'signed out' ? 'sign in' : 'unreachable';
  if (isSignedOut(answer)) return 'sign in';
  if (answer.status === 304) return { path, known, since, tag: known ?? null, body: undefined };
  // The server does not have this list, or the profile was deleted meanwhile.
  if (none.includes(answer.status) && isOwnRefusal(answer)) return { path, known, since, tag: null, body: undefined };
  if (answer.status !== 200 || answer.redirected || typeof answer.body !== 'object') return 'unreachable';
  return { path, known, since, tag: answer.header('etag'), body: answer.body };
}

/**
 * Whether another tab stored this list since the request, so that ours may be older. Call it inside the transaction.
 */
export async function isStoredElsewhere(db: AccountDb, { path, known }: TaggedList): Promise<boolean> {
  return (await db.cursors.get(path))?.value !== known;
}

/**
 * Whether the server acknowledged one of our changes since the request. Without versions, nothing tells whether the
 * list contains it. Call it inside the transaction.
 */
export async function isOvertaken(db: AccountDb, { since }: TaggedList): Promise<boolean> {
  return (await acknowledgedSince(db, since)).length > 0;
}

/** Stores the tag of a list. Call it inside the transaction that stores the list. */
export async function keepTag(db: AccountDb, { path, tag }: TaggedList): Promise<void> {
  if (tag === null) await db.cursors.delete(path);
  else await db.cursors.put({ resource: path, value: tag });
}
