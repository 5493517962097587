import { useEffect, useEffectEvent, type RefObject, type SyntheticEvent } from 'react';

/** Open dialogs, the topmost last. */
const open: HTMLDialogElement[] = [];

const DOUBLE_TAP_MS = 500;

/** Ignores the second tap of a double tap that closed a dialog, because it would hit the page below. */
function ignoreSecondTap(): void {
  const handleClick = (event: MouseEvent) => {
    if (event.detail < 2) return;
    event.preventDefault();
    event.stopPropagation();
  };
  document.addEventListener('click', handleClick, true);
  setTimeout(() => document.removeEventListener('click', handleClick, true), DOUBLE_TAP_MS);
}

/**
 * Calls `leave` whenever the browser would close a dialog: on Escape and on Android's back gesture. Escape applies to
 * the topmost dialog, once per press; key repeats are ignored. Browsers let a page cancel only the first close request,
 * so this hook handles the key itself and reopens a dialog that the browser closed anyway.
 * @param leave closes the dialog, or asks first; called once per press
 */
export function useDialogExit(dialog: RefObject<HTMLDialogElement | null>, leave: () => void) {
  const leaveNow = useEffectEvent(leave);
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    open.push(element);
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented || open.at(-1) !== element) return;
      // The browser closes a menu over the dialog.
      if (!event.repeat && document.querySelector('[popover="auto"]:popover-open')) return;
      event.preventDefault();
      if (!event.repeat) leaveNow();
    };
    document.addEventListener('keydown', handleKey);
    return () => {
      document.removeEventListener('keydown', handleKey);
      open.splice(open.indexOf(element), 1);
      ignoreSecondTap();
    };
  }, [dialog]);
  return {
    onCancel: (event: SyntheticEvent<HTMLDialogElement>) => {
      // The cancel event of a file input inside the dialog bubbles up to here.
      if (event.target !== event.currentTarget) return;
      event.preventDefault();
      leave();
    },
    onClose: (event: SyntheticEvent<HTMLDialogElement>) => {
      const element = event.currentTarget;
      if (event.target !== element || element.open || dialog.current !== element) return;
      element.showModal();
      leave();
    },
  };
}
