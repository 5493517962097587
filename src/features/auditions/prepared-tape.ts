import type { AccountDb } from '#db/database.ts';
import { getCvDraftKey } from '#shared/casting/tape-cv.ts';
import { dropDraft, loadDraft } from '#shared/forms/drafts.ts';
import { readDraftFiles } from '#shared/picked-files/use-draft-files.ts';
import type { Engine } from '#sync/engine.ts';

/** The key of the draft that keeps the takes and texts for the next tape of an audition. */
export const getTapeDraftKey = (auditionId: string): string => `tape:${auditionId}`;

const listKeys = (auditionId: string) => [getTapeDraftKey(auditionId), getCvDraftKey(auditionId)];

/** Whether a tape was begun on this device and not sent. */
export const hasPreparedTape = async (db: AccountDb, auditionId: string): Promise<boolean> =>
  (await db.drafts.where('key').anyOf(listKeys(auditionId)).count()) > 0;

interface Device {
  db: AccountDb;
  engine: Pick<Engine, 'dropFile'>;
}

/** Removes a tape that was begun, with its files. Takes of the booth stay. */
export async function removePreparedTape({ db, engine }: Device, auditionId: string): Promise<void> {
  for (const key of listKeys(auditionId)) {
    const files = await readDraftFiles(db, (await loadDraft(db, key)) ?? {});
    await dropDraft(db, key);
    for (const { mediaId } of files) if (mediaId) await engine.dropFile(mediaId);
  }
}
