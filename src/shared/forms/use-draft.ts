import { useCallback, useEffect, useRef, useState } from 'react';
import { dropDraft, saveDraft, loadDraft } from './drafts.ts';
import { backUpDraft } from '#open-store/draft-backup.ts';
import { useAccount } from '#session/session.tsx';

const SAVE_DELAY_MS = 400;

export interface Draft {
  /** Undefined while it is being loaded, null if there is none. */
  kept: Record<string, unknown> | null | undefined;
  /** Saves the values: in local storage at once, and in the store when typing pauses. */
  keep: (values: Record<string, unknown>) => void;
  /** Saves the latest values in the store at once. */
  flush: () => void;
  drop: () => Promise<void>;
}

/**
 * The draft of a form: its values survive a closed sheet or page. A draft is best effort. If the store cannot read or
 * write it, the form works without it, and Save reports the problem.
 * @param formerKey under which an older version of the app kept the same draft
 */
export function useDraft(key: string, formerKey?: string): Draft {
  const { db } = useAccount();
  const [kept, setKept] = useState<Draft['kept']>();
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined);
  const last = useRef<Record<string, unknown> | null>(null);

  const flush = useCallback(() => {
    clearTimeout(timer.current);
    const values = last.current;
    last.current = null;
    if (values) saveDraft(db, key, values, Date.now());
  }, [db, key]);
  useEffect(() => {
    let isCurrent = true;
    const settle = (values: Record<string, unknown> | null) => {
      if (isCurrent) setKept(values);
    };
    loadDraft(db, key, formerKey).then(settle, reportError);
    return () => {
      isCurrent = false;
    };
  }, [db, key, formerKey]);
  // On a phone, a hidden page may be discarded without further events.
  useEffect(() => {
    const handleHide = () => {
      if (document.visibilityState === 'hidden') flush();
    };
    document.addEventListener('visibilitychange', handleHide);
    addEventListener('pagehide', flush);
    return () => {
      document.removeEventListener('visibilitychange', handleHide);
      removeEventListener('pagehide', flush);
      flush();
    };
  }, [flush]);

  const keep = useCallback(
    (values: Record<string, unknown>) => {
      last.current = values;
      // A browser may end a page at any time, and without an event.
      backUpDraft(db.name, key, values);
      clearTimeout(timer.current);
      timer.current = setTimeout(flush, SAVE_DELAY_MS);
    },
    [db, key, flush],
  );
  const drop = useCallback(async () => {
    clearTimeout(timer.current);
    last.current = null;
    await dropDraft(db, key);
  }, [db, key]);
  return { kept, keep, flush, drop };
}
