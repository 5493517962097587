import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import type { PersonCard } from '#db/saved-and-connected.ts';
import { Avatar } from '#ui/Avatar.tsx';

/** Their page; null where they show none. */
export function getPagePath({ slug, profile_type }: Pick<PersonCard, 'slug' | 'profile_type'>): string | null {
  return slug !== null && profile_type !== null ? `/profile/${slug}/${profile_type.slug}` : null;
}

/** What they do, and where. */
export const getPersonFacts = ({ title, address, profile_type }: PersonCard): string =>
  [title ?? profile_type?.name, address].filter(Boolean).join(', ');

interface PersonLineProps {
  person: PersonCard & { name: string };
  /** Under name and facts: when, and where it is. */
  children?: ReactNode;
}

/** Somebody in a list: picture or initials, name, what they do; it leads to their page. */
export function PersonLine({ person, children }: PersonLineProps) {
  const page = getPagePath(person);
  const inside = (
    <>
      <Avatar name={person.name} src={person.profile_photo} size="size-12 sm:size-14" decorative />
      <span className="min-w-0 grow leading-snug">
        <span className="block font-semibold break-words">{person.name}</span>
        <span className="block text-sm break-words text-muted empty:hidden">{getPersonFacts(person)}</span>
        {children}
      </span>
    </>
  );
  const look = 'flex min-h-14 min-w-0 grow items-center gap-3 rounded-field';
  return page === null ? (
    <span className={look}>{inside}</span>
  ) : (
    <Link to={page} className={look}>
      {inside}
    </Link>
  );
}
