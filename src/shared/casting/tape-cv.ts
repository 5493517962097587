import type { AccountDb } from '#db/database.ts';
import { loadDraft, saveDraft } from '#shared/forms/drafts.ts';
import { readDraftFiles } from '#shared/picked-files/use-draft-files.ts';
import { toTitle } from '#shared/picked-files/picked-files.ts';
import type { Engine } from '#sync/engine.ts';

/** The key of the draft that keeps the CV for the next tape of an audition. It is not the draft of the tape, whose form keeps the takes. */
export const getCvDraftKey = (auditionId: string): string => `tape-cv:${auditionId}`;

interface Device {
  db: AccountDb;
  engine: Pick<Engine, 'importFile' | 'dropFile'>;
}

/** Stores a CV on this device and puts it into the form of a tape, in place of the one that is there. */
export async function addCvToTape({ db, engine }: Device, auditionId: string, pdf: File, now: number): Promise<void> {
  const key = getCvDraftKey(auditionId);
  const replaced = await readDraftFiles(db, (await loadDraft(db, key)) ?? {});
  const { id } = await engine.importFile(pdf);
  saveDraft(db, key, { files: [id], titles: { [id]: toTitle(pdf.name) } }, now);
  for (const { mediaId } of replaced) if (mediaId) await engine.dropFile(mediaId);
}
