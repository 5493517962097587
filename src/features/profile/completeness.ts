import type { Profile } from '#contract/records/profile.ts';
import type { Sections } from './use-own-profile.ts';

/** What a profile contains beside its own fields, as far as the steps ask for it. Unsent changes count. */
export interface ProfileContents {
  hasPortrait: boolean;
  credits: number;
  hasLanguages: boolean;
  hasContact: boolean;
}

export function getProfileContents(sections: Sections, hasPortrait: boolean): ProfileContents {
  const rows = (key: string) => sections.get(key) ?? [];
  const chosen = rows('language')[0]?.body.languages;
  return {
    hasPortrait,
    credits: rows('experience').length,
    hasLanguages: Array.isArray(chosen) && chosen.length > 0,
    hasContact: rows('contact').length > 0,
  };
}

/** The steps cover what casting filters by, the most useful first. */
export type StepKey = 'name' | 'photo' | 'age' | 'languages' | 'credits' | 'contact';

export interface Step {
  key: StepKey;
  title: string;
  hint: string;
  isDone: boolean;
}

/** With this many steps done, the card shows one line instead of the list. */
export const MIN_DONE_FOR_ONE_LINE = 4;

/** Returns the six steps of a profile, done or not, in display order. */
export function getSteps(profile: Partial<Profile>, contents: ProfileContents): Step[] {
  const step = (key: StepKey, title: string, hint: string, isDone: boolean): Step => ({ key, title, hint, isDone });
  return [
    step('name', 'Name and city', 'Where you are cast from', Boolean(profile.stage_name && profile.location)),
    step(
      'photo',
      'A clear photo',
      'Head and shoulders in natural light',
      contents.hasPortrait || Boolean(profile.profile_photo),
    ),
    step(
      'age',
      'Playing age',
      'What casting filters by first',
      profile.min_age_range != null && profile.max_age_range != null,
    ),
    step('languages', 'Languages', 'The languages you work in', contents.hasLanguages),
    step('credits', 'Two credits', 'Your best, not your latest', contents.credits >= 2),
    step('contact', 'A way to reach you', 'You choose who sees it', contents.hasContact),
  ];
}

/** Returns the line under the progress ring: 'Two steps left: photo, languages'. */
export function toRemainingText(steps: readonly Step[]): string {
  const titles = steps.filter((step) => !step.isDone).map((step) => step.title.toLocaleLowerCase('en-IN'));
  if (titles.length === 1) return 'One last step';
  return `${titles.length === 2 ? 'Two' : titles.length} steps left: ${titles.join(', ')}`;
}
