import { defineSection, ids } from '../section.ts';

export const language = defineSection({
  key: 'language',
  title: 'Industry Focus',
  noun: 'languages',
  emptyText: 'The languages you work in',
  cardinality: 'set',
  fields: { languages: ids('Languages', 'languages', 40, { missing: 'Choose from the list' }) },
  set: {
    keyOf: (row) => String(row.language_id),
    valuesOf: (rows) => ({
      languages: rows
        .map((row) => String(row.language_id))
        .sort((a, b) => a.localeCompare(b, undefined, { numeric: true })),
    }),
    rowsOf: (values) => values.languages.map((id) => ({ language_id: id })),
  },
  card: (row) => ({ title: row.languages.length === 0 ? '' : `${row.languages.length} chosen` }),
  savedText: 'Profile languages added successfully!',
  endpoints: {
    list: { method: 'GET', path: '/languages/:profileId' },
    create: null,
    update: { method: 'POST', path: '/languages' },
    remove: { method: 'DELETE', path: '/languages/:id' },
  },
  example: { languages: ['1', '2'] },
});
