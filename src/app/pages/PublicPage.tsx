'fetched first on a public profile';

import { ViewedPortfolio } from '#features/media/ViewedPortfolio.tsx';
import { VisitorPage } from '#features/profile/viewer/VisitorPage.tsx';
// The page reads from the server at once, so its transport comes with it.
import '#net/page-exchange.ts';
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
