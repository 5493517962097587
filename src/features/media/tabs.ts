import { MEDIA_TABS } from '#contract/media-tabs.ts';
import type { MediaItem } from '#db/queries.ts';
import { getTab } from './media-item.ts';

/** One tab over a portfolio, with how many items it shows. */
export interface Tab {
  key: string;
  label: string;
  count: number;
}

export const FULL = 'full';

/** Full where there is anything, then every kind that has items. Nothing at all has no tabs. */
export function getTabs(items: readonly Pick<MediaItem, 'body'>[]): Tab[] {
  if (items.length === 0) return [];
  const kinds = MEDIA_TABS.map(({ key, tab, tabLabel }) => ({
    key: tab,
    label: tabLabel,
    count: items.filter((item) => getTab(item)?.key === key).length,
  }));
  return [{ key: FULL, label: 'Full', count: items.length }, ...kinds.filter(({ count }) => count > 0)];
}

/** The tab a key of the keyboard leads to from this one, round the ends; null for every other key. */
export function getTabAfterKey(tabs: readonly Tab[], current: string, pressed: string): string | null {
  const at = tabs.findIndex(({ key }) => key === current);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[pressed];
  return to === undefined ? null : (tabs[(to + tabs.length) % tabs.length]?.key ?? null);
}

/** The tab a swipe leads to, none beyond either end. @param step 1 is the next one */
export function getAdjacentTab(tabs: readonly Tab[], current: string, step: 1 | -1): string | null {
  return tabs[tabs.findIndex(({ key }) => key === current) + step]?.key ?? null;
}
