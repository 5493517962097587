import { useEffect, useEffectEvent, useLayoutEffect, type RefObject, type SyntheticEvent } from 'react';

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

/** Focuses the card's button when the element that opened a dialog is gone, such as the row of an empty card. */
function focusFallback(home: Element | null | undefined): void {
  const next = home?.isConnected ? home.querySelector('button') : null;
  (next ?? document.getElementById('main'))?.focus({ preventScroll: true });
}

/**
 * Shows a dialog as a modal while its component is mounted. The browser traps the focus, and restores it afterwards.
 *
 * Calls `leave` whenever the browser would close the dialog: on Escape and on Android's back gesture. Escape applies to
 * the topmost dialog, once per press; key repeats are ignored. Browsers let a page cancel only the first close request,
 * so this hook handles the key itself and reopens a dialog that the browser closed anyway.
 * @param leave closes the dialog, or asks first; called once per press
 * @param backTo CSS selector of the element to focus afterwards, if the browser could not restore the focus
 * @returns props of the dialog element
 */
export function useModal(dialog: RefObject<HTMLDialogElement | null>, leave: () => void, backTo?: string) {
  const leaveNow = useEffectEvent(leave);
  // The browser restores the focus only if the dialog closes before its element is removed.
  useLayoutEffect(() => {
    const element = dialog.current;
    const home = document.activeElement?.closest('section');
    element?.showModal();
    return () => {
      element?.close();
      // If no element got the focus, it stays in the closed dialog until the next frame.
      if (document.activeElement !== document.body && !element?.contains(document.activeElement)) return;
      const target = backTo === undefined ? null : document.querySelector<HTMLElement>(backTo);
      if (target) target.focus();
      else focusFallback(home);
    };
  }, [dialog, backTo]);
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
