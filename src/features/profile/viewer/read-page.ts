import { CALLS } from '#contract/calls.ts';
import { pathOf } from '#contract/path.ts';
import type { ProfilePage } from '#contract/records/page.ts';
import type { AnyRow } from '#contract/section.ts';
import { bodyOf } from '#db/media-body.ts';
import type { Visited } from '#db/rows.ts';
import { addressOf } from '#db/visited.ts';
import type { AppError } from '#net/app-error.ts';
import { read } from '#net/client.ts';

/** Somebody's page as this caller may see it. */
export type Page = Omit<Visited, 'openedAt' | 'kept'>;

/** How reading a page ended. `silent`: nobody answered, or not in a way that tells anything. */
export type Reading = { is: 'here'; page: Page } | { is: 'missing' } | { is: 'silent'; error: AppError };

interface Address {
  userSlug: string;
  typeSlug: string;
}

interface Options {
  /** The copy that is here: it stands where nothing has changed since. */
  kept?: Page | null;
  headers?: Record<string, string>;
}

/** Reads a page in full, in one call. */
export async function readPage(address: Address, { kept = null, headers = {} }: Options): Promise<Reading> {
  const path = pathOf(CALLS.profilePage, { ...address });
  const answer = await read<ProfilePage>(path, { tag: kept?.tags[path], headers });
  if (!answer.ok) return answer.error.reason === 'missing' ? { is: 'missing' } : { is: 'silent', error: answer.error };
  if ('same' in answer) return { is: 'here', page: kept! };
  const { profile, others, rows } = answer.data;
  const page: Page = {
    address: addressOf(address.userSlug, address.typeSlug),
    id: profile.id,
    profile,
    rows: Object.fromEntries(
      Object.entries(rows).map(([key, list]): [string, AnyRow[]] => [key, list.map((row) => bodyOf(key, row))]),
    ),
    others: others.map(({ id, title, profile_type }) => ({ id, title, slug: profile_type.slug })),
    tags: answer.tag === null ? {} : { [path]: answer.tag },
  };
  return { is: 'here', page };
}
