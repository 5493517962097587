import { lazy, Suspense } from 'react';
import { MEDIA_TABS, type MediaTab } from '#contract/media-tabs.ts';
import type { MediaItem } from '#db/queries.ts';
import { Card } from '#ui/Card.tsx';
import { late } from '#ui/late.ts';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { MediaShelf } from './MediaShelf.tsx';

const Portfolio = late(async () => (await import('./Portfolio.tsx')).Portfolio);
const AddPhotosSheet = lazy(async () => ({ default: (await import('./AddPhotosSheet.tsx')).AddPhotosSheet }));
const Lightbox = lazy(async () => ({ default: (await import('./Lightbox.tsx')).Lightbox }));

interface OwnPortfolioProps {
  profileId: string;
  items: MediaItem[];
  /** Whose they are. */
  artist: string;
  isPage?: boolean;
}

/** The owner's media, those that still wait among them: a card of the profile, or a page. */
export function OwnPortfolio({ profileId, items, artist, isPage = false }: OwnPortfolioProps) {
  const adding = useSheetParam('add');
  const viewing = useSheetParam('view');
  const add = ({ tab }: MediaTab) => adding.open(tab);
  const portfolio =
    items.length === 0 ? (
      <div className="space-y-2">
        {MEDIA_TABS.map((tab) => (
          <MediaShelf key={tab.key} tab={tab} count={0} isPage={isPage} onAdd={add} />
        ))}
      </div>
    ) : (
      <Suspense fallback={<div className="min-h-96" />}>
        <Portfolio items={items} room={isPage ? 'page' : 'card'} artist={artist} onOpen={viewing.open} onAdd={add} />
      </Suspense>
    );
  return (
    <>
      {isPage ? (
        portfolio
      ) : (
        <Card title="Media" count={items.length > 0 ? items.length : undefined}>
          {portfolio}
        </Card>
      )}
      <Suspense>
        {adding.value === 'photos' && <AddPhotosSheet profileId={profileId} onClose={adding.close} />}
        {viewing.value !== null && <Lightbox items={items} openId={viewing.value} onClose={viewing.close} />}
      </Suspense>
    </>
  );
}
