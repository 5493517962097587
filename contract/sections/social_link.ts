import { defineSection, link, optional } from '../section.ts';

const address = (label: string, placeholder: string, handleSign?: '' | '@') =>
  optional(
    link(label, { missing: `Add your ${label} address`, placeholder, ...(handleSign !== undefined && { handleSign }) }),
  );

export const LINK_NAMES = {
  facebook_url: 'Facebook',
  instagram_url: 'Instagram',
  threads_url: 'Threads',
  youtube_url: 'YouTube',
  website_url: 'Website',
} as const;

export const socialLink = defineSection({
  key: 'social_link',
  title: 'Social Media / Links',
  noun: 'links',
  emptyText: 'Where else people can find your work',
  cardinality: 'many',
  maxItems: 1,
  fields: {
    facebook_url: address(LINK_NAMES.facebook_url, 'https://facebook.com/', ''),
    instagram_url: address(LINK_NAMES.instagram_url, 'https://instagram.com/', ''),
    threads_url: address(LINK_NAMES.threads_url, 'https://threads.net/', '@'),
    youtube_url: address(LINK_NAMES.youtube_url, 'https://youtube.com/', '@'),
    website_url: address(LINK_NAMES.website_url, 'https://'),
  },
  rules: [
    {
      field: 'facebook_url',
      dependsOn: Object.keys(LINK_NAMES),
      check: (row) =>
        Object.keys(LINK_NAMES).some((key) => row[key as keyof typeof row]) ? null : 'Add at least one link',
    },
  ],
  card: (row) => ({
    title: Object.entries(LINK_NAMES)
      .flatMap(([key, name]) => (row[key as keyof typeof LINK_NAMES] ? [name] : []))
      .join(', '),
  }),
  savedText: 'Links saved successfully!',
  formTitles: { add: 'Add links', edit: 'Edit links' },
  endpoints: {
    list: { method: 'GET', path: '/social-links/:profileId' },
    create: { method: 'POST', path: '/social-links' },
    update: { method: 'PATCH', path: '/social-links/:id' },
    remove: { method: 'DELETE', path: '/social-links/:id' },
  },
  example: {
    facebook_url: 'https://facebook.com/example',
    instagram_url: 'https://instagram.com/example',
    threads_url: null,
    youtube_url: 'https://youtube.com/@example',
    website_url: 'https://example.org',
  },
});
