import { defineSection, longText, optional, text, year } from '../section.ts';

export const highlight = defineSection({
  key: 'highlight',
  title: 'Highlights',
  noun: 'highlight',
  emptyText: 'The milestones of your career',
  cardinality: 'many',
  fields: {
    title: text('Title', 150, { missing: 'Enter a title' }),
    description: optional(longText('What happened', 500, { missing: 'Say what happened' })),
    year: year('Year', { missing: 'Enter the year' }),
  },
  dateRank: (row) => row.year,
  card: (row) => ({ title: row.title, subtitle: row.description ?? undefined, when: String(row.year) }),
  savedText: 'Highlight saved successfully!',
  endpoints: {
    list: { method: 'GET', path: '/highlight/:profileId' },
    create: { method: 'POST', path: '/highlight' },
    update: { method: 'PUT', path: '/highlight/:id' },
    remove: { method: 'DELETE', path: '/highlight/:id' },
  },
  example: { title: 'Opening night at the Prithvi', description: 'A hundred people and a power cut', year: 2021 },
});
