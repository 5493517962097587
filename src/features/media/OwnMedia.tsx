import { Trash2 } from 'lucide-react';
import { useState } from 'react';
import { MEDIA_TABS, type MediaTab } from '#contract/media-tabs.ts';
import type { Profile } from '#contract/records/profile.ts';
import type { MediaItem } from '#db/queries.ts';
import { ownAddress } from '#lib/own-address.ts';
import { count } from '#lib/text.ts';
import { OfflineBadge } from '#shared/offline-media/OfflineBadge.tsx';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { IconButton } from '#ui/Button.tsx';
import { deleteMedium, putInOrder } from './media-actions.ts';
import { MediaBookmark } from './MediaBookmark.tsx';
import { nameOf, tabOf } from './media-item.ts';
import { MediaMenu } from './MediaMenu.tsx';
import { MediaStrip, SaveChip } from './MediaStrip.tsx';
import { withMoved } from './order.ts';
import { isIn, type Period } from './period.ts';
import { Portfolio } from './Portfolio.tsx';
import { useRefusedMedia } from './use-refused-media.ts';
import { PrimaryMark } from './Tile.tsx';
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
function truthOf(items: readonly MediaItem[]): string {
  const waiting = items.filter(({ state }) => state !== 'saved').length;
  return count(items.length, 'item') + (waiting > 0 ? `, ${waiting} not sent yet` : '');
}

/** The owner's media with all that can be done with them. */
export function OwnMedia({ profileId, profile, items, isPage, onAdd, onOpen, onEdit }: OwnMediaProps) {
  const { engine } = useAccount();
  const standingOf = useSavedMedia();
  useRefusedMedia(profileId, onEdit);
  const [since, setSince] = useState<{ period: Period; now: Date } | null>(null);
  const [isSavedOnly, setIsSavedOnly] = useState(false);
  const shown = items.filter(
    (item) =>
      (since === null || isIn(since.period, item.body.created_at, since.now)) &&
      (!isSavedOnly || standingOf(item)?.value === true),
  );
  const isFiltered = isSavedOnly || (since !== null && since.period !== 'all');
  const kin = new Map(MEDIA_TABS.map(({ key }) => [key, items.filter((each) => tabOf(each)?.key === key)]));
  const kinOf = (item: MediaItem) => (isFiltered ? [] : (kin.get(tabOf(item)?.key ?? 'image') ?? []));
  const handleMove = (id: string, to: number) => {
    const item = items.find((each) => each.id === id);
    if (!item) return;
    const kin = kinOf(item);
    const wanted = withMoved(
      kin.map((each) => each.id),
      id,
      to,
    );
    void toastOnError(putInOrder(engine, kin, wanted));
  };
  return (
    <>
      <div className="flex flex-wrap items-center gap-2 pb-1">
        <p className="num grow text-sm text-muted">{isPage && truthOf(items)}</p>
        <MediaStrip
          period={since?.period ?? 'all'}
          onPeriod={(period) => setSince({ period, now: new Date() })}
          address={ownAddress(profile, [profile])}
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
        room={isPage ? 'page' : 'card'}
        artist={profile.stage_name}
        onOpen={onOpen}
        onAdd={onAdd}
        onMove={isFiltered ? undefined : handleMove}
        cornersOf={(item, places) => {
          const standing = standingOf(item);
          return {
            bookmark: standing && (
              <MediaBookmark item={item} profile={profile} standing={standing} className={places?.bookmark} />
            ),
            mark: (
              <>
                {item.body.is_primary === true && <PrimaryMark />}
                <OfflineBadge medium={item.body} />
              </>
            ),
            remove: tabOf(item)?.key === 'audio' && (
              <IconButton
                label={`Delete ${nameOf(item)}`}
                icon={Trash2}
                onClick={() => void deleteMedium(engine, item)}
              />
            ),
            menu: <MediaMenu item={item} kin={kinOf(item)} onEdit={() => onEdit(item.id)} className={places?.menu} />,
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
}
