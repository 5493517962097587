'fetched first on a public profile';

// Fetched together with the page: others fetch them when they need them.
import '#features/profile/FactList.tsx';
import '#features/profile/FeedbackList.tsx';
import '#net/page-exchange.ts';
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
