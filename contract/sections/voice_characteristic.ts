import { defineSection, text } from '../section.ts';

export const voiceCharacteristic = defineSection({
  key: 'voice_characteristic',
  title: 'Voice Characteristics',
  noun: 'voice characteristic',
  emptyText: 'Warm, gravelly, a child’s voice, a Konkani lilt',
  cardinality: 'many',
  profileTypes: ['voice-artist'],
  fields: { name: text('Enter policy', 150, { missing: 'Describe your voice' }) },
  card: (row) => ({ title: row.name }),
  savedText: 'Policy added',
  formTitles: { add: 'Add Policy', edit: 'Edit Policy' },
  endpoints: {
    list: { method: 'GET', path: '/voice-characterstics/:profileId' },
    create: { method: 'POST', path: '/voice-characterstics' },
    update: { method: 'PUT', path: '/voice-characterstics/:id', isExtension: true },
    remove: { method: 'DELETE', path: '/voice-characterstics/:id' },
  },
  example: { name: 'Warm, low, unhurried' },
});
