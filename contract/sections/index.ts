import type { Section } from '../section.ts';
import { aboutMe } from './about_me.ts';
import { attribute } from './attribute.ts';
import { award } from './award.ts';
import { contact } from './contact.ts';
import { document } from './document.ts';
import { education } from './education.ts';
import { experience } from './experience.ts';
import { feedback } from './feedback.ts';
import { highlight } from './highlight.ts';
import { jobRole } from './job_role.ts';
import { language } from './language.ts';
import { policy } from './policy.ts';
import { skill } from './skill.ts';
import { socialLink } from './social_link.ts';
import { voiceCharacteristic } from './voice_characteristic.ts';

/** Every section, in the order in which a profile shows them. */
export const SECTIONS: readonly Section[] = [
  aboutMe,
  attribute,
  experience,
  skill,
  voiceCharacteristic,
  jobRole,
  language,
  education,
  award,
  highlight,
  document,
  socialLink,
  feedback,
  contact,
  policy,
];

/** Returns the sections of a profile type, given its slug. */
export function sectionsOf(typeSlug: string): Section[] {
  return SECTIONS.filter((section) => !section.profileTypes || section.profileTypes.includes(typeSlug));
}

export function sectionOf(key: string): Section | undefined {
  return SECTIONS.find((section) => section.key === key);
}
