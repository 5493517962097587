import { lazy, Suspense } from 'react';
import { MEDIA_TABS, type MediaTab } from '#contract/media-tabs.ts';
import type { Profile } from '#contract/records/profile.ts';
import type { MediaItem } from '#db/queries.ts';
import type { Item } from '#db/views.ts';
import { Card } from '#ui/Card.tsx';
import { lazyOptional } from '#ui/lazy-optional.ts';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { MediaSection } from './MediaSection.tsx';

const OwnMedia = lazyOptional(async () => (await import('./OwnMedia.tsx')).OwnMedia);
const AddSheet = lazy(async () => ({ default: (await import('./AddSheet.tsx')).AddSheet }));
const EditMediaSheet = lazy(async () => ({ default: (await import('./EditMediaSheet.tsx')).EditMediaSheet }));
const OwnLightbox = lazy(async () => ({ default: (await import('./OwnLightbox.tsx')).OwnLightbox }));

interface OwnPortfolioProps {
  profile: Item;
  items: MediaItem[];
  isPage?: boolean;
}

/** The owner's media, including unsent ones, as a card of the profile or as a page. */
export function OwnPortfolio({ profile: { id: profileId, body }, items, isPage = false }: OwnPortfolioProps) {
  const adding = useSheetParam('add');
  const viewing = useSheetParam('view');
  const changing = useSheetParam('change');
  const profile = body as Profile;
  const changed = items.find(({ id }) => id === changing.value);
  const add = ({ tab }: MediaTab) => adding.open(tab);
  const portfolio =
    items.length === 0 ? (
      <div className="space-y-2">
        {MEDIA_TABS.map((tab) => (
          <MediaSection key={tab.key} tab={tab} count={0} isPage={isPage} onAdd={add} />
        ))}
      </div>
    ) : (
      <Suspense fallback={<div className="min-h-96" />}>
        <OwnMedia {...{ profileId, profile, items, isPage }} onAdd={add} onOpen={viewing.open} onEdit={changing.open} />
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
        {adding.value !== null && <AddSheet tab={adding.value} profileId={profileId} onClose={adding.close} />}
        {changed && <EditMediaSheet item={changed} onClose={changing.close} />}
        {viewing.value !== null && (
          <OwnLightbox items={items} openId={viewing.value} profile={profile} onClose={viewing.close} />
        )}
      </Suspense>
    </>
  );
}
