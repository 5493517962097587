import { CALLS } from '#contract/calls.ts';
import { SECTIONS } from '#contract/sections/index.ts';

/** First parts of paths under /profile/ that are pages or calls: nobody may be called so. */
const RESERVED = new Set([
  ...['step', 'new', 'edit', 'settings', 'profiles', 'admin', 'search', 'media', 'login', 'register'],
  ...[...Object.values(CALLS), ...SECTIONS.flatMap((section) => Object.values(section.endpoints))]
    .map((endpoint) => /^\/profile\/([^/:]+)/.exec(endpoint?.path ?? '')?.[1])
    .filter((part) => part !== undefined),
]);

const MAX_SLUG_LENGTH = 60;

/** 'Zoë D’Souza' → 'zoe-d-souza'; a name without Latin letters becomes 'performer'. */
function plainSlug(name: string): string {
  const plain = name
    .normalize('NFKD')
    .replace(/\p{Mark}+/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .slice(0, MAX_SLUG_LENGTH)
    .replace(/^-+|-+$/g, '');
  return plain === '' ? 'performer' : plain;
}

/** The nth slug to try for a name, from 1; never a reserved word, and never only digits, which would look like an id. */
export function slugFor(name: string, attempt: number): string {
  const plain = plainSlug(name);
  const base = /^\d+$/.test(plain) || (attempt === 1 && RESERVED.has(plain)) ? `performer-${plain}` : plain;
  return attempt === 1 ? base : `${base}-${attempt}`;
}
