import type { ReactNode } from 'react';
import type { MediaItem } from '#db/queries.ts';

/** How much room there is: a card of a profile, a page of its own. */
export type MediaLayout = 'card' | 'page';

/** Buttons of an item: over a tile in its upper corners, in a row at its end. */
export interface ItemControls {
  bookmark?: ReactNode;
  /** Deletes it; shown where there is room for it beside the menu. */
  remove?: ReactNode;
  menu?: ReactNode;
  /** What there is to know of it besides where it is: on a tile, or beside its name. */
  mark?: ReactNode;
}

/** Classes that bring the buttons of an item to where they belong. */
export interface ControlClasses {
  bookmark?: string;
  menu?: string;
}

/** What shows the items of one kind. */
export interface MediaListProps {
  items: readonly MediaItem[];
  layout: MediaLayout;
  /** Opens what is looked at on black. */
  onOpen: (id: string) => void;
  /** What the person can do with an item. */
  getControls?: ((item: MediaItem, places?: ControlClasses) => ItemControls) | undefined;
  /** Of the owner, where all of a kind are shown: puts one in another's place. */
  onMove?: ((id: string, to: number) => void) | undefined;
  /** Whose they are: said over a recording on the lock screen. */
  artist: string;
}
