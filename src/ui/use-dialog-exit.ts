import { useEffect, useEffectEvent, type RefObject, type SyntheticEvent } from 'react';

/** Open dialogs, the one on top last. */
const open: HTMLDialogElement[] = [];

const DOUBLE_TAP_MS = 500;

/** A double tap on what closes a dialog ends on the page below it: its second tap must not press what lies there. */
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
 * Makes every way a browser closes a dialog ask `leave` instead: Escape, and Android's back gesture. Escape means the
 * dialog on top, once per press; its repeats while it is held mean nothing. A browser lets a page hold back only the
 * first close of its own, so the key is taken here, and a dialog it closed all the same is opened again.
 * @param leave closes it, or asks first; called again only for another press
 */
export function useDialogExit(dialog: RefObject<HTMLDialogElement | null>, leave: () => void) {
  const leaveNow = useEffectEvent(leave);
  useEffect(() => {
    const element = dialog.current;
    if (!element) return;
    open.push(element);
    const handleKey = (event: KeyboardEvent) => {
      if (event.key !== 'Escape' || event.isComposing || event.defaultPrevented || open.at(-1) !== element) return;
      // A menu over the dialog is the browser's to close.
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
      // A file picker inside sends its own cancel up here.
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
