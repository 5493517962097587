import { choice, defineSection, link, month, optional, toOptions, text, year } from '../section.ts';

export const EXPERIENCE_TYPES = ['Theatre', 'Movie', 'TV', 'Video', 'Cinema'] as const;

export const experience = defineSection({
  key: 'experience',
  title: 'Credits',
  noun: 'credit',
  emptyText: 'An opening night, a short film, a big break',
  cardinality: 'many',
  fields: {
    experience_type: choice('Production type', toOptions(EXPERIENCE_TYPES), { missing: 'Choose a production type' }),
    experience_title: text('Project name', 150, { missing: 'Add the project name' }),
    details: text('Role', 150, { missing: 'Add the role you played' }),
    production_details: optional(
      text('Director or production company', 200, { missing: 'Add the director or production company' }),
    ),
    start_month: month('Start month', { missing: 'Choose the month it started' }),
    start_year: year('Start year', { missing: 'Choose the year it started' }),
    end_month: month('End month', { missing: 'Choose the month it ended' }),
    end_year: year('End year', { missing: 'Choose the year it ended' }),
    link: optional(link('Link', { missing: 'Add a link', placeholder: 'https://' })),
  },
  rules: [
    {
      field: 'end_year',
      dependsOn: ['start_month', 'start_year', 'end_month', 'end_year'],
      check: (row) =>
        row.end_year * 12 + row.end_month < row.start_year * 12 + row.start_month
          ? 'The end comes before the start'
          : null,
    },
  ],
  dateRank: (row) => row.end_year * 12 + row.end_month,
  card: (row) => ({
    title: row.experience_title,
    subtitle: [`${row.details} · ${row.experience_type}`, row.production_details].filter(Boolean).join(', '),
    when: String(row.end_year),
    href: row.link ?? undefined,
  }),
  savedText: 'Experience added successfully!',
  endpoints: {
    list: { method: 'GET', path: '/profile/experiences/:profileId' },
    create: { method: 'POST', path: '/profile/experience' },
    update: { method: 'PUT', path: '/profile/experience/:id' },
    remove: { method: 'DELETE', path: '/profile/experience/:id' },
  },
  example: {
    experience_type: 'Theatre',
    experience_title: 'Chowk No. 7',
    details: 'Sulbha',
    production_details: 'Rangvedh Company',
    start_month: 2,
    start_year: 2024,
    end_month: 5,
    end_year: 2024,
    link: 'https://example.org/chowk-no-7',
  },
});
