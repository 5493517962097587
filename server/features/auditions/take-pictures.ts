import { and, eq, isNull } from 'drizzle-orm';
import * as z from 'zod/mini';
import { announceBody, type AnnounceBody } from '#contract/records/tapes.ts';
import type { Config } from '#server/platform/config.ts';
import type { Db } from '#server/platform/db/connect.ts';
import { lockPerson } from '#server/platform/db/lock-person.ts';
import { auditionRequests } from '#server/platform/db/schema.ts';
import type { Deps } from '#server/platform/deps.ts';
import { parseId } from '#server/platform/http/ids.ts';
import type { RequestRow } from '../casting/rows.ts';
import { findTapeByClientId } from '../casting/tape-rows.ts';
import type { StoredNewFile } from '../media/file-store.ts';
import { fileIntake, UPLOADS_ONLY, withFieldErrors } from '../media/intake.ts';
import { recordFiles } from '../media/store.ts';
import { getFreeBytes } from '../uploads/quota.ts';

/** The stored pictures of one take: a small one, and some of its frames side by side. */
interface TakePictures {
  poster: StoredNewFile | null;
  strip: StoredNewFile | null;
}

/** The stored pictures of takes, by the uploads that bring the takes. */
export type Pictures = ReadonlyMap<string, TakePictures>;

export const NO_PICTURES: Pictures = new Map();

/** Whether this person may announce this tape, so that its pictures are worth storing. The route says what is wrong if not. */
async function isExpected(db: Db, userId: number, { request_id, client_id }: AnnounceBody): Promise<boolean> {
  const id = parseId(request_id);
  if (id === null || (client_id && (await findTapeByClientId(db, userId, client_id)))) return false;
  const { performerId, withdrawnAt } = auditionRequests;
  const found = await db
    .select({ id: auditionRequests.id })
    .from(auditionRequests)
    .where(and(eq(auditionRequests.id, id), eq(performerId, userId), isNull(withdrawnAt)));
  return found.length > 0;
}

/** Stores the pictures of the takes of a new tape, before the transaction. */
export const picturesIntake = (deps: Deps) =>
  fileIntake<Pictures>(deps, UPLOADS_ONLY, async ({ fields }, { isAnswered, caller, fileStore, folder }) => {
    const body = z.safeParse(announceBody, fields);
    if (isAnswered || !body.success || !(await isExpected(deps.db, caller.userId, body.data))) return null;
    const pictures = new Map<string, TakePictures>();
    for (const [index, { upload_id, poster, strip }] of body.data.takes.entries()) {
      const take = `of take ${index + 1}: `;
      pictures.set(upload_id, {
        poster: poster
          ? await withFieldErrors('takes', `Picture ${take}`, () => fileStore.smallPoster(poster, folder))
          : null,
        strip: strip ? await withFieldErrors('takes', `Strip ${take}`, () => fileStore.strip(strip, folder)) : null,
      });
    }
    return pictures;
  });

/**
 * Records the pictures of a new tape, so that they are served and count for the quota of the performer. Without room for them the tape goes without:
 * a picture must not stop an announcement.
 * @returns those that were recorded
 */
export async function keepPictures(
  tx: Db,
  config: Pick<Config, 'maxStorageBytes'>,
  { id: requestId, performerId: userId }: RequestRow,
  pictures: Pictures,
  now: Date,
): Promise<Pictures> {
  const files = [...pictures.values()].flatMap(({ poster, strip }) => [poster ?? [], strip ?? []].flat());
  if (userId === null || files.length === 0) return NO_PICTURES;
  await lockPerson(tx, userId);
  const needed = files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0);
  if (needed > (await getFreeBytes(tx, config, userId))) return NO_PICTURES;
  await recordFiles(tx, { userId, requestId }, files, now);
  return pictures;
}
