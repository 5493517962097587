import type { ReactNode } from 'react';
import type { Profile } from '#contract/records/profile.ts';
import { initials, isLong } from '#lib/text.ts';
import { RemoteImage } from '#ui/RemoteImage.tsx';
import { VerifiedOffice } from '#ui/verified-mark.ts';
import { OtherProfiles } from './OtherProfiles.tsx';
import { PublicFacts } from './PublicFacts.tsx';
import type { Page } from './read-page.ts';

interface PublicHeaderProps {
  profile: Profile;
  page: Page;
  /** Connect, message, save and share. */
  actions: ReactNode;
}

/** Portrait with the name over it, actions and facts. Full width on a phone, a side column from 768 px. */
export function PublicHeader({ profile, page, actions }: PublicHeaderProps) {
  const fallback = (
    <span
      className="absolute inset-x-0 top-0 grid h-3/5 place-items-center text-6xl font-bold text-white/90"
      aria-hidden
    >
      {initials(profile.stage_name)}
    </span>
  );
  return (
    <section
      className="notice -mx-3 overflow-hidden !rounded-t-none md:sticky md:top-[84px] md:mx-0 md:!rounded-box"
      aria-label={profile.stage_name}
    >
      {/* Grows with a long name, so that nothing is cut off. */}
      <div className="relative flex min-h-[340px] flex-col justify-end bg-[oklch(31%_.046_162)] md:aspect-[4/3.6] md:min-h-fit">
        {profile.profile_photo ? (
          <RemoteImage
            src={profile.profile_photo}
            alt={`Portrait of ${profile.stage_name}`}
            className="absolute inset-0 size-full object-cover object-[50%_25%]"
            fallback={fallback}
          />
        ) : (
          fallback
        )}
        <div className="portrait-scrim relative px-4 pt-16 pb-4 text-white md:px-5">
          <h1
            className={`leading-[1.15] font-bold break-words ${isLong(profile.stage_name) ? 'text-2xl' : 'text-[2.125rem]'}`}
          >
            {profile.stage_name}
          </h1>
          {profile.verified && <VerifiedOffice office={profile.verified} />}
          {profile.title && <p className="mt-1 break-words">{profile.title}</p>}
        </div>
      </div>
      <div className="flex flex-wrap items-start gap-2 p-3 empty:hidden md:px-5 md:py-4">{actions}</div>
      <PublicFacts profile={profile} rows={page.rows} />
      <OtherProfiles userSlug={profile.slug} current={profile.profile_type.slug} profiles={page.others} />
    </section>
  );
}
