import { useSearchParams } from '#ui/router.tsx';
import { MemberPortfolio } from '#features/media/MemberPortfolio.tsx';
import { ViewedPortfolio } from '#features/media/ViewedPortfolio.tsx';
import { MemberPage } from '#features/profile/viewer/MemberPage.tsx';
import { PreviewPage, parseViewer } from '#features/profile/viewer/PreviewPage.tsx';
import type { Profile } from '#contract/records/profile.ts';
import type { Item } from '#db/views.ts';
import { NotFound } from './NotFound.tsx';

const memberPortfolio = (items: Item[], profile: Profile) => <MemberPortfolio items={items} profile={profile} />;
const previewPortfolio = (items: Item[], profile: Profile) => <ViewedPortfolio items={items} profile={profile} />;

/** Another person's profile for a signed-in person; with `?as=`, the person's own profile as others see it. */
export function OtherProfilePage() {
  const viewer = parseViewer(useSearchParams()[0].get('as'));
  return viewer ? (
    <PreviewPage viewer={viewer} portfolio={previewPortfolio} missing={<NotFound />} />
  ) : (
    <MemberPage portfolio={memberPortfolio} missing={<NotFound />} />
  );
}
