import type { ReactNode } from 'react';
import { Link } from '#ui/router.tsx';
import type { Connection } from '#contract/records/people.ts';
import type { PersonCard } from '#db/saved-and-connected.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { VerifiedMark } from '#ui/verified-mark.ts';

/** Path of a person's page; null if they have none. */
export function getPagePath({ slug, profile_type }: Pick<PersonCard, 'slug' | 'profile_type'>): string | null {
  return slug !== null && profile_type !== null ? `/profile/${slug}/${profile_type.slug}` : null;
}

/** A person's profession and place: 'Actor, Pune'. */
export const getPersonFacts = ({ title, address, profile_type }: PersonCard): string =>
  [title ?? profile_type?.name, address].filter(Boolean).join(', ');

interface PersonLineProps {
  person: PersonCard & { name: string; verified?: Connection['verified'] };
  /** Content below the name and facts. */
  children?: ReactNode;
}

/** A person in a list: picture or initials, name and profession. It links to their page. */
export function PersonLine({ person, children }: PersonLineProps) {
  const page = getPagePath(person);
  const inside = (
    <>
      <Avatar name={person.name} src={person.profile_photo} size="size-12 sm:size-14" decorative />
      <span className="min-w-0 grow leading-snug">
        <span className="block font-semibold break-words">
          {person.name}
          {person.verified && <VerifiedMark office={person.verified.name} />}
        </span>
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
