import type { Profile } from '#contract/records/profile.ts';
import type { Sections } from './use-board.ts';

/** How much of what casting looks for a profile holds beside its own fields; unsent changes count. */
export interface Holdings {
  hasPortrait: boolean;
  credits: number;
  hasLanguages: boolean;
  hasContact: boolean;
}

export function holdingsOf(sections: Sections, hasPortrait: boolean): Holdings {
  const rows = (key: string) => sections.get(key) ?? [];
  const chosen = rows('language')[0]?.body.languages;
  return {
    hasPortrait,
    credits: rows('experience').length,
    hasLanguages: Array.isArray(chosen) && chosen.length > 0,
    hasContact: rows('contact').length > 0,
  };
}

/** What casting filters by, in the order it is worth doing. */
export type StepKey = 'name' | 'photo' | 'age' | 'languages' | 'credits' | 'contact';

export interface Step {
  key: StepKey;
  title: string;
  hint: string;
  isDone: boolean;
}

/** From so many steps on one line is enough. */
export const NEARLY = 4;

/** The six steps of a profile, done or not. */
export function stepsOf(profile: Partial<Profile>, held: Holdings): Step[] {
  const step = (key: StepKey, title: string, hint: string, isDone: boolean): Step => ({ key, title, hint, isDone });
  return [
    step('name', 'Name and city', 'Where you are cast from', Boolean(profile.stage_name && profile.location)),
    step(
      'photo',
      'A clear photo',
      'Head and shoulders in natural light',
      held.hasPortrait || Boolean(profile.profile_photo),
    ),
    step(
      'age',
      'Playing age',
      'What casting filters by first',
      profile.min_age_range != null && profile.max_age_range != null,
    ),
    step('languages', 'Languages', 'The languages you work in', held.hasLanguages),
    step('credits', 'Two credits', 'Your best, not your latest', held.credits >= 2),
    step('contact', 'A way to reach you', 'You choose who sees it', held.hasContact),
  ];
}

/** 'Two steps left: photo, languages', for one line under the ring. */
export function leftWords(steps: readonly Step[]): string {
  const left = steps.filter((step) => !step.isDone).map((step) => step.title.toLocaleLowerCase('en-IN'));
  if (left.length === 1) return 'One last step';
  return `${left.length === 2 ? 'Two' : left.length} steps left: ${left.join(', ')}`;
}
