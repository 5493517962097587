import { ArrowDown, ArrowLeft, Pin, PinOff, Search, Star, UserRound, ArrowUpToLine } from 'lucide-react';
import { useEffect, useState } from 'react';
import { useNavigate } from '#ui/router.tsx';
import type { ConversationView } from '#db/conversations.ts';
import type { ConnectionView } from '#db/network.ts';
import type { ConnectionStatus } from '#db/saved-and-connected.ts';
import { joinConversation } from '#session/live.ts';
import { getPagePath } from '#shared/people/PersonLine.tsx';
import { PersonMenu } from '#shared/people/PersonMenu.tsx';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Button, IconButton } from '#ui/Button.tsx';
import { Dots } from '#ui/Dots.tsx';
import { Menu, type MenuItem } from '#ui/Menu.tsx';
import { toast } from '#ui/Toast.tsx';
import { useNow } from '#ui/use-now.ts';
import { whenPainted } from '#ui/when-painted.ts';
import { AuditionBar, ClosedNote, isClosed } from './AuditionBar.tsx';
import { Composer } from './Composer.tsx';
import { SearchBar } from './SearchBar.tsx';
import { ThreadLog } from './ThreadLog.tsx';
import { usePolling } from './use-polling.ts';
import { useThread, type Thread } from './use-thread.ts';

function usePageVisible(): boolean {
  const [isVisible, setIsVisible] = useState(() => document.visibilityState === 'visible');
  useEffect(() => {
    const update = () => setIsVisible(document.visibilityState === 'visible');
    document.addEventListener('visibilitychange', update);
    return () => document.removeEventListener('visibilitychange', update);
  }, []);
  return isVisible;
}

/** Marks the newest message as read when the end of the list is visible, and polls for new messages. */
function useMarkRead(view: ConversationView, thread: Thread): void {
  const { engine } = useAccount();
  const isVisible = usePageVisible();
  const newest = thread.isReady && thread.isAtEnd && thread.isAtBottom && isVisible ? (thread.newest ?? 0) : 0;
  usePolling(view.id, isVisible);
  useEffect(() => {
    if (newest <= 0) return;
    // A failure is harmless: the next message or visit marks it again.
    return whenPainted(() => void engine.markRead(view.id, newest).catch(console.warn));
  }, [engine, view.id, newest]);
}

const NO_CONNECTION: ConnectionStatus = {
  value: 'none',
  syncState: 'saved',
  connectionId: null,
  conversationId: null,
};

interface ThreadProps {
  view: ConversationView;
  /** The connection to the other person; undefined if this device does not know it. */
  connection: ConnectionView | undefined;
  /** Called when the user has blocked the other person. */
  onBlocked: () => void;
}

function ThreadHead({
  view,
  connection,
  onBlocked,
  onSearch,
  onGoToFirst,
}: ThreadProps & { onSearch: () => void; onGoToFirst: () => void }) {
  const { engine } = useAccount();
  const navigate = useNavigate();
  const { name, title, profile_photo: photo } = view.other;
  const page = connection ? getPagePath(connection) : null;
  // Somebody who writes about an audition need not be connected, and can be blocked and reported all the same.
  const status: ConnectionStatus | undefined = connection ?? (view.isConnected ? undefined : NO_CONNECTION);
  const { value: isStarred } = view.toggles.starred;
  const { value: isPinned } = view.toggles.pinned;
  const toggleStar = () =>
    void toastOnError(engine.setConversationToggle('starred', { id: view.id, name }, !isStarred));
  const items: MenuItem[] = [
    { label: 'Search in conversation', icon: Search, onSelect: onSearch },
    { label: 'Go to the first message', icon: ArrowUpToLine, onSelect: onGoToFirst },
  ];
  if (isPinned !== null) {
    const togglePin = () => void toastOnError(engine.setConversationToggle('pinned', { id: view.id, name }, !isPinned));
    items.push(
      isPinned
        ? { label: 'Unpin', icon: PinOff, onSelect: togglePin }
        : { label: 'Pin to top', icon: Pin, onSelect: togglePin },
    );
  }
  if (page) items.unshift({ label: 'View profile', icon: UserRound, to: page });
  return (
    <header className="flex min-h-[60px] items-center gap-2 border-b border-base-300 bg-base-100 px-1 md:px-4">
      <IconButton
        label="Back to messages"
        icon={ArrowLeft}
        className="md:hidden"
        onClick={() => navigate('/messages')}
      />
      <Avatar name={name} src={photo} size="size-10" decorative />
      <div className="min-w-0 grow leading-tight">
        <h1 className="truncate text-base font-semibold">{name}</h1>
        {title && <div className="truncate text-xs text-muted">{title}</div>}
      </div>
      {isStarred !== null && (
        <IconButton
          label={isStarred ? `Remove star from ${name}` : `Star ${name}`}
          icon={Star}
          aria-pressed={isStarred}
          className={isStarred ? 'text-accent [&>svg]:fill-current' : ''}
          onClick={toggleStar}
        />
      )}
      {status ? (
        <PersonMenu
          person={{ userId: view.other.user_id, name }}
          connection={status}
          triggerClass="tap -ml-2"
          before={items}
          onBlocked={onBlocked}
        />
      ) : (
        <Menu label={`More for ${name}`} triggerClass="tap -ml-2" trigger={<Dots />} items={items} />
      )}
    </header>
  );
}

/** One conversation: its header, messages and message field. */
export function ThreadPane({ view, connection, onBlocked }: ThreadProps) {
  const thread = useThread(view);
  const [isSearching, setIsSearching] = useState(false);
  const [found, setFound] = useState<number | null>(null);
  const [readBefore] = useState(() => (view.unread > 0 ? view.read : Infinity));
  useMarkRead(view, thread);
  useEffect(() => {
    let leave: (() => void) | undefined;
    const cancel = whenPainted(() => (leave = joinConversation(view.id)));
    return () => {
      cancel();
      leave?.();
    };
  }, [view.id]);

  const goTo = async (seq: number) => {
    if (!(await thread.jumpTo(seq))) toast({ text: 'That part is not on this device. Go online to see it.' });
  };
  const now = useNow();
  const unseen = thread.isAtBottom ? 0 : view.unread;
  return (
    <section
      aria-label={`Conversation with ${view.other.name}`}
      className="relative flex min-h-0 grow flex-col md:notice md:overflow-hidden md:p-0"
    >
      <ThreadHead
        view={view}
        connection={connection}
        onBlocked={onBlocked}
        onSearch={() => setIsSearching(true)}
        onGoToFirst={() => void goTo(1)}
      />
      <AuditionBar view={view} />
      {isSearching && (
        <SearchBar
          conversationId={view.id}
          onFound={(seq) => {
            setFound(seq);
            if (seq !== null) void goTo(seq);
          }}
          onClose={() => {
            setIsSearching(false);
            setFound(null);
          }}
        />
      )}
      <ThreadLog view={view} thread={thread} readBefore={readBefore} found={found} />
      {thread.isReady && !thread.isAtBottom && (
        <div className="pointer-events-none absolute inset-x-0 bottom-20 grid justify-items-center">
          <Button
            look="tonal"
            icon={ArrowDown}
            className="pointer-events-auto rounded-full shadow-md"
            onClick={() => void thread.jumpToNewest()}
          >
            {unseen > 0 ? `${unseen} new` : 'Newest'}
          </Button>
        </div>
      )}
      {isClosed(view, now) ? (
        <ClosedNote view={view} />
      ) : (
        <Composer view={view} onSent={() => void thread.jumpToNewest()} />
      )}
    </section>
  );
}
