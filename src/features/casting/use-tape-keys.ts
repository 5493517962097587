import { useEffect, useEffectEvent, useState } from 'react';
import { isPageCovered } from '#ui/is-page-covered.ts';

/** What each key does, by `KeyboardEvent.key` in lower case. */
export type TapeKeys = Readonly<Record<string, () => void>>;

/** Keys that do the same again while they are held down. Holding a grade down must not grade the rest of the role. */
const REPEATED: readonly string[] = ['arrowleft', 'arrowright', 'j', 'l'];
/** Keys with which a focused control is pressed. */
const PRESSING: readonly string[] = [' ', 'enter'];
const OFF_KEY = 'tape-keys-off';

/** Inputs in which nobody types. */
const TICKED: readonly string[] = ['checkbox', 'radio'];

const isTypingIn = (target: EventTarget | null): target is HTMLElement =>
  target instanceof HTMLTextAreaElement ||
  target instanceof HTMLSelectElement ||
  (target instanceof HTMLInputElement && !TICKED.includes(target.type));

const isControl = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.matches('button, a[href], input, summary');

/**
 * Whether the keys belong to the page around a player that stands beside it: to a dialog that lies over both, to an open menu, or, as far as
 * arrows go, to the control that has the focus.
 */
const isOfPage = (target: EventTarget | null, key: string): boolean =>
  isPageCovered() ||
  (target instanceof Element && key.startsWith('arrow') && isControl(target) && target.closest('dialog') === null);

/**
 * Lets a player be used by keyboard. Keys rest while somebody types; Escape leaves the field that they type in.
 * @param isBeside whether the player stands beside the page, which can be used as well, and does not lie over it
 * @returns whether single letters and digits do something, which can be switched off on this device: people who speak to their computer, or
 * whose hand slips, need that
 */
export function useTapeKeys(keys: TapeKeys, isBeside = false): { isOn: boolean; setOn: (isOn: boolean) => void } {
  const [isOn, setIsOn] = useState(() => localStorage.getItem(OFF_KEY) === null);
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    const { target } = event;
    const key = event.key.toLowerCase();
    if (event.metaKey || event.ctrlKey || event.altKey || event.isComposing) return;
    if (isBeside && isOfPage(target, key)) return;
    if (isTypingIn(target)) {
      if (key !== 'escape' || target instanceof HTMLSelectElement) return;
      target.blur();
      event.preventDefault();
      return;
    }
    const isLetter = key.length === 1 && key !== ' ';
    if (!(key in keys) || (isLetter && !isOn) || (PRESSING.includes(key) && isControl(target))) return;
    event.preventDefault();
    // Before the browser's own player, which would jump by some seconds.
    event.stopPropagation();
    if (!event.repeat || REPEATED.includes(key)) keys[key]?.();
  });
  useEffect(() => {
    addEventListener('keydown', handleKey, { capture: true });
    return () => removeEventListener('keydown', handleKey, { capture: true });
  }, []);
  return {
    isOn,
    setOn: (next) => {
      if (next) localStorage.removeItem(OFF_KEY);
      else localStorage.setItem(OFF_KEY, '1');
      setIsOn(next);
    },
  };
}
