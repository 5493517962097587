import { Pin, Star } from 'lucide-react';
import { memo, useEffect } from 'react';
import { Link } from '#ui/router.tsx';
import type { ConversationView } from '#db/conversations.ts';
import { useAccount } from '#session/session.tsx';
import { Avatar } from '#ui/Avatar.tsx';
import { getDeliveryStatus, DeliveryMark } from './delivery-status.tsx';
import { formatShortTime } from './days.ts';
import { prefetchThreads, prefetchThread } from './prefetch-thread.ts';
import { useNow } from '#ui/use-now.ts';

/** The draft or the last message, in one line. */
function Preview({ view, userId }: { view: ConversationView; userId: string }) {
  const { draft, last, pending } = view;
  if (draft.message.trim() !== '' || draft.photo !== null) {
    return (
      <>
        <span className="font-semibold text-phone">Draft:</span>
        <span className="grow truncate">{draft.message || 'Photo'}</span>
      </>
    );
  }
  const isOwn = pending !== null || last?.sender_id === userId;
  const seq = last?.seq ?? 0;
  const status = getDeliveryStatus(pending?.state ?? 'saved', {
    isDelivered: (view.otherHas ?? 0) >= seq,
    isRead: (view.otherRead ?? 0) >= seq,
  });
  // A message without text is a photo.
  const text = pending || last ? (pending?.message ?? last?.message) || 'Photo' : 'Say hello';
  return (
    <>
      {isOwn && <DeliveryMark status={status} hidesWord />}
      <span className="grow truncate">{text}</span>
    </>
  );
}

interface RowProps {
  view: ConversationView;
  isCurrent: boolean;
  now: number;
}

const ConversationRow = memo(function ConversationRow({ view, isCurrent, now }: RowProps) {
  const { db, user } = useAccount();
  const { other, last, pending, unread } = view;
  // Starts reading as soon as the user presses the row.
  const prefetch = () => void prefetchThread(db, view).catch(console.warn);
  const at = pending?.createdAt ?? (last ? Date.parse(last.created_at) : null);
  return (
    <li>
      <Link
        to={`/messages/${view.id}`}
        onPointerDown={prefetch}
        aria-current={isCurrent ? 'page' : undefined}
        className={`flex min-h-[72px] items-center gap-3 px-4 py-2.5 md:rounded-xl ${isCurrent ? 'md:bg-secondary/60' : ''}`}
      >
        <Avatar name={other.name} src={other.profile_photo} size="size-[52px]" decorative />
        <span className="min-w-0 grow">
          <span className="flex items-baseline gap-2">
            <span className={`grow truncate ${unread > 0 ? 'font-bold' : 'font-semibold'}`}>{other.name}</span>
            {at !== null && (
              <span className={`num shrink-0 text-xs ${unread > 0 ? 'font-semibold' : 'text-muted'}`}>
                {formatShortTime(at, now)}
              </span>
            )}
          </span>
          <span className={`flex items-center gap-1.5 text-sm ${unread > 0 ? '' : 'text-muted'}`}>
            <Preview view={view} userId={user.id} />
            {view.toggles.pinned.value && <Pin className="ic size-4" aria-label="Pinned" />}
            {view.toggles.starred.value && <Star className="ic size-4 fill-accent text-accent" aria-label="Starred" />}
            {unread > 0 && (
              <span className="num grid h-5 min-w-5 place-items-center rounded-full bg-accent px-1.5 text-xs font-bold text-accent-content">
                {unread > 99 ? '99+' : unread}
                <span className="sr-only"> unread</span>
              </span>
            )}
          </span>
        </span>
      </Link>
    </li>
  );
});

/** The list of conversations, the most recent one first. */
export function ConversationList({
  views,
  current,
}: {
  views: readonly ConversationView[];
  current?: string | undefined;
}) {
  const { db } = useAccount();
  const now = useNow();
  useEffect(() => prefetchThreads(db, views), [db, views]);
  return (
    <ul className="md:px-2">
      {views.map((view) => (
        <ConversationRow key={view.id} view={view} isCurrent={view.id === current} now={now} />
      ))}
    </ul>
  );
}
