import { Bookmark, BookmarkX } from 'lucide-react';
import type { MouseEvent } from 'react';
import { Link } from '#ui/router.tsx';
import type { MediaCard } from '#contract/records/media.ts';
import { mediaListOf } from '#contract/media-types.ts';
import type { SavedItem } from '#db/saved-and-connected.ts';
import { OfflineButton } from '#shared/offline-media/OfflineButton.tsx';
import { OfflineBadge } from '#shared/offline-media/OfflineBadge.tsx';
import { KIND_ICONS } from '#shared/kind-icons.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { IconButton } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { findNextRow } from '#ui/pass-focus.ts';
import { RemoteImage } from '#ui/RemoteImage.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import { toast } from '#ui/Toast.tsx';

/** The media that the person saved, each with a link to its page. */
export function SavedMediaCard({ items }: { items: readonly SavedItem<MediaCard>[] }) {
  if (items.length === 0) return null;
  return (
    <Card title="Saved media" count={items.length}>
      <ul>
        {items.map((item) => (
          <SavedMediaRow key={item.card.id} item={item} />
        ))}
      </ul>
    </Card>
  );
}

function SavedMediaRow({ item: { card: medium, syncState: state } }: { item: SavedItem<MediaCard> }) {
  const { engine } = useAccount();
  const setSaved = (saved: boolean) => engine.setSaved('saved_media', medium, saved);
  const remove = async (button: Element) => {
    const passFocus = findNextRow(button);
    await setSaved(false);
    passFocus();
    toast({
      text: `${medium.name} removed from Saved`,
      icon: BookmarkX,
      action: { label: 'Undo', onSelect: () => void toastOnError(setSaved(true)) },
    });
  };
  const handleRemove = (event: MouseEvent) => void toastOnError(remove(event.currentTarget));
  const list = mediaListOf(medium.media_type);
  const Icon = KIND_ICONS[list?.kind ?? 'document'];
  const { owner } = medium;
  const content = (
    <>
      <span className="relative grid size-14 shrink-0 place-items-center overflow-hidden rounded-xl bg-base-300">
        <Icon className="ic text-muted" aria-hidden />
        {medium.thumb_path && (
          <RemoteImage
            src={medium.thumb_path}
            alt=""
            className="absolute inset-0 size-full object-cover"
            loading="lazy"
          />
        )}
      </span>
      <span className="min-w-0 grow leading-snug">
        <span className="block font-semibold break-words">{medium.name}</span>
        <span className="block text-sm break-words text-muted">
          {list?.noun ?? 'file'} by {owner.name}
        </span>
        <span className="mt-1 flex flex-wrap gap-1 empty:hidden">
          <OfflineBadge medium={medium} />
          <StatePill state={state} />
        </span>
      </span>
    </>
  );
  const contentClass = 'flex min-h-14 min-w-0 grow items-center gap-3 rounded-field';
  return (
    <li className="flex items-center gap-2 border-t border-base-300 py-2 first:border-t-0">
      {owner.slug && owner.profile_type ? (
        <Link to={toMediaPath(medium, owner.slug, owner.profile_type)} className={contentClass}>
          {content}
        </Link>
      ) : (
        <div className={contentClass}>{content}</div>
      )}
      <OfflineButton medium={medium} name={medium.name} />
      <IconButton
        label={`Remove ${medium.name} from Saved`}
        icon={Bookmark}
        className="text-primary [&>svg]:fill-current"
        onClick={handleRemove}
      />
    </li>
  );
}

/** Returns the path of an item: photos and videos open in the viewer, other kinds in their tab of the profile. */
function toMediaPath({ id, media_type }: MediaCard, slug: string, type: string): string {
  const page = `/profile/${slug}/${type}`;
  const kind = mediaListOf(media_type)?.kind;
  if (kind === 'audio') return `${page}?tab=audio`;
  return kind === 'document' ? `${page}?tab=docs` : `${page}?view=${encodeURIComponent(id)}`;
}
