import { choice, defineSection, longText, toOptions } from '#contract/section.ts';

/** A feedback section that the product does not have. */
export const recommendation = defineSection({
  key: 'recommendation',
  title: 'Recommendations',
  noun: 'recommendation',
  emptyText: 'Who would cast you again',
  cardinality: 'many',
  writtenBy: 'viewers',
  fields: {
    said_as: choice('You were', toOptions(['Director', 'Co-actor', 'Crew']), { missing: 'Choose what you were' }),
    words: longText('Your words', 300, { missing: 'Write a few words' }),
  },
  card: (row) => ({ title: row.words, subtitle: row.said_as }),
  savedText: 'Recommendation saved successfully!',
  formTitles: { add: 'Recommend', edit: 'Edit recommendation' },
  endpoints: {
    list: { method: 'GET', path: '/recommendations/:profileId' },
    create: { method: 'POST', path: '/recommendations' },
    update: { method: 'PUT', path: '/recommendations/:id' },
    remove: { method: 'DELETE', path: '/recommendations/:id' },
  },
  example: { said_as: 'Director', words: 'She waits for the others and still arrives first.' },
});
