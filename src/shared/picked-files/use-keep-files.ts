import { useEffect, useEffectEvent, useRef } from 'react';
import type { DraftForm } from '#shared/forms/use-draft-form.ts';
import { getDraftId, type PickedFile } from './picked-files.ts';

interface KeptFiles {
  files: readonly PickedFile[];
  /** Deletes what the draft does not name any more. */
  dropReplaced: () => void;
}

/**
 * Keeps the files of an open sheet in its draft, with what they are called: those that are stored, and the takes of which an MP4
 * is still to be made.
 * @param isTouched false while there is nothing to keep
 */
export function useKeepFiles(form: DraftForm, { files, dropReplaced }: KeptFiles, isTouched: boolean): void {
  const kept = files.flatMap((file) => {
    const id = getDraftId(file);
    return id === null ? [] : [{ id, title: file.title, take: file.take, isSettled: file.isSettled }];
  });
  const ids = kept.map(({ id }) => id).join();
  const content = JSON.stringify(kept);
  const keepFiles = useEffectEvent(() =>
    form.attach({
      files: kept.map(({ id }) => id),
      titles: Object.fromEntries(kept.map(({ id, title }) => [id, title])),
      settled: kept.flatMap(({ id, isSettled }) => (isSettled ? [id] : [])),
      takes: Object.fromEntries(kept.flatMap(({ id, take }) => (take ? [[id, take]] : []))),
    }),
  );
  /** Whether the draft names files, or did: then it must also hear that there are none any more, or they would come back. */
  const isNamed = useRef(false);
  const flush = useEffectEvent(() => {
    if (ids === '' && isNamed.current && !form.isChanged) form.forget();
    else if (isNamed.current) form.flush();
    dropReplaced();
  });
  useEffect(() => {
    isNamed.current ||= ids !== '';
    if (isTouched || isNamed.current) keepFiles();
  }, [isTouched, ids, content]);
  // Saved at once: the cleanup deletes stored files that no draft references.
  useEffect(() => flush(), [ids]);
}
