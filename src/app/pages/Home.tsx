import { PhotosCard } from '#features/media/PhotosCard.tsx';
import { OwnProfilePage } from '#features/profile/OwnProfilePage.tsx';
import { lazyPage } from '../lazy-page.ts';

const SomebodysPage = lazyPage(() => import('./SomebodysPage.tsx'), 'SomebodysPage');

export function Home() {
  return <OwnProfilePage photos={(profileId) => <PhotosCard profileId={profileId} />} missing={<SomebodysPage />} />;
}
