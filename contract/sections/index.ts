import type { Section } from '../section.ts';
import { aboutMe } from './about_me.ts';
import { experience } from './experience.ts';
import { skill } from './skill.ts';

/** Every section, in the order a profile shows them. */
export const SECTIONS: readonly Section[] = [aboutMe, experience, skill];

export function sectionOf(key: string): Section | undefined {
  return SECTIONS.find((section) => section.key === key);
}
