import { useParams, useSearchParams } from '#ui/router.tsx';
import { OwnPortfolio } from '#features/media/OwnPortfolio.tsx';
import { OwnProfilePage } from '#features/profile/OwnProfilePage.tsx';
import { lazyPage } from '../lazy-page.ts';

const OtherProfilePage = lazyPage(() => import('./OtherProfilePage.tsx'), 'OtherProfilePage');

/** The person's own profile, or somebody else's at their address. `?as=` shows the own profile as others see it. */
export function Home() {
  const [search] = useSearchParams();
  const { userSlug } = useParams();
  if (userSlug !== undefined && search.has('as')) return <OtherProfilePage />;
  return (
    <OwnProfilePage
      portfolio={(profile, items) => <OwnPortfolio profile={profile} items={items} />}
      missing={<OtherProfilePage />}
    />
  );
}
