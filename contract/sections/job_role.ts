import { defineSection, text } from '../section.ts';

export const jobRole = defineSection({
  key: 'job_role',
  title: 'Job Roles',
  noun: 'job role',
  emptyText: 'Narration, dubbing, audio drama, announcements',
  cardinality: 'many',
  profileTypes: ['voice-artist'],
  fields: { name: text('Job role', 150, { missing: 'Enter the job role' }) },
  card: (row) => ({ title: row.name }),
  savedText: 'Job role saved successfully!',
  formTitles: { add: 'Add Job Roles', edit: 'Edit Job Roles' },
  endpoints: {
    list: { method: 'GET', path: '/jobroles/:profileId' },
    create: { method: 'POST', path: '/jobroles' },
    update: { method: 'PUT', path: '/jobroles/:id', isExtension: true },
    remove: { method: 'DELETE', path: '/jobroles/:id' },
  },
  example: { name: 'Audiobook narration' },
});
