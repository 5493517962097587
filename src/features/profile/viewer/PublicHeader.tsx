import type { ReactNode } from 'react';
import type { Profile } from '#contract/records/profile.ts';
import { initials, isLong } from '#lib/text.ts';
import { RemoteImage } from '#ui/RemoteImage.tsx';
import { OtherProfiles } from './OtherProfiles.tsx';
import { PublicSlate } from './PublicSlate.tsx';
import type { Page } from './read-page.ts';

interface PublicHeaderProps {
  profile: Profile;
  page: Page;
  /** Connect, message, save and share. */
  actions: ReactNode;
}

/** The portrait with the name on it, what one can do, the facts. On a phone over the whole width, from 768 px the rail. */
export function PublicHeader({ profile, page, actions }: PublicHeaderProps) {
  const letters = (
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
      {/* A long name makes it taller: nothing of it may be cut off. */}
      <div className="relative flex min-h-[340px] flex-col justify-end bg-[oklch(31%_.046_162)] md:aspect-[4/3.6] md:min-h-fit">
        {profile.profile_photo ? (
          <RemoteImage
            src={profile.profile_photo}
            alt={`Portrait of ${profile.stage_name}`}
            className="absolute inset-0 size-full object-cover object-[50%_25%]"
            fallback={letters}
          />
        ) : (
          letters
        )}
        <div className="portrait-scrim relative px-4 pt-16 pb-4 text-white md:px-5">
          <h1
            className={`leading-[1.15] font-bold break-words ${isLong(profile.stage_name) ? 'text-2xl' : 'text-[2.125rem]'}`}
          >
            {profile.stage_name}
          </h1>
          {profile.title && <p className="mt-1 break-words">{profile.title}</p>}
        </div>
      </div>
      <div className="flex flex-wrap items-start gap-2 p-3 empty:hidden md:px-5 md:py-4">{actions}</div>
      <PublicSlate profile={profile} rows={page.rows} />
      <OtherProfiles userSlug={profile.slug} current={profile.profile_type.slug} others={page.others} />
    </section>
  );
}
