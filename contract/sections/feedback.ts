import { defineSection, longText } from '../section.ts';

export const feedback = defineSection({
  key: 'feedback',
  title: 'Feedback',
  noun: 'feedback',
  emptyText: 'What people say about working with you',
  cardinality: 'many',
  writtenBy: 'viewers',
  fields: { feedback: longText('Your words', 1000, { missing: 'Write a few words' }) },
  card: (row) => ({ title: row.feedback }),
  savedText: 'Feedback saved successfully!',
  formTitles: { add: 'Write feedback', edit: 'Edit feedback' },
  endpoints: {
    list: { method: 'GET', path: '/feedback/:profileId' },
    create: { method: 'POST', path: '/feedback' },
    update: { method: 'PUT', path: '/feedback/:id' },
    remove: { method: 'DELETE', path: '/feedback/:id' },
  },
  example: { feedback: 'Prepared, punctual and generous with the scene. I would work with her again tomorrow.' },
});
