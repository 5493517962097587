import { ChevronDown, Layers } from 'lucide-react';
import { useNavigate } from '#ui/router.tsx';
import { PROFILE_TYPES } from '#contract/profile-types.ts';
import type { Page } from './read-page.ts';

const getTypeName = (slug: string) =>
  PROFILE_TYPES.find((type) => type.slug === slug)?.name ?? slug.replaceAll('-', ' ');

/** Links to the other profiles of the same person. Choosing one replaces the last segment of the address. */
export function OtherProfiles({
  userSlug,
  current,
  profiles,
}: {
  userSlug: string;
  current: string;
  profiles: Page['others'];
}) {
  const navigate = useNavigate();
  if (profiles.length < 2) return null;
  const currentIndex = profiles.findIndex((each) => each.slug === current);
  return (
    <div className="border-t border-base-300 p-3 md:px-5">
      <div className="relative flex min-h-12 items-center gap-2.5 rounded-field border border-base-300 px-3.5 text-sm has-focus-visible:outline-3 has-focus-visible:outline-offset-2 has-focus-visible:outline-primary">
        <Layers className="ic text-muted" aria-hidden />
        <span className="min-w-0 grow truncate" aria-hidden>
          {getTypeName(current)}
        </span>
        <span className="num shrink-0 text-muted" aria-hidden>
          {currentIndex + 1} of {profiles.length} profiles
        </span>
        <ChevronDown className="ic text-muted" aria-hidden />
        <select
          aria-label={`View Other Profiles, ${currentIndex + 1} of ${profiles.length} profiles`}
          className="absolute inset-0 size-full cursor-pointer appearance-none bg-base-100 text-base text-base-content opacity-0"
          value={current}
          onChange={(event) => navigate(`/profile/${userSlug}/${event.target.value}`)}
        >
          {profiles.map((each) => (
            <option key={each.id} value={each.slug}>
              {getTypeName(each.slug)}
            </option>
          ))}
        </select>
      </div>
    </div>
  );
}
