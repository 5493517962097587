import { ViewedPhotos } from '#features/media/ViewedPhotos.tsx';
import { MemberPage } from '#features/profile/viewer/MemberPage.tsx';
import { NotFound } from './NotFound.tsx';

/** Another person's profile, signed in. */
export function SomebodysPage() {
  return <MemberPage photos={(photos) => <ViewedPhotos photos={photos} />} missing={<NotFound />} />;
}
