import { LIMITS } from '../limits.ts';
import { defineSection, longText, optional } from '../section.ts';

export const aboutMe = defineSection({
  key: 'about_me',
  title: 'About me',
  noun: 'a few words about you',
  emptyText: 'Where you come from and the parts you like to play',
  cardinality: 'one',
  fields: {
    description: optional(longText('About me', LIMITS.aboutMe, { missing: 'Write a few words about yourself' })),
  },
  card: (row) => ({ title: row.description ?? '' }),
  savedText: 'About me added successfully!',
  endpoints: {
    list: { method: 'GET', path: '/profile/aboutme/:profileId' },
    create: null,
    update: { method: 'PUT', path: '/profile/update' },
    remove: null,
  },
  example: {
    description: 'I came up through Marathi experimental theatre and learned camera on short films.',
  },
});
