import { useCallback, useEffect } from 'react';
import { MEDIA_TABS, type MediaTab } from '#contract/media-tabs.ts';
import type { Profile } from '#contract/records/profile.ts';
import type { MediaItem } from '#db/queries.ts';
import type { Item } from '#db/views.ts';
import { Card } from '#ui/Card.tsx';
import { lazyOptional, lazyPart } from '#ui/lazy-part.ts';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { whenIdle } from '#ui/when-idle.ts';
import { MediaSection } from './MediaSection.tsx';

const OwnMedia = lazyOptional(
  async () => (await import('./OwnMedia.tsx')).OwnMedia,
  () => <div className="min-h-96" />,
);
const AddSheet = lazyPart(async () => (await import('./AddSheet.tsx')).AddSheet);
const EditMediaSheet = lazyPart(async () => (await import('./EditMediaSheet.tsx')).EditMediaSheet);
const OwnLightbox = lazyPart(async () => (await import('./OwnLightbox.tsx')).OwnLightbox);

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
  const openAdd = adding.open;
  const add = useCallback(({ tab }: MediaTab) => openAdd(tab), [openAdd]);
  const hasViewerSoon = isPage && items.length > 0;
  useEffect(() => {
    if (!hasViewerSoon) return;
    // A tap on a tile then opens the viewer at once. If this fails, the tap tries again.
    whenIdle(() => void OwnLightbox.load().catch(() => undefined), { timeoutMs: 5000, fallbackMs: 1000 });
  }, [hasViewerSoon]);
  const portfolio =
    items.length === 0 ? (
      <div className="space-y-2">
        {MEDIA_TABS.map((tab) => (
          <MediaSection key={tab.key} tab={tab} count={0} isPage={isPage} onAdd={add} />
        ))}
      </div>
    ) : (
      <OwnMedia {...{ profileId, profile, items, isPage }} onAdd={add} onOpen={viewing.open} onEdit={changing.open} />
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
      {adding.value !== null && <AddSheet tab={adding.value} profileId={profileId} onClose={adding.close} />}
      {changed && <EditMediaSheet item={changed} onClose={changing.close} />}
      {viewing.value !== null && (
        <OwnLightbox items={items} openId={viewing.value} profile={profile} onClose={viewing.close} />
      )}
    </>
  );
}
