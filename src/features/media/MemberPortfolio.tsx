import type { Profile } from '#contract/records/profile.ts';
import { readSaved } from '#db/saved-and-connected.ts';
import type { MediaItem } from '#db/queries.ts';
import { toProfileCard } from '#lib/profile-card.ts';
import { OfflineButton } from '#shared/offline-media/OfflineButton.tsx';
import { OfflineBadge } from '#shared/offline-media/OfflineBadge.tsx';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { lazyOptional } from '#ui/lazy-part.ts';
import { getMediaName, getTab } from './media-item.ts';
import { MediaBookmark } from './MediaBookmark.tsx';
import { SaveChip } from './MediaToolbar.tsx';
import { useSavedMedia } from './use-saved-media.ts';
import { ViewedPortfolio } from './ViewedPortfolio.tsx';

const ReportButton = lazyOptional(async () => (await import('#shared/people/ReportButton.tsx')).ReportButton);

interface MemberPortfolioProps {
  items: readonly MediaItem[];
  profile: Profile;
}

/** Somebody's media for a signed-in user, who can save each medium and the profile. */
export function MemberPortfolio({ items, profile }: MemberPortfolioProps) {
  const { engine } = useAccount();
  const getSaved = useSavedMedia();
  const card = toProfileCard(profile);
  const wasSaved = profile.is_saved === 1;
  const pending = useQuery((db) => readSaved(db, 'saved_profile', card.id, wasSaved), [card.id, wasSaved]);
  const isSaved = pending?.value ?? wasSaved;
  return (
    <ViewedPortfolio
      items={items}
      profile={profile}
      getControls={(item, places) => {
        const saved = getSaved(item);
        const report = (
          <ReportButton
            person={{ userId: String(profile.user_id), name: profile.stage_name }}
            about={{ type: 'media', id: item.id, name: getMediaName(item) }}
            look="icon"
          />
        );
        const isTile = ['image', 'video'].includes(getTab(item)?.key ?? '');
        return {
          bookmark: saved && <MediaBookmark item={item} profile={profile} saved={saved} className={places?.bookmark} />,
          menu: (
            <>
              {!isTile && report}
              <OfflineButton medium={item.body} name={getMediaName(item)} className={places?.menu} />
            </>
          ),
          report: isTile && report,
          mark: <OfflineBadge medium={item.body} />,
        };
      }}
      save={
        <SaveChip
          label={`Save profile of ${profile.stage_name}`}
          isOn={isSaved}
          onClick={() => void toastOnError(engine.setSaved('saved_profile', card, !isSaved))}
        />
      }
    />
  );
}
