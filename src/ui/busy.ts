import { useEffect } from 'react';

let busy = 0;

/** While true, nothing may reload the page: a form holds unsaved words, or files are being stored or sent. */
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

let engaged = 0;

/** While this is shown nobody is interrupted, not even between two sheets of it, when for a moment none is open. */
export function useEngaged(): void {
  useEffect(() => {
    engaged += 1;
    return () => {
      engaged -= 1;
    };
  }, []);
}

/** Someone who is in the middle of something else is not interrupted: the pill and the row lead to the form. */
export function isInUse(): boolean {
  return engaged > 0 || document.querySelector('dialog[open]') !== null || document.visibilityState === 'hidden';
}
