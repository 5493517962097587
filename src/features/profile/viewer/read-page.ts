import { CALLS } from '#contract/calls.ts';
import { pathOf } from '#contract/path.ts';
import type { ProfilePage } from '#contract/records/page.ts';
import type { AnyRow } from '#contract/section.ts';
import { bodyOf } from '#db/media-body.ts';
import type { CachedProfilePage } from '#db/rows.ts';
import { getAddress } from '#db/cached-pages.ts';
import type { AppError } from '#net/app-error.ts';
import { read } from '#net/client.ts';
import { takeEarlyRead } from '#net/early-read.ts';

/** A profile page as the caller may see it. */
export type Page = Omit<CachedProfilePage, 'openedAt' | 'kept'>;

/** The outcome of fetching a page. `failed`: no answer, or an error that does not mean that the page is missing. */
export type PageResult =
  { status: 'loaded'; page: Page } | { status: 'missing' } | { status: 'failed'; error: AppError };

interface Address {
  userSlug: string;
  typeSlug: string;
}

interface Options {
  /** The cached copy, which is returned if the server answers that nothing has changed. */
  cached?: Page | null;
  headers?: Record<string, string>;
}

/** Fetches a whole page in one call. Never rejects because of the network. */
export async function readPage(address: Address, { cached = null, headers = {} }: Options): Promise<PageResult> {
  const path = pathOf(CALLS.profilePage, { ...address });
  const answer = await (takeEarlyRead<ProfilePage>(path) ??
    read<ProfilePage>(path, { tag: cached?.tags[path], headers }));
  if (!answer.ok) {
    return answer.error.reason === 'missing' ? { status: 'missing' } : { status: 'failed', error: answer.error };
  }
  if ('same' in answer) return { status: 'loaded', page: cached! };
  const { profile, others, rows } = answer.data;
  const page: Page = {
    address: getAddress(address.userSlug, address.typeSlug),
    id: profile.id,
    profile,
    rows: Object.fromEntries(
      Object.entries(rows).map(([key, list]): [string, AnyRow[]] => [key, list.map((row) => bodyOf(key, row))]),
    ),
    others: others.map(({ id, title, profile_type }) => ({ id, title, slug: profile_type.slug })),
    tags: answer.tag === null ? {} : { [path]: answer.tag },
  };
  return { status: 'loaded', page };
}
