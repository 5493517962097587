import { choice, defineSection, email, longText, optional, phone, text } from '../section.ts';

export const CONTACT_TYPES = [
  { value: 'basic', label: 'Basic' },
  { value: 'representative', label: 'Representative' },
] as const;

export const contact = defineSection({
  key: 'contact',
  title: 'Contacts',
  noun: 'contact',
  emptyText: 'Your own for your connections, your agent’s for casting too',
  cardinality: 'many',
  fields: {
    contact_type: choice('Type', CONTACT_TYPES, { missing: 'Choose whose contact it is' }),
    name: text('Name', 150, { missing: 'Add the name' }),
    mobile: optional(phone('Mobile', { missing: 'Add the number', placeholder: '+91' })),
    email: email('E-mail', { missing: 'Add the e-mail address' }),
    address: longText('Address', 300, { missing: 'Add the address' }),
  },
  card: (row) => ({
    title: row.name,
    subtitle: [
      CONTACT_TYPES.find((type) => type.value === row.contact_type)?.label,
      [row.mobile, row.email, row.address].filter(Boolean).join(', '),
    ]
      .filter(Boolean)
      .join(' · '),
  }),
  savedText: 'Contact saved successfully!',
  endpoints: {
    list: { method: 'GET', path: '/contact/:profileId' },
    create: { method: 'POST', path: '/contact' },
    update: { method: 'PUT', path: '/contact/:id' },
    remove: { method: 'DELETE', path: '/contact/:id' },
  },
  visibleTo: (row) => (row.contact_type === 'representative' ? 'everyone' : 'connections'),
  example: {
    contact_type: 'representative',
    name: 'Rangvedh Talent',
    mobile: '+91 20 5550 1234',
    email: 'desk@rangvedh.example',
    address: '12 Karve Road, Pune',
  },
});
