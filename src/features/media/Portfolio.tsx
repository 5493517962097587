import { useId, type ComponentType, type ReactNode } from 'react';
import { MEDIA_TABS, type MediaTab } from '#contract/media-tabs.ts';
import type { MediaType } from '#contract/media-types.ts';
import { AudioList } from './AudioList.tsx';
import { DocList } from './DocList.tsx';
import { getTab } from './media-item.ts';
import { MediaTabs } from './MediaTabs.tsx';
import { PhotoGrid } from './PhotoGrid.tsx';
import type { MediaListProps } from './media-list-props.ts';
import { MediaSection } from './MediaSection.tsx';
import { FULL, getAdjacentTab, getTabs } from './tabs.ts';
import { useSwipe } from './use-swipe.ts';
import { useTab } from './use-tab.ts';
import { VideoGrid } from './VideoGrid.tsx';

interface PortfolioProps extends MediaListProps {
  /** Adds to a kind; only for the owner. Without it, empty kinds are not shown. */
  onAdd?: (tab: MediaTab) => void;
  /** Shown if a filter leaves no items. */
  none?: ReactNode;
}

const LISTS = { image: PhotoGrid, video: VideoGrid, audio: AudioList, document: DocList } satisfies Record<
  MediaType,
  ComponentType<MediaListProps>
>;

/** All media of a profile under their tabs. */
export function Portfolio({ items, onAdd, none, ...shared }: PortfolioProps) {
  const id = useId();
  const tabs = getTabs(items);
  const [current, select] = useTab(tabs);
  const swipe = useSwipe((step) => {
    const adjacent = getAdjacentTab(tabs, current, step);
    if (adjacent !== null) select(adjacent);
  });
  if (tabs.length === 0) return none;
  const kinds = MEDIA_TABS.filter(({ tab }) => current === FULL || current === tab).map((tab) => ({
    tab,
    ofKind: items.filter((item) => getTab(item)?.key === tab.key),
  }));
  return (
    <>
      <MediaTabs id={id} tabs={tabs} current={current} onSelect={select} />
      <div
        role="tabpanel"
        id={`${id}-panel`}
        aria-labelledby={`${id}-${current}`}
        className="touch-pan-y space-y-3 pt-2"
        {...swipe}
      >
        {kinds
          .filter(({ ofKind }) => ofKind.length > 0 || onAdd)
          .map(({ tab, ofKind }) => {
            const Items = LISTS[tab.key];
            return (
              <MediaSection
                key={tab.key}
                tab={tab}
                count={ofKind.length}
                isPage={shared.layout === 'page'}
                onAdd={onAdd}
              >
                <Items items={ofKind} {...shared} />
              </MediaSection>
            );
          })}
      </div>
    </>
  );
}
