import { ViewedPhotos } from '#features/media/ViewedPhotos.tsx';
import { VisitorPage } from '#features/profile/viewer/VisitorPage.tsx';
import { NotFound } from './NotFound.tsx';

/** Anybody's profile, signed out. */
export function PublicPage() {
  return <VisitorPage portfolio={(items) => <ViewedPhotos items={items} />} missing={<NotFound />} />;
}
