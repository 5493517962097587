import { ViewedPortfolio } from '#features/media/ViewedPortfolio.tsx';
import { VisitorPage } from '#features/profile/viewer/VisitorPage.tsx';
import { NotFound } from './NotFound.tsx';

/** Anybody's profile, signed out. */
export function PublicPage() {
  return (
    <VisitorPage
      portfolio={(items, profile) => <ViewedPortfolio items={items} profile={profile} />}
      missing={<NotFound />}
    />
  );
}
