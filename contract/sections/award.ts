import { defineSection, link, month, optional, text, year } from '../section.ts';

export const award = defineSection({
  key: 'award',
  title: 'Honors & Awards',
  noun: 'award',
  emptyText: 'A prize, a nomination, a special mention',
  cardinality: 'many',
  fields: {
    award_name: text('Award', 200, { missing: 'Enter the name of the award' }),
    description: optional(text('Awarded for', 300, { missing: 'Add what it was for' })),
    month: month('Month', { missing: 'Choose the month' }),
    year: year('Year', { missing: 'Choose the year' }),
    location: optional(text('Location', 150, { missing: 'Add where it was' })),
    link: optional(link('Link', { missing: 'Add a link', placeholder: 'https://' })),
  },
  dateRank: (row) => row.year * 12 + row.month,
  card: (row) => ({
    title: row.award_name,
    subtitle: [row.description, row.location].filter(Boolean).join(' · '),
    when: String(row.year),
    href: row.link ?? undefined,
  }),
  savedText: 'Profile award saved successfully!',
  endpoints: {
    list: { method: 'GET', path: '/award/:profileId' },
    create: { method: 'POST', path: '/award' },
    update: { method: 'PUT', path: '/award/:id' },
    remove: { method: 'DELETE', path: '/award/:id' },
  },
  example: {
    award_name: 'Best Supporting Actor',
    description: 'Paper Boats',
    month: 11,
    year: 2023,
    location: 'Kolkata',
    link: 'https://example.org/jury',
  },
});
