import type { Db } from '#server/platform/db/connect.ts';
import { lockColleaguesOfRequest } from './projects.ts';

/**
 * Everybody who reads a card on the shortlist of a role: the owner and the colleagues of its project, but nobody who is hidden from the performer by a
 * block, and never the performer. Whoever becomes a colleague at this moment waits for this transaction.
 */
export async function listCandidateReaders(
  tx: Db,
  { roleId, ownerId, performerId }: { roleId: number; ownerId: number; performerId: number },
): Promise<number[]> {
  const readers = [ownerId, ...(await lockColleaguesOfRequest(tx, { roleId, performerId }))];
  return readers.filter((reader) => reader !== performerId);
}
