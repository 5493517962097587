import { useEffect, useEffectEvent } from 'react';
import type { DraftForm } from '#shared/forms/use-draft-form.ts';
import type { PickedFile } from './picked-files.ts';

/** Keeps the stored files of an open sheet in its draft, with what they are called. @param isTouched false while there is nothing to keep */
export function useKeepFiles(form: DraftForm, stored: readonly PickedFile[], isTouched: boolean): void {
  const storedIds = stored.map((file) => file.mediaId).join();
  const titles = stored.map((file) => file.title).join('\n');
  const keepFiles = useEffectEvent(() =>
    form.attach({
      files: stored.map((file) => file.mediaId),
      titles: Object.fromEntries(stored.map((file) => [file.mediaId, file.title])),
    }),
  );
  const flush = useEffectEvent(form.flush);
  useEffect(() => {
    if (isTouched) keepFiles();
  }, [isTouched, storedIds, titles]);
  // Saved at once: the cleanup deletes stored files that no draft references.
  useEffect(() => {
    if (storedIds !== '') flush();
  }, [storedIds]);
}
