import { CALLS } from '#contract/calls.ts';
import { SECTIONS } from '#contract/sections/index.ts';

/** Path segments under /profile/ that are taken by pages or endpoints, so no person may have them as a slug. */
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

/** Returns the nth candidate slug for a name, counted from 1. It is never reserved and never all digits, which would look like an id. */
export function buildSlug(name: string, attempt: number): string {
  const plain = plainSlug(name);
  const base = /^\d+$/.test(plain) || (attempt === 1 && RESERVED.has(plain)) ? `performer-${plain}` : plain;
  return attempt === 1 ? base : `${base}-${attempt}`;
}
