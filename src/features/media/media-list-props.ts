import type { ReactNode } from 'react';
import type { MediaItem } from '#db/queries.ts';

/** Whether the media are shown in a card of the profile or on a page of their own. */
export type MediaLayout = 'card' | 'page';

/** Controls of an item: in the upper corners of a tile, or at the end of a row. */
export interface ItemControls {
  bookmark?: ReactNode;
  /** Delete button; shown if there is room beside the menu. */
  remove?: ReactNode;
  menu?: ReactNode;
  /** In the viewer only: a tile has no room for it. */
  report?: ReactNode;
  /** Badges besides the sync state: on a tile, or beside the name. */
  mark?: ReactNode;
}

/** Classes that position the controls of an item. */
export interface ControlClasses {
  bookmark?: string;
  menu?: string;
}

/** Props of the lists of one media kind. */
export interface MediaListProps {
  items: readonly MediaItem[];
  layout: MediaLayout;
  /** Opens an item in the viewer. */
  onOpen: (id: string) => void;
  /** Returns the controls of an item. */
  getControls?: ((item: MediaItem, places?: ControlClasses) => ItemControls) | undefined;
  /** Moves an item; only for the owner, and only while no filter is active. */
  onMove?: ((id: string, to: number) => void) | undefined;
  /** Name of the owner, shown with a recording on the lock screen. */
  artist: string;
}
