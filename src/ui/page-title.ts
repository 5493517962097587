import { useEffect, useSyncExternalStore } from 'react';
import { announce } from './announce.tsx';
import { createSlot } from './slot.ts';

const title = createSlot('Callboard');
let isFirst = true;

/** Names the page in the tab, in the phone's top bar and, after the first page, to readers. */
export function usePageTitle(text: string): void {
  useEffect(() => {
    document.title = `${text} · Callboard`;
    title.set(text);
    if (!isFirst) announce(text);
    isFirst = false;
  }, [text]);
}

/** What the page on screen called itself last. */
export function useCurrentPageTitle(): string {
  return useSyncExternalStore(title.subscribe, title.get);
}
