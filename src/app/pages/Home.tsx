import { PhotosCard } from '#features/media/PhotosCard.tsx';
import { OwnProfilePage } from '#features/profile/OwnProfilePage.tsx';
import { lazyPage } from '../lazy-page.ts';

const NotFound = lazyPage(() => import('./NotFound.tsx'), 'NotFound');

export function Home() {
  return <OwnProfilePage photos={(profileId) => <PhotosCard profileId={profileId} />} missing={<NotFound />} />;
}
