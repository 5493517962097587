import { Trash2 } from 'lucide-react';
import { memo, useState } from 'react';
import { MEDIA_TABS, type MediaTab } from '#contract/media-tabs.ts';
import type { Profile } from '#contract/records/profile.ts';
import type { MediaItem } from '#db/queries.ts';
import { getOwnProfilePath } from '#lib/own-profile-path.ts';
import { count } from '#lib/text.ts';
import { OfflineBadge } from '#shared/offline-media/OfflineBadge.tsx';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { IconButton } from '#ui/Button.tsx';
import { deleteMedium, reorderMedia } from './media-actions.ts';
import { MediaBookmark } from './MediaBookmark.tsx';
import { getMediaName, getTab } from './media-item.ts';
import { MediaMenu } from './MediaMenu.tsx';
import { MediaToolbar, SaveChip } from './MediaToolbar.tsx';
import { moveId } from './plan-positions.ts';
import { isInPeriod, type Period } from './period.ts';
import { Portfolio } from './Portfolio.tsx';
import { useRefusedMedia } from './use-refused-media.ts';
import { PrimaryBadge } from './Tile.tsx';
import { useSavedMedia } from './use-saved-media.ts';

export interface OwnMediaProps {
  profileId: string;
  profile: Profile;
  items: readonly MediaItem[];
  isPage: boolean;
  onAdd: (tab: MediaTab) => void;
  onOpen: (id: string) => void;
  onEdit: (id: string) => void;
}

/** '18 items, 3 not sent yet'. */
function getCountText(items: readonly MediaItem[]): string {
  const waiting = items.filter(({ state }) => state !== 'saved').length;
  return count(items.length, 'item') + (waiting > 0 ? `, ${waiting} not sent yet` : '');
}

/** The owner's media with all their actions. Kept while a sheet opens above them: hundreds of tiles are slow to render. */
export const OwnMedia = memo(function OwnMedia({
  profileId,
  profile,
  items,
  isPage,
  onAdd,
  onOpen,
  onEdit,
}: OwnMediaProps) {
  const { engine } = useAccount();
  const getSaved = useSavedMedia();
  useRefusedMedia(profileId, onEdit);
  const [since, setSince] = useState<{ period: Period; now: Date } | null>(null);
  const [isSavedOnly, setIsSavedOnly] = useState(false);
  const shown = items.filter(
    (item) =>
      (since === null || isInPeriod(since.period, item.body.created_at, since.now)) &&
      (!isSavedOnly || getSaved(item)?.value === true),
  );
  const isFiltered = isSavedOnly || (since !== null && since.period !== 'all');
  const byTab = new Map(MEDIA_TABS.map(({ key }) => [key, items.filter((each) => getTab(each)?.key === key)]));
  const getSiblings = (item: MediaItem) => (isFiltered ? [] : (byTab.get(getTab(item)?.key ?? 'image') ?? []));
  const handleMove = (id: string, to: number) => {
    const item = items.find((each) => each.id === id);
    if (!item) return;
    const siblings = getSiblings(item);
    const wanted = moveId(
      siblings.map((each) => each.id),
      id,
      to,
    );
    void toastOnError(reorderMedia(engine, siblings, wanted));
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 pb-1">
        <p className="num grow text-sm text-muted">{isPage && getCountText(items)}</p>
        <MediaToolbar
          period={since?.period ?? 'all'}
          onPeriod={(period) => setSince({ period, now: new Date() })}
          address={getOwnProfilePath(profile, [profile])}
          save={
            <SaveChip
              label="Saved only"
              text="Saved only"
              isOn={isSavedOnly}
              onClick={() => setIsSavedOnly(!isSavedOnly)}
            />
          }
        />
      </div>
      <Portfolio
        items={shown}
        layout={isPage ? 'page' : 'card'}
        artist={profile.stage_name}
        onOpen={onOpen}
        onAdd={onAdd}
        onMove={isFiltered ? undefined : handleMove}
        getControls={(item, places) => {
          const saved = getSaved(item);
          return {
            bookmark: saved && (
              <MediaBookmark item={item} profile={profile} saved={saved} className={places?.bookmark} />
            ),
            mark: (
              <>
                {item.body.is_primary === true && <PrimaryBadge />}
                <OfflineBadge medium={item.body} />
              </>
            ),
            remove: getTab(item)?.key === 'audio' && (
              <IconButton
                label={`Delete ${getMediaName(item)}`}
                icon={Trash2}
                onClick={() => void deleteMedium(engine, item)}
              />
            ),
            menu: (
              <MediaMenu
                item={item}
                siblings={getSiblings(item)}
                onEdit={() => onEdit(item.id)}
                className={places?.menu}
              />
            ),
          };
        }}
        none={
          <p className="py-6 text-center text-muted">
            {isSavedOnly ? 'You haven’t saved any of these.' : 'Nothing was added in this period.'}
          </p>
        }
      />
    </>
  );
});
