import { CALLS } from '#contract/calls.ts';
import { pathOf } from '#contract/path.ts';
import type { Profile } from '#contract/records/profile.ts';
import type { AnyRow, Section } from '#contract/section.ts';
import { SECTIONS } from '#contract/sections/index.ts';
import type { Visited } from '#db/rows.ts';
import { addressOf } from '#db/visited.ts';
import type { AppError } from '#net/app-error.ts';
import { read } from '#net/client.ts';
import { asRows, listsOf } from '#sync/lists.ts';

/** Somebody's page as this caller may see it. */
export type Page = Omit<Visited, 'openedAt' | 'kept'>;

/** How reading a page ended. `silent`: nobody answered, or not in a way that tells anything. */
export type Reading = { is: 'here'; page: Page } | { is: 'missing' } | { is: 'silent'; error: AppError };

interface Address {
  userSlug: string;
  typeSlug: string;
}

interface Options {
  /** The copy that is here; what has not changed since is taken from it. */
  kept?: Page | null;
  headers?: Record<string, string>;
  /** Hears of the record itself, which comes before its sections. */
  onProfile?: (profile: Profile) => void;
}

type SharedProfile = { id: string | number; title: string | null; profile_type: { slug: string } };

/** The sections that a profile of this kind has. */
export function sectionsOf(typeSlug: string): Section[] {
  return SECTIONS.filter((section) => !section.profileTypes || section.profileTypes.includes(typeSlug));
}

/** Where each part of a page comes from: 'profile' or a section's key. */
export function partPath(address: Address, profileId: string, key: string): string {
  return key === 'profile' ? pathOf(CALLS.profileBySlug, { ...address }) : listsOf(key, profileId)[0]!.path;
}

/** Reads a page in full: the record, then all its parts at once. */
export async function readPage(address: Address, { kept = null, headers = {}, onProfile }: Options): Promise<Reading> {
  const path = partPath(address, '', 'profile');
  const answer = await read<Profile>(path, { tag: kept?.tags[path], headers });
  if (!answer.ok) return answer.error.reason === 'missing' ? { is: 'missing' } : { is: 'silent', error: answer.error };
  const profile = 'same' in answer ? (kept!.profile as Profile) : answer.data;
  onProfile?.(profile);
  const id = String(profile.id);
  const tags: Record<string, string> = {};
  if ('same' in answer) tags[path] = kept!.tags[path]!;
  else if (answer.tag !== null) tags[path] = answer.tag;
  const part = async <T>(at: string, whole: (body: unknown) => T | null, before: T | undefined, empty: T) => {
    const got = await read(at, { tag: before === undefined ? undefined : kept?.tags[at], headers });
    // One part that cannot be had spoils no page: what was there before stands, and is asked for again.
    if (!got.ok) return got.error.reason === 'missing' ? empty : (before ?? empty);
    if ('same' in got) {
      tags[at] = kept!.tags[at]!;
      return before ?? empty;
    }
    if (got.tag !== null) tags[at] = got.tag;
    return whole(got.data) ?? empty;
  };
  const keys = ['media', ...sectionsOf(profile.profile_type.slug).map((section) => section.key)];
  const listed = async (key: string): Promise<AnyRow[]> => {
    const lists = listsOf(key, id).map(({ path: at, holds = () => true }) =>
      part<AnyRow[]>(at, (body) => asRows(key, body, id), kept?.rows[key]?.filter(holds), []),
    );
    return (await Promise.all(lists)).flat();
  };
  const [others, ...found] = await Promise.all([
    part(pathOf(CALLS.profilesOfUser, { userId: String(profile.user_id) }), othersOf, kept?.others, []),
    ...keys.map(listed),
  ]);
  const rows = Object.fromEntries(keys.map((key, at) => [key, found[at]!]));
  return {
    is: 'here',
    page: { address: addressOf(address.userSlug, address.typeSlug), id, profile, rows, others, tags },
  };
}

function othersOf(body: unknown): Page['others'] | null {
  if (!Array.isArray(body)) return null;
  return (body as SharedProfile[]).map(({ id, title, profile_type }) => ({
    id: String(id),
    title,
    slug: profile_type.slug,
  }));
}
