import type { ReactNode } from 'react';
import type { Section } from '#contract/section.ts';
import type { Item } from '#db/views.ts';

/** What a section's rows are drawn from. */
export interface CardBodyProps {
  section: Section;
  /** At least one. */
  items: Item[];
  /** Where the item is: a pill, or nothing when it is saved. */
  stateOf: (item: Item) => ReactNode;
  /** The item's row menu, to stand at the end of its row. */
  menuOf: (item: Item) => ReactNode;
}

/** Sections whose cards a screen may show at first: they are laid out at once. Those after them are further down. */
export const FIRST_SECTIONS = 2;
