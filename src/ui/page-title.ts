import { useEffect, useSyncExternalStore } from 'react';
import { announce } from './announce.tsx';
import { createSlot } from './slot.ts';

const title = createSlot('Callboard');
let isFirst = true;

/** Sets the title of the tab and the phone's top bar, and announces it to screen readers, except for the first page. */
export function usePageTitle(text: string): void {
  useEffect(() => {
    document.title = `${text} · Callboard`;
    title.set(text);
    if (!isFirst) announce(text);
    isFirst = false;
  }, [text]);
}

/** The title of the current page. */
export function useCurrentPageTitle(): string {
  return useSyncExternalStore(title.subscribe, title.get);
}
