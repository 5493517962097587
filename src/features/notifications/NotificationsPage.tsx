import { Bell } from 'lucide-react';
import { useState } from 'react';
import { FirstPull } from '#shared/FirstPull.tsx';
import { useAccount } from '#session/session.tsx';
import { tellTrouble } from '#shared/trouble.ts';
import { announce } from '#ui/announce.tsx';
import { Button } from '#ui/Button.tsx';
import { Card } from '#ui/Card.tsx';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { useNow } from '#ui/use-now.ts';
import { NewsRow } from './NewsRow.tsx';
import { useNews, type News } from './use-news.ts';

const AT_ONCE = 30;

/** What others did: what was not seen yet, and what was. Read from this device, so it is the same without signal. */
export function NotificationsPage() {
  usePageTitle('Notifications');
  const { engine } = useAccount();
  const now = useNow();
  const found = useNews();
  const [most, setMost] = useState(AT_ONCE);
  if (found === undefined) return null;
  const { items, isRead } = found;
  const fresh = items.filter(({ isNew }) => isNew);
  const earlier = items.filter(({ isNew }) => !isNew);
  const see = (seen: readonly News[]) => {
    const ids = seen.filter(({ isNew }) => isNew).map(({ news }) => news.id);
    if (ids.length > 0) void tellTrouble(engine.markSeen(ids));
  };
  const rows = (list: readonly News[]) => (
    <ul>
      {list.map((item) => (
        <NewsRow key={item.news.id} item={item} now={now} onSeen={() => see([item])} />
      ))}
    </ul>
  );
  if (items.length === 0 && !isRead) return <FirstPull label="Loading notifications" />;
  if (items.length === 0) {
    return (
      <div className="px-3">
        <ErrorPage
          icon={Bell}
          title="Nothing new"
          text="Requests, replies, messages, feedback and who saved your profile will appear here."
        />
      </div>
    );
  }
  return (
    <div className="mx-auto grid max-w-[672px] grid-cols-1 gap-3 px-3 pt-1 pb-6 md:pt-6">
      <h1 className="sr-only">Notifications</h1>
      {fresh.length > 0 && (
        <Card
          title="New"
          count={fresh.length}
          action={
            <Button
              look="plain"
              className="text-sm text-primary"
              onClick={() => {
                see(fresh);
                announce('All marked as read');
                // The button goes with its card, and must not take the focus along.
                document.getElementById('main')?.focus();
              }}
            >
              Mark all read
            </Button>
          }
        >
          {rows(fresh)}
        </Card>
      )}
      {earlier.length > 0 && (
        <Card title="Earlier">
          {rows(earlier.slice(0, most))}
          {earlier.length > most && (
            <Button look="plain" className="mt-1 w-full" onClick={() => setMost(most + AT_ONCE)}>
              Show {Math.min(AT_ONCE, earlier.length - most)} more
            </Button>
          )}
        </Card>
      )}
    </div>
  );
}
