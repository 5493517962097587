import { defineSection, text } from '../section.ts';

export const policy = defineSection({
  key: 'policy',
  title: 'My Policy',
  noun: 'policy',
  emptyText: 'What you will and won’t do: hours, night shoots, smoking scenes',
  cardinality: 'many',
  fields: { name: text('Policy', 300, { missing: 'Enter the policy' }) },
  card: (row) => ({ title: row.name }),
  savedText: 'Policy added',
  endpoints: {
    list: { method: 'GET', path: '/policies/:profileId/policies' },
    create: { method: 'POST', path: '/policies' },
    update: { method: 'PUT', path: '/policies/:id', isExtension: true },
    remove: { method: 'DELETE', path: '/policies/:id' },
  },
  example: { name: 'No more than ten hours a day on set' },
});
