import { ViewedPortfolio } from '#features/media/ViewedPortfolio.tsx';
import { VisitorPage } from '#features/profile/viewer/VisitorPage.tsx';
import { NotFound } from './NotFound.tsx';

/** Any profile, for a visitor who is not signed in. */
export function PublicPage() {
  return (
    <VisitorPage
      portfolio={(items, profile) => <ViewedPortfolio items={items} profile={profile} />}
      missing={<NotFound />}
    />
  );
}
