import { lazy, Suspense, useState, type ReactNode } from 'react';
import type { Profile } from '#contract/records/profile.ts';
import type { MediaItem } from '#db/queries.ts';
import { ownAddress } from '#lib/own-address.ts';
import { Card } from '#ui/Card.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { MediaStrip } from './MediaStrip.tsx';
import { isIn, type Period } from './period.ts';
import { Portfolio } from './Portfolio.tsx';
import type { ShelfProps } from './shelf.ts';

const Lightbox = lazy(async () => ({ default: (await import('./Lightbox.tsx')).Lightbox }));

interface ViewedPortfolioProps {
  items: readonly MediaItem[];
  profile: Profile;
  /** Of somebody signed in: what they can do with an item. */
  cornersOf?: ShelfProps['cornersOf'];
  /** Of somebody signed in: the bookmark of the profile. */
  save?: ReactNode;
}

/** Somebody else's media: to look at and to listen to. */
export function ViewedPortfolio({ items, profile, cornersOf, save }: ViewedPortfolioProps) {
  const viewing = useSheetParam('view');
  const [since, setSince] = useState<{ period: Period; now: Date } | null>(null);
  const shown = items.filter((item) => since === null || isIn(since.period, item.body.created_at, since.now));
  const buttonsOf = (item: MediaItem) => {
    const { bookmark, menu } = cornersOf?.(item) ?? {};
    return (
      <>
        {menu}
        {bookmark}
      </>
    );
  };
  return (
    <>
      <Card
        title="Media"
        count={items.length}
        state={
          <MediaStrip
            period={since?.period ?? 'all'}
            onPeriod={(period) => setSince({ period, now: new Date() })}
            address={ownAddress(profile, [profile])}
            save={save}
          />
        }
      >
        <Portfolio
          items={shown}
          room="card"
          artist={profile.stage_name}
          onOpen={viewing.open}
          cornersOf={cornersOf}
          none={<p className="py-6 text-center text-muted">Nothing was added in this period.</p>}
        />
      </Card>
      <Suspense>
        {viewing.value !== null && (
          <Lightbox items={shown} openId={viewing.value} buttonsOf={buttonsOf} onClose={viewing.close} />
        )}
      </Suspense>
    </>
  );
}
