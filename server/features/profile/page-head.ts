import type { FastifyRequest } from 'fastify';
import { getVisitorSight } from '#contract/audience.ts';
import type { Profile } from '#contract/records/profile.ts';
import type { Deps } from '#server/platform/deps.ts';
import { NOT_INDEXED } from '#server/platform/access/minors.ts';
import type { PageHead } from '#server/platform/plugins/app-shell.ts';
import { isStorableText } from '#server/platform/http/storable-text.ts';
import { presentProfilesFor, findProfileBySlugs } from './store.ts';

const ADDRESS = /^\/profile\/([^/]+)\/([^/]+)\/?$/;
/** In characters; link previews truncate longer descriptions. */
const MAX_DESCRIPTION_LENGTH = 200;

const ESCAPES: Record<string, string> = { '&': '&amp;', '<': '&lt;', '>': '&gt;', '"': '&quot;', "'": '&#39;' };
const escapeHtml = (text: string) => text.replace(/[&<>"']/g, (sign) => ESCAPES[sign] ?? sign);

/** Collapses a text to one line and truncates it between words. */
function shorten(text: string): string {
  const line = text.replace(/\s+/g, ' ').trim();
  const points = [...line];
  if (points.length <= MAX_DESCRIPTION_LENGTH) return line;
  const cut = points.slice(0, MAX_DESCRIPTION_LENGTH - 1).join('');
  return `${cut.slice(0, cut.lastIndexOf(' ') > 100 ? cut.lastIndexOf(' ') : undefined)}…`;
}

/** Absolute origin of this site, for crawlers: PUBLIC_URL, or else the origin of the request. */
function getOrigin({ config }: Deps, request: FastifyRequest): string | null {
  if (config.publicUrl) return config.publicUrl;
  return /^[\w.-]+(:\d+)?$|^\[[\da-f:]+\](:\d+)?$/i.test(request.host) ? `${request.protocol}://${request.host}` : null;
}

function decodeSegment(part: string): string | null {
  try {
    const text = decodeURIComponent(part);
    return isStorableText(text) ? text : null;
  } catch {
    return null;
  }
}

interface PublicPage {
  record: Profile;
  description: string | null;
  /** Whether the owner lets search engines list the page. */
  isIndexed: boolean;
}

/** Finds the profile of a page URL if it is public, because crawlers and page loads send no token. */
async function findPublicPage(deps: Deps, address: string): Promise<PublicPage | null> {
  const [, user, type] = ADDRESS.exec(address)?.map(decodeSegment) ?? [];
  if (!user || !type) return null;
  const found = await findProfileBySlugs(deps.db, user, type);
  const [record] = found === null ? [] : await presentProfilesFor(deps.db, null, [found]);
  if (found === null || record === undefined) return null;
  return { record, description: found.profile.description, isIndexed: getVisitorSight(found.user).search_engines };
}

const meta = (name: 'name' | 'property', key: string, content: string) =>
  `<meta ${name}="${key}" content="${escapeHtml(content)}" />`;

function buildTags({ record, description: aboutMe, isIndexed }: PublicPage, origin: string | null): string {
  const { stage_name, slug, profile_type: type } = record;
  const title = [stage_name, record.title ?? type.name].join(' · ');
  const facts = [type.name, record.location].filter(Boolean).join(' · ');
  const description = shorten(aboutMe ?? `${facts}. Credits, skills and photos on Callboard.`);
  const url = origin && `${origin}/profile/${encodeURIComponent(slug)}/${encodeURIComponent(type.slug)}`;
  const image = origin && record.profile_photo && origin + record.profile_photo;
  return [
    `<title>${escapeHtml(`${title} · Callboard`)}</title>`,
    meta('name', 'description', description),
    !isIndexed && meta('name', 'robots', NOT_INDEXED),
    // Preload the largest image of the page, which the app would otherwise discover only after its first request.
    record.profile_photo &&
      `<link rel="preload" as="image" fetchpriority="high" href="${escapeHtml(record.profile_photo)}" />`,
    url && `<link rel="canonical" href="${escapeHtml(url)}" />`,
    meta('property', 'og:type', 'profile'),
    meta('property', 'og:site_name', 'Callboard'),
    meta('property', 'og:title', title),
    meta('property', 'og:description', description),
    url && meta('property', 'og:url', url),
    image && meta('property', 'og:image', image),
    image && meta('property', 'og:image:alt', stage_name),
    meta('name', 'twitter:card', 'summary'),
    meta('name', 'twitter:title', title),
    meta('name', 'twitter:description', description),
    image && meta('name', 'twitter:image', image),
  ]
    .filter(Boolean)
    .join('\n    ');
}

/**
 * Builds the meta tags of an active profile's page, for search engines and link previews. They replace the title and description
 * of the app shell, and tell search engines whether they may list it. Returns null for every other address.
 */
export async function buildProfileHead(deps: Deps, request: FastifyRequest, address: string): Promise<PageHead | null> {
  const page = ADDRESS.test(address) ? await findPublicPage(deps, address) : null;
  if (page === null) return null;
  const headers: Record<string, string> = page.isIndexed ? {} : { 'x-robots-tag': NOT_INDEXED };
  return { html: buildTags(page, getOrigin(deps, request)), headers };
}
