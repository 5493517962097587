import { choice, defineSection, text } from '../section.ts';

export const SKILL_LEVELS = [
  { value: 1, label: 'Beginner' },
  { value: 2, label: 'Intermediate' },
  { value: 3, label: 'Expert' },
] as const;

export const skill = defineSection({
  key: 'skill',
  title: 'Skills',
  noun: 'skill',
  emptyText: 'Kathak, sword fighting, horse riding, dialects',
  cardinality: 'many',
  fields: {
    name: text('Skill', 100, { missing: 'Enter the skill' }),
    level: choice('Proficiency', SKILL_LEVELS, { missing: 'Choose your level' }),
  },
  card: (row) => ({ title: row.name, subtitle: SKILL_LEVELS.find((level) => level.value === row.level)?.label }),
  savedText: 'Skill saved successfully!',
  endpoints: {
    list: { method: 'GET', path: '/profiles/:profileId/skills' },
    create: { method: 'POST', path: '/skills' },
    update: { method: 'PUT', path: '/skills/:id', isExtension: true },
    remove: { method: 'DELETE', path: '/skills/:id' },
  },
  example: { name: 'Kathak', level: 3 },
});
