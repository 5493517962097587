import { type AnyRow, defineSection, flag } from '../section.ts';

export const DOCUMENT_NAMES = {
  driving_licence: 'Driving licence',
  passport: 'Passport',
  resume: 'Resume',
} as const;
type DocumentKey = keyof typeof DOCUMENT_NAMES;

const KEYS = Object.keys(DOCUMENT_NAMES) as DocumentKey[];
const has = (label: string) => flag(label, { missing: 'Choose yes or no' });

export const document = defineSection({
  key: 'document',
  title: 'Documents',
  noun: 'documents',
  emptyText: 'Driving licence, passport, resume: what you can show if asked',
  cardinality: 'set',
  fields: {
    driving_licence: has(DOCUMENT_NAMES.driving_licence),
    passport: has(DOCUMENT_NAMES.passport),
    resume: has(DOCUMENT_NAMES.resume),
  },
  set: {
    keyOf: (row) => String(row.name),
    valuesOf: (rows) => {
      const has = (key: DocumentKey) => rows.some((row: AnyRow) => row.name === key && row.is_available === true);
      return { driving_licence: has('driving_licence'), passport: has('passport'), resume: has('resume') };
    },
    rowsOf: (values) => KEYS.map((name) => ({ name, is_available: values[name] })),
  },
  card: (row) => ({
    title: KEYS.filter((key) => row[key])
      .map((key) => DOCUMENT_NAMES[key])
      .join(', '),
  }),
  savedText: 'Document added successfully',
  endpoints: {
    list: { method: 'GET', path: '/documents/:profileId' },
    create: null,
    update: { method: 'POST', path: '/documents' },
    remove: { method: 'DELETE', path: '/document/:id' },
  },
  example: { driving_licence: true, passport: true, resume: false },
});
