import { MessageCircle, Star } from 'lucide-react';
import { useState } from 'react';
import { useParams } from '#ui/router.tsx';
import { type ConversationView, conversationViews } from '#db/conversations.ts';
import { readNetwork, type ConnectionView } from '#db/network.ts';
import { listUnplacedQuestions, type UnplacedQuestion } from '#db/questions.ts';
import { FirstPull } from '#shared/FirstPull.tsx';
import { useQuery } from '#shared/queries/use-query.ts';
import { ButtonLink } from '#ui/Button.tsx';
import { Chips } from '#ui/Chips.tsx';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { ConversationList } from './ConversationList.tsx';
import { MessageRequests } from './MessageRequests.tsx';
import { ThreadPane } from './ThreadPane.tsx';
import { UnplacedQuestions } from './UnplacedQuestions.tsx';

type Tab = 'all' | 'unread' | 'starred' | 'requests';

const IN_TAB: Record<Exclude<Tab, 'requests'>, (view: ConversationView) => boolean> = {
  all: () => true,
  unread: ({ unread }) => unread > 0,
  starred: ({ toggles }) => toggles.starred.value === true,
};

const isPinned = ({ toggles }: ConversationView) => toggles.pinned.value === true;

const EMPTY: Record<Tab, string> = {
  all: 'No conversations yet. Connect with someone to start one.',
  unread: 'You’ve read everything.',
  starred: 'Star a conversation to keep it here.',
  requests: 'No message requests.',
};

interface ConversationsProps {
  views: readonly ConversationView[];
  /** People whose request to connect waits for an answer. */
  requests: readonly ConnectionView[];
  /** Questions that wait for a conversation. */
  unplaced: readonly UnplacedQuestion[];
  current?: string | undefined;
}

function Conversations({ views, requests, unplaced, current }: ConversationsProps) {
  const [tab, setTab] = useState<Tab>('all');
  const inTab = tab === 'requests' ? [] : views.filter(IN_TAB[tab]);
  const shown = [...inTab.filter(isPinned), ...inTab.filter((view) => !isPinned(view))];
  // The basic API has no stars, so the tab is hidden.
  const hasStars = views.every(({ toggles }) => toggles.starred.value !== null);
  const options: { value: Tab; label: string; count?: number }[] = [
    { value: 'all', label: 'All' },
    { value: 'unread', label: 'Unread', count: views.filter(IN_TAB.unread).length },
    ...(hasStars ? [{ value: 'starred' as const, label: 'Starred', count: views.filter(IN_TAB.starred).length }] : []),
    { value: 'requests', label: 'Message Requests', count: requests.length },
  ];
  return (
    <>
      <h1 className="px-4 py-2 text-xl font-bold max-md:sr-only">Messages</h1>
      <div className="px-4 pb-2">
        <Chips label="Which conversations" options={options} value={tab} onChange={setTab} />
      </div>
      <div className="max-md:notice max-md:mx-3 max-md:py-2 min-h-0 md:overflow-y-auto">
        {tab === 'all' && <UnplacedQuestions questions={unplaced} />}
        {shown.length > 0 && <ConversationList views={shown} current={current} />}
        {tab === 'requests' && <MessageRequests connections={requests} />}
        {shown.length === 0 &&
          !(tab === 'requests' && requests.length > 0) &&
          !(tab === 'all' && unplaced.length > 0) && <p className="px-4 py-6 text-sm text-muted">{EMPTY[tab]}</p>}
      </div>
    </>
  );
}

/** The list of conversations beside the open one. A phone shows one of them at a time. */
export function MessagesPage() {
  const { conversationId } = useParams();
  const views = useQuery(conversationViews, []);
  const unplaced = useQuery(listUnplacedQuestions, []);
  const network = useQuery(readNetwork, []);
  const connections = network?.connections;
  const requests = connections?.filter(({ value }) => value === 'asked') ?? [];
  const view = views?.find(({ id }) => id === conversationId);
  const [blockedId, setBlockedId] = useState<string>();
  usePageTitle(view ? view.other.name : 'Messages');
  if (!views || !connections || !unplaced) return null;
  const isMissing = views.length === 0 || (conversationId !== undefined && !view);
  if (isMissing && !network.isRead)
    return <FirstPull label="Loading messages" className="mx-auto w-full max-w-[1216px] px-3 pt-1 md:p-6" />;
  if (views.length === 0 && requests.length === 0 && unplaced.length === 0 && !conversationId) {
    return (
      <ErrorPage
        icon={MessageCircle}
        title="No conversations yet"
        text="Accept a request or send one to start talking."
        action={<ButtonLink to="/connections">Find people</ButtonLink>}
      />
    );
  }
  return (
    <div className="flex min-h-0 w-full grow flex-col md:mx-auto md:grid md:max-w-[1216px] md:grid-cols-[360px_minmax(0,1fr)] md:grid-rows-[minmax(0,1fr)] md:gap-6 md:px-6 md:py-6">
      <aside
        aria-label="Conversations"
        className={`md:notice flex min-h-0 flex-col md:py-2 ${conversationId ? 'max-md:hidden' : ''}`}
      >
        <Conversations views={views} requests={requests} unplaced={unplaced} current={conversationId} />
      </aside>
      {view && (
        <ThreadPane
          key={view.id}
          view={view}
          connection={connections.find(({ userId }) => userId === view.other.user_id)}
          onBlocked={() => setBlockedId(view.id)}
        />
      )}
      {!view && conversationId && (
        <ErrorPage
          icon={MessageCircle}
          title="This conversation is closed"
          text={
            blockedId === conversationId
              ? 'You blocked this person. You can undo this in Settings.'
              : 'You are no longer connected, or it is not on this device yet.'
          }
          action={<ButtonLink to="/messages">All messages</ButtonLink>}
        />
      )}
      {!conversationId && (
        <div className="hidden place-content-center justify-items-center gap-2 text-muted md:notice md:grid">
          <Star className="ic size-6" aria-hidden />
          <p>Choose a conversation</p>
        </div>
      )}
    </div>
  );
}
