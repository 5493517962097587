import { ChevronDown, Layers } from 'lucide-react';
import { useNavigate } from 'react-router-dom';
import { PROFILE_TYPES } from '#contract/profile-types.ts';
import type { Page } from './read-page.ts';

const nameOf = (slug: string) => PROFILE_TYPES.find((type) => type.slug === slug)?.name ?? slug.replaceAll('-', ' ');

/** The same person in other trades. Choosing one puts its kind in place of the last part of the address. */
export function OtherProfiles({
  userSlug,
  current,
  others,
}: {
  userSlug: string;
  current: string;
  others: Page['others'];
}) {
  const navigate = useNavigate();
  if (others.length < 2) return null;
  const at = others.findIndex((each) => each.slug === current);
  return (
    <div className="border-t border-base-300 p-3 md:px-5">
      <div className="relative flex min-h-12 items-center gap-2.5 rounded-field border border-base-300 px-3.5 text-sm has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary">
        <Layers className="ic text-muted" aria-hidden />
        <span className="min-w-0 grow truncate" aria-hidden>
          {nameOf(current)}
        </span>
        <span className="num shrink-0 text-muted" aria-hidden>
          {at + 1} of {others.length} profiles
        </span>
        <ChevronDown className="ic text-muted" aria-hidden />
        <select
          aria-label={`View Other Profiles, ${at + 1} of ${others.length} profiles`}
          className="absolute inset-0 size-full cursor-pointer appearance-none bg-base-100 text-base text-base-content opacity-0"
          value={current}
          onChange={(event) => void navigate(`/profile/${userSlug}/${event.target.value}`)}
        >
          {others.map((each) => (
            <option key={each.id} value={each.slug}>
              {nameOf(each.slug)}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
