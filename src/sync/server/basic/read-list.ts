import type { AccountDb } from '#db/database.ts';
import { isOwnRefusal, isSignedOut } from '../own-answer.ts';
import type { Ports } from '../../ports.ts';
import type { PullResult } from '../../pull/result.ts';
import { jsonRequest } from '../../operations/build-request.ts';

/** A list of a server without /sync, as it came. */
export interface TaggedList {
  path: string;
  /** The tag that was here when it was asked for. */
  known: string | undefined;
  /** The last entry of the journal then. */
  since: number;
  tag: string | null;
  /** Undefined when nothing changed. */
  body: unknown;
}

/**
 * Asks for a list, by the ETag of what is here already.
 * @param none answers that say there is no such list: the others are read all the same
 */
export async function readWithTag(
  db: AccountDb,
  ports: Pick<Ports, 'transport'>,
  path: string,
  none: readonly number[] = [404],
): Promise<TaggedList | Exclude<PullResult, 'done'>> {
  const request = jsonRequest('GET', path);
  const known = (await db.cursors.get(path))?.value;
  if (known !== undefined) request.headers['if-none-match'] = known;
  const since = (await db.journal.orderBy('n').last())?.n ?? 0;
  const answer = await ports.transport.send(request, { userId: db.userId });
  if ('reason' in answer) return answer.reason === 'signed out' ? 'sign in' : 'unreachable';
  if (isSignedOut(answer)) return 'sign in';
  if (answer.status === 304) return { path, known, since, tag: known ?? null, body: undefined };
  // A server without this list, or a profile gone meanwhile.
  if (none.includes(answer.status) && isOwnRefusal(answer)) return { path, known, since, tag: null, body: undefined };
  if (answer.status !== 200 || answer.redirected || typeof answer.body !== 'object') return 'unreachable';
  return { path, known, since, tag: answer.header('etag'), body: answer.body };
}

/** Whether another tab stored this list since it was asked for: what came here may be older. Inside the transaction. */
export async function isStoredElsewhere(db: AccountDb, { path, known }: TaggedList): Promise<boolean> {
  return (await db.cursors.get(path))?.value !== known;
}

/**
 * Whether the server has taken a change of ours since this list was asked for. Without versions nothing tells whether the list
 * knew of it. Inside the transaction.
 */
export async function isOvertaken(db: AccountDb, { since }: TaggedList): Promise<boolean> {
  const taken = db.journal.where('n').above(since);
  return (await taken.filter(({ to }) => to === 'done').count()) > 0;
}

/** Keeps the tag of a list with what it said; inside the transaction that stores it. */
export async function keepTag(db: AccountDb, { path, tag }: TaggedList): Promise<void> {
  if (tag === null) await db.cursors.delete(path);
  else await db.cursors.put({ resource: path, value: tag });
}
