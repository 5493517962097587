import { useState, type ReactNode } from 'react';
import type { Profile } from '#contract/records/profile.ts';
import type { MediaItem } from '#db/queries.ts';
import { getOwnProfilePath } from '#lib/own-profile-path.ts';
import { Card } from '#ui/Card.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { MediaToolbar } from './MediaToolbar.tsx';
import { isInPeriod, type Period } from './period.ts';
import { Portfolio } from './Portfolio.tsx';
import type { MediaListProps } from './media-list-props.ts';
import { lazyPart } from '#ui/lazy-part.ts';

const Lightbox = lazyPart(async () => (await import('./Lightbox.tsx')).Lightbox);

interface ViewedPortfolioProps {
  items: readonly MediaItem[];
  profile: Profile;
  /** The controls of an item; only for signed-in users. */
  getControls?: MediaListProps['getControls'];
  /** The bookmark of the profile; only for signed-in users. */
  save?: ReactNode;
}

/** Somebody else's media, for viewing and listening. */
export function ViewedPortfolio({ items, profile, getControls, save }: ViewedPortfolioProps) {
  const viewing = useSheetParam('view');
  const [since, setSince] = useState<{ period: Period; now: Date } | null>(null);
  const shown = items.filter((item) => since === null || isInPeriod(since.period, item.body.created_at, since.now));
  const getButtons = (item: MediaItem) => {
    const { bookmark, menu, report } = getControls?.(item) ?? {};
    return (
      <>
        {report}
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
          <MediaToolbar
            period={since?.period ?? 'all'}
            onPeriod={(period) => setSince({ period, now: new Date() })}
            address={getOwnProfilePath(profile, [profile])}
            save={save}
          />
        }
      >
        <Portfolio
          items={shown}
          layout="card"
          artist={profile.stage_name}
          onOpen={viewing.open}
          getControls={getControls}
          none={<p className="py-6 text-center text-muted">Nothing was added in this period.</p>}
        />
      </Card>
      {viewing.value !== null && (
        <Lightbox items={shown} openId={viewing.value} getButtons={getButtons} onClose={viewing.close} />
      )}
    </>
  );
}
