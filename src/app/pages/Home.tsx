import { useParams, useSearchParams } from '#ui/router.tsx';
import { OwnPortfolio } from '#features/media/OwnPortfolio.tsx';
import { OwnProfilePage } from '#features/profile/OwnProfilePage.tsx';
import { useAccount } from '#session/session.tsx';
import { afterPaint } from '#ui/after-paint.ts';
import { lazyOptional } from '#ui/lazy-part.ts';
import { useReservedHeight } from '#ui/use-reserved-height.ts';
import { lazyPage } from '../lazy-page.ts';
import { useOwnWork } from '../own-work.ts';

const OtherProfilePage = lazyPage(() => import('./OtherProfilePage.tsx'), 'OtherProfilePage');

const HomeNotice = lazyOptional(async () => {
  await new Promise<void>(afterPaint);
  return (await import('#features/account/HomeNotice.tsx')).HomeNotice;
});

const HomeWork = lazyOptional(async () => {
  await new Promise<void>(afterPaint);
  return (await import('./HomeWork.tsx')).HomeWork;
});

/** The person's own profile, or somebody else's at their address. `?as=` shows the own profile as others see it. */
export function Home() {
  const [search] = useSearchParams();
  const { userSlug } = useParams();
  const { user } = useAccount();
  // Whoever neither auditions nor casts loads nothing of either.
  const ownWork = useOwnWork();
  const work = useReservedHeight('room-for-work', () => 0);
  if (userSlug && search.has('as')) return <OtherProfilePage />;
  return (
    <>
      {!userSlug && (user.asks || user.is_suspended || user.hidden_by_desk?.[0]) && (
        // As tall as the card, so that nothing jumps when it appears.
        <div
          className={`mx-auto max-w-[1216px] px-3 pt-1 pb-2 md:min-h-41 md:px-6 md:pt-6 ${user.is_suspended ? 'min-h-36' : 'min-h-50'}`}
        >
          <HomeNotice />
        </div>
      )}
      {!userSlug && ownWork !== null && (
        <div
          className="mx-auto grid max-w-[1216px] grid-cols-1 gap-3 px-3 pt-1 pb-2 empty:hidden md:grid-cols-2 md:px-6 md:pt-6 md:pb-0"
          {...work.containerProps}
        >
          <HomeWork onReady={work.onReady} />
        </div>
      )}
      <OwnProfilePage
        portfolio={(profile, items) => <OwnPortfolio profile={profile} items={items} />}
        missing={<OtherProfilePage />}
      />
    </>
  );
}
