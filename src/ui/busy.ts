import { useEffect } from 'react';

let busy = 0;

/** While true, nothing may reload the page: a form holds unsaved text, or files are being stored or sent. */
export function useBusyWhile(isBusy: boolean): void {
  useEffect(() => {
    if (!isBusy) return;
    busy += 1;
    return () => {
      busy -= 1;
    };
  }, [isBusy]);
}

export function isAnythingBusy(): boolean {
  return busy > 0;
}

/** Whether a sheet, a question or a form page is open, which may hold typed text. */
export const isFormOpen = () => document.querySelector('dialog[open], main form') !== null;

let engaged = 0;

/** Prevents interruptions while the component is mounted, also between two of its sheets, when none is open. */
export function useEngaged(): void {
  useEffect(() => {
    engaged += 1;
    return () => {
      engaged -= 1;
    };
  }, []);
}

/**
 * Whether the user is busy with a dialog or has left the page. Do not open a form then; the pill and the row lead to
 * it.
 */
export function isInUse(): boolean {
  return engaged > 0 || document.querySelector('dialog[open]') !== null || document.visibilityState === 'hidden';
}
