import { useSearchParams } from 'react-router-dom';
import { ViewedPhotos } from '#features/media/ViewedPhotos.tsx';
import { MemberPage } from '#features/profile/viewer/MemberPage.tsx';
import { PreviewPage, viewerIn } from '#features/profile/viewer/PreviewPage.tsx';
import type { Item } from '#db/views.ts';
import { NotFound } from './NotFound.tsx';

const portfolio = (items: Item[]) => <ViewedPhotos items={items} />;

/** Another person's profile, signed in; and with `?as=` one's own as others see it. */
export function SomebodysPage() {
  const viewer = viewerIn(useSearchParams()[0].get('as'));
  return viewer ? (
    <PreviewPage viewer={viewer} portfolio={portfolio} missing={<NotFound />} />
  ) : (
    <MemberPage portfolio={portfolio} missing={<NotFound />} />
  );
}
