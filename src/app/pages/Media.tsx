import { Clapperboard } from 'lucide-react';
import { PhotosCard } from '#features/media/PhotosCard.tsx';
import type { AccountDb } from '#db/database.ts';
import { ownProfiles, mediaItems } from '#db/queries.ts';
import { useQuery } from '#session/use-query.ts';
import { ButtonLink } from '#ui/Button.tsx';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { usePageTitle } from '#ui/page-title.ts';

/** The newest profile's id and media; null where there is no profile. */
async function newestMedia(db: AccountDb) {
  const profileId = (await ownProfiles(db))[0]?.id;
  return profileId === undefined ? null : { profileId, items: await mediaItems(db, profileId) };
}

/** The portfolio of the newest profile. */
export function Media() {
  usePageTitle('Media');
  const newest = useQuery(newestMedia, []);
  if (newest === undefined) return null;
  if (newest === null) {
    return (
      <div className="px-3">
        <ErrorPage
          icon={Clapperboard}
          title="Media"
          text="Photos belong to a profile. Make one first."
          action={<ButtonLink to="/profile/step/1">New Profile</ButtonLink>}
        />
      </div>
    );
  }
  return (
    <div className="mx-auto max-w-[1216px] px-3 pt-1 md:px-6 md:pt-6">
      <h1 className="px-1 pb-3 text-2xl font-bold max-md:sr-only">Media</h1>
      <PhotosCard {...newest} isPage />
    </div>
  );
}
