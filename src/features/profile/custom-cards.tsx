import type { ComponentType } from 'react';
import type { Section } from '#contract/section.ts';
import { lazyOptional } from '#ui/lazy-part.ts';
import { AboutText } from './AboutText.tsx';
import type { CardBodyProps } from './card-body.ts';
import { CreditList } from './CreditList.tsx';
import { LanguageList } from './LanguageList.tsx';
import { SectionList } from './SectionList.tsx';
import { SkillList } from './SkillList.tsx';

// Loaded lazily: feedback is far down the page, and most profiles have none.
const FeedbackList = lazyOptional(async () => (await import('./FeedbackList.tsx')).FeedbackList);
// Loaded lazily: it includes the text of every kind of field, too much for the first paint, and its rows are below the fold.
const FactList = lazyOptional(async () => (await import('./FactList.tsx')).FactList);

interface CustomCard {
  /** Takes the full width where the other cards are in two columns. */
  isWide?: boolean;
  Body: ComponentType<CardBodyProps>;
}

/** Sections with a component of their own. CardBody chooses a generic one for all others. */
export const CUSTOM_CARDS: Readonly<Record<string, CustomCard>> = {
  about_me: { Body: AboutText },
  experience: { isWide: true, Body: CreditList },
  feedback: { isWide: true, Body: FeedbackList },
  language: { Body: LanguageList },
  skill: { Body: SkillList },
};

/** Whether a section holds any number of rows, not a single record. */
export const isListSection = (section: Section) => section.cardinality === 'many' && section.maxItems !== 1;

/** Renders the rows of a section with its custom component, else as feedback, as a list, or as facts of a single record. */
export function CardBody(props: CardBodyProps) {
  const { section } = props;
  const Body =
    CUSTOM_CARDS[section.key]?.Body ??
    (section.writtenBy ? FeedbackList : isListSection(section) ? SectionList : FactList);
  return <Body {...props} />;
}
