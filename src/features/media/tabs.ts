import { MEDIA_TABS } from '#contract/media-tabs.ts';
import type { MediaItem } from '#db/queries.ts';
import { getTab } from './media-item.ts';

/** One tab of a portfolio, with the number of its items. */
export interface Tab {
  key: string;
  label: string;
  count: number;
}

export const FULL = 'full';

/** Returns the tab Full and one for each kind with items; no tabs if there are no items. */
export function getTabs(items: readonly Pick<MediaItem, 'body'>[]): Tab[] {
  if (items.length === 0) return [];
  const kinds = MEDIA_TABS.map(({ key, tab, tabLabel }) => ({
    key: tab,
    label: tabLabel,
    count: items.filter((item) => getTab(item)?.key === key).length,
  }));
  return [{ key: FULL, label: 'Full', count: items.length }, ...kinds.filter(({ count }) => count > 0)];
}

/** Returns the tab to which a key press moves, wrapping around at the ends; null for other keys. */
export function getTabAfterKey(tabs: readonly Tab[], current: string, pressed: string): string | null {
  const at = tabs.findIndex(({ key }) => key === current);
  const to = { ArrowRight: at + 1, ArrowLeft: at - 1, Home: 0, End: tabs.length - 1 }[pressed];
  return to === undefined ? null : (tabs[(to + tabs.length) % tabs.length]?.key ?? null);
}

/**
 * Returns the tab to which a swipe moves; null beyond the ends.
 * @param step 1 for the next tab, -1 for the previous one
 */
export function getAdjacentTab(tabs: readonly Tab[], current: string, step: 1 | -1): string | null {
  return tabs[tabs.findIndex(({ key }) => key === current) + step]?.key ?? null;
}
