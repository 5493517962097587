import { Clapperboard } from 'lucide-react';
import { OwnPortfolio } from '#features/media/OwnPortfolio.tsx';
import type { AccountDb } from '#db/database.ts';
import { isPulled } from '#db/first-pull.ts';
import { ownProfiles, mediaItems } from '#db/queries.ts';
import { FirstPull } from '#shared/FirstPull.tsx';
import { useQuery } from '#shared/queries/use-query.ts';
import { ButtonLink } from '#ui/Button.tsx';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { lazyPart } from '#ui/lazy-part.ts';

const GalleryUpload = lazyPart(async () => (await import('#features/media/GalleryUpload.tsx')).GalleryUpload);
const SharedFiles = lazyPart(async () => (await import('#features/media/SharedFiles.tsx')).SharedFiles);

/** Reads the Home profile and its media; null if the person has no profile. */
async function readHomeMedia(db: AccountDb) {
  const [profile] = await ownProfiles(db);
  if (!profile) return (await isPulled(db)) ? null : 'not pulled';
  return { profile, items: await mediaItems(db, profile.id) };
}

const PAGE = 'mx-auto max-w-[1216px] px-3 pt-1 md:px-6 md:pt-6';

/** The portfolio of the Home profile. */
export function Media() {
  usePageTitle('Media');
  const home = useQuery(readHomeMedia, []);
  if (home === undefined) return null;
  if (home === 'not pulled') return <FirstPull label="Loading your media" className={PAGE} />;
  if (home === null) {
    return (
      <ErrorPage
        icon={Clapperboard}
        title="Media"
        text="Media belongs to a profile. Create one first."
        action={<ButtonLink to="/profile/step/1">New Profile</ButtonLink>}
      />
    );
  }
  return (
    <div className={PAGE}>
      <h1 className="pb-3 text-2xl font-bold max-md:sr-only">Media</h1>
      <OwnPortfolio {...home} isPage />
      <div className="mt-6">
        <GalleryUpload key={home.profile.id} profileId={home.profile.id} />
      </div>
      <SharedFiles profileId={home.profile.id} />
    </div>
  );
}
