import { useCallback, useEffect, useRef, useState } from 'react';
import { dropDraft, saveDraft, loadDraft } from '#shared/forms/drafts.ts';
import { useAccount } from '#session/session.tsx';

const SAVE_DELAY_MS = 400;

interface Draft {
  /** undefined while it is looked for, null where there is none. */
  kept: Record<string, unknown> | null | undefined;
  /** Keeps what was typed, once the typing pauses. */
  keep: (values: Record<string, unknown>) => void;
  /** Keeps what was typed last at once; for a sheet that closes. */
  flush: () => void;
  drop: () => Promise<void>;
}

/**
 * What was typed in a form that was left open. A draft is a courtesy, not the work itself: a store that will not give
 * or take one leaves the form as it is, and Save says what is the matter.
 */
export function useDraft(key: string): Draft {
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
    loadDraft(db, key).then(settle, reportError);
    return () => {
      isCurrent = false;
    };
  }, [db, key]);
  // A phone that is put away may never come back to this page.
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
      clearTimeout(timer.current);
      timer.current = setTimeout(flush, SAVE_DELAY_MS);
    },
    [flush],
  );
  const drop = useCallback(async () => {
    clearTimeout(timer.current);
    last.current = null;
    await dropDraft(db, key);
  }, [db, key]);
  return { kept, keep, flush, drop };
}
