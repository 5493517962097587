import { Bell } from 'lucide-react';
import { useState } from 'react';
import { FirstPull } from '#shared/FirstPull.tsx';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { announce } from '#ui/announce.tsx';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { focusPage } from '#ui/pass-focus.ts';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { useNow } from '#ui/use-now.ts';
import { NotificationRow } from './NotificationRow.tsx';
import { useNotifications, type NotificationView } from './use-notifications.ts';

/** Earlier notifications that are rendered at first, and added by each Show more. */
const BATCH_SIZE = 30;

/** The user's notifications, new ones first. Read from this device, so that they are the same offline. */
export function NotificationsPage() {
  usePageTitle('Notifications');
  const { engine } = useAccount();
  const now = useNow();
  const notifications = useNotifications();
  const [maxEarlier, setMaxEarlier] = useState(BATCH_SIZE);
  if (notifications === undefined) return null;
  const { items, isRead } = notifications;
  const unseen = items.filter(({ isNew }) => isNew);
  const earlier = items.filter(({ isNew }) => !isNew);
  const markSeen = (seen: readonly NotificationView[]) => {
    const fresh = seen.filter(({ isNew }) => isNew).map(({ news }) => news);
    if (fresh.length > 0) void toastOnError(engine.markSeen(fresh));
  };
  const rows = (list: readonly NotificationView[]) => (
    <ul>
      {list.map((item) => (
        <NotificationRow key={item.news.id} item={item} now={now} onSeen={() => markSeen([item])} />
      ))}
    </ul>
  );
  if (items.length === 0 && !isRead) return <FirstPull label="Loading notifications" />;
  if (items.length === 0) {
    return (
      <ErrorPage
        icon={Bell}
        title="Nothing new"
        text="Requests, replies, messages, feedback and who saved your profile will appear here."
      />
    );
  }
  return (
    <div className="mx-auto grid max-w-[672px] grid-cols-1 gap-3 px-3 pt-1 pb-6 md:pt-6">
      <h1 className="sr-only">Notifications</h1>
      {unseen.length > 0 && (
        <Card
          title="New"
          count={unseen.length}
          action={
            <Button
              look="plain"
              className="text-sm text-primary"
              onClick={() => {
                markSeen(unseen);
                announce('All marked as read');
                focusPage();
              }}
            >
              Mark all read
            </Button>
          }
        >
          {rows(unseen)}
        </Card>
      )}
      {earlier.length > 0 && (
        <Card title="Earlier">
          {rows(earlier.slice(0, maxEarlier))}
          {earlier.length > maxEarlier && (
            <Button look="plain" className="mt-1 w-full" onClick={() => setMaxEarlier(maxEarlier + BATCH_SIZE)}>
              Show {Math.min(BATCH_SIZE, earlier.length - maxEarlier)} more
            </Button>
          )}
        </Card>
      )}
    </div>
  );
}
