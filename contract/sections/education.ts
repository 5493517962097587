import { defineSection, link, month, optional, text, year } from '../section.ts';

export const education = defineSection({
  key: 'education',
  title: 'Education & Training',
  noun: 'course',
  emptyText: 'Drama school, a workshop, a stunt course',
  cardinality: 'many',
  fields: {
    description: text('School', 200, { missing: 'Add the school' }),
    course_name: text('Degree or course', 200, { missing: 'Add the degree or course' }),
    instructor_name: optional(text('Instructor', 150, { missing: 'Add who taught you' })),
    location: optional(text('Location', 150, { missing: 'Add where it was' })),
    month: month('Month', { missing: 'Choose the month it ended' }),
    year: year('Year', { missing: 'Choose the year it ended' }),
    link: optional(link('Certificate link', { missing: 'Add a link', placeholder: 'https://' })),
  },
  dateRank: (row) => row.year * 12 + row.month,
  card: (row) => ({
    title: row.course_name,
    subtitle: [row.description, [row.instructor_name, row.location].filter(Boolean).join(', ')]
      .filter(Boolean)
      .join(' · '),
    when: String(row.year),
    href: row.link ?? undefined,
  }),
  savedText: 'Education added successfully!',
  endpoints: {
    list: { method: 'GET', path: '/education/:profileId' },
    create: { method: 'POST', path: '/education' },
    update: { method: 'PUT', path: '/education/:id' },
    remove: { method: 'DELETE', path: '/education/:id' },
  },
  example: {
    description: 'Rangvedh School of Drama',
    course_name: 'Diploma in acting',
    instructor_name: 'Asha Kale',
    location: 'Pune',
    month: 5,
    year: 2019,
    link: 'https://example.org/certificate',
  },
});
