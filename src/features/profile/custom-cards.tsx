import type { ComponentType, ReactNode } from 'react';
import type { Section } from '#contract/section.ts';
import type { Item } from '#db/views.ts';
import { AboutText } from './AboutText.tsx';
import { CreditList } from './CreditList.tsx';
import { SkillList } from './SkillList.tsx';

export interface CardBodyProps {
  section: Section;
  /** At least one. */
  items: Item[];
  /** Where the item is: a pill, or nothing when it is saved. */
  stateOf: (item: Item) => ReactNode;
  /** The item's row menu, to stand at the end of its row. */
  menuOf: (item: Item) => ReactNode;
}

interface CustomCard {
  /** Takes the full width where short sections stand in two columns. */
  wide?: boolean;
  Body: ComponentType<CardBodyProps>;
}

/** Sections with a look of their own; all others are drawn by SectionList from their card text. */
export const CUSTOM_CARDS: Readonly<Record<string, CustomCard>> = {
  about_me: { Body: AboutText },
  experience: { wide: true, Body: CreditList },
  skill: { Body: SkillList },
};
