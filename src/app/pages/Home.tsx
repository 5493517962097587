import { PhotosCard } from '#features/media/PhotosCard.tsx';
import { OwnProfilePage } from '#features/profile/OwnProfilePage.tsx';
import { NotFound } from './NotFound.tsx';

export function Home() {
  return <OwnProfilePage photos={(profileId) => <PhotosCard profileId={profileId} />} missing={<NotFound />} />;
}
