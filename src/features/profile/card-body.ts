import type { ReactNode } from 'react';
import type { Section } from '#contract/section.ts';
import type { Item } from '#db/views.ts';

/** Props of every component that renders the rows of a section. */
export interface CardBodyProps {
  section: Section;
  /** At least one. */
  items: Item[];
  /** Renders the sync state of an item as a pill; nothing when it is saved. */
  renderState: (item: Item) => ReactNode;
  /** Renders the menu at the end of an item's row. */
  renderMenu: (item: Item) => ReactNode;
}

/** Cards that may be visible on the first screen and are laid out at once. Later sections are below the fold. */
export const INITIAL_SECTION_COUNT = 2;
