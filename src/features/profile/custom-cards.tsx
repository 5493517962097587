import { type ComponentType, Suspense } from 'react';
import type { Section } from '#contract/section.ts';
import { late } from '#ui/late.ts';
import { AboutText } from './AboutText.tsx';
import type { CardBodyProps } from './card-body.ts';
import { CreditList } from './CreditList.tsx';
import { LanguageList } from './LanguageList.tsx';
import { SectionList } from './SectionList.tsx';
import { SkillList } from './SkillList.tsx';

/** Words of others stand low on a page, and most pages have none. */
const FeedbackList = late(async () => (await import('./FeedbackList.tsx')).FeedbackList);
// With the words of every kind of field, which the first paint has no room for; the rows below the fold can wait for it.
const FactList = late(async () => (await import('./FactList.tsx')).FactList);

interface CustomCard {
  /** Takes the full width where short sections stand in two columns. */
  wide?: boolean;
  Body: ComponentType<CardBodyProps>;
}

/** Sections with a look of their own; all others are drawn by SectionList from their card text. */
export const CUSTOM_CARDS: Readonly<Record<string, CustomCard>> = {
  about_me: { Body: AboutText },
  experience: { wide: true, Body: CreditList },
  feedback: { wide: true, Body: FeedbackList },
  language: { Body: LanguageList },
  skill: { Body: SkillList },
};

/** Rows that are added one after the other, as against a single record with its pencil. */
export const isListOf = (section: Section) => section.cardinality === 'many' && section.most !== 1;

/** A section's rows: its own card, else words with who said them, a list, or the lines of its single record. */
export function CardBody(props: CardBodyProps) {
  const { section } = props;
  const Body =
    CUSTOM_CARDS[section.key]?.Body ?? (section.writtenBy ? FeedbackList : isListOf(section) ? SectionList : FactList);
  return (
    <Suspense>
      <Body {...props} />
    </Suspense>
  );
}
