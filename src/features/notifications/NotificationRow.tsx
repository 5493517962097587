import { Check, Eye, EyeOff, MessageCircle } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from 'react-router-dom';
import { agoText } from '#lib/dates.ts';
import { getPagePath } from '#shared/people/PersonLine.tsx';
import { usePeopleActions } from '#shared/people/use-people-actions.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Button, ButtonLink } from '#ui/Button.tsx';
import { StatePill } from '#ui/StatePill.tsx';
import type { NotificationView } from './use-notifications.ts';

/** What they did, after their name. */
function toActionText({ news: { type, actor, data }, connection: tie }: NotificationView): string {
  const quote = data.text === undefined ? '' : `: “${data.text}”`;
  switch (type) {
    case 'connection.requested':
      return `${actor.title ? `, ${actor.title},` : ''} ${tie?.value === 'connected' ? 'asked' : 'wants'} to connect`;
    case 'connection.accepted':
      return ' accepted your request';
    case 'message.received':
      return ` wrote to you${quote}`;
    case 'feedback.received':
      return ` left you feedback${quote}`;
    case 'profile.saved':
      return ' saved your profile';
  }
}

interface RowProps {
  item: NotificationView;
  now: number;
  onSeen: () => void;
}

/** One sentence, when it was, and what can be done about it. */
export function NotificationRow({ item, now, onSeen }: RowProps) {
  const { news, isNew } = item;
  const { actor } = news;
  const page = getPagePath(actor);
  const face = <Avatar name={actor.name} src={actor.profile_photo} size="size-11" decorative />;
  return (
    <li className="flex items-start gap-3 border-t border-base-300 py-3 first:border-t-0">
      {page === null ? (
        face
      ) : (
        <Link to={page} onClick={onSeen} aria-label={`${actor.name}’s profile`} className="shrink-0 rounded-full">
          {face}
        </Link>
      )}
      <div className="min-w-0 grow">
        <p className="text-[0.9688rem] leading-snug break-words">
          <b className="font-semibold">{actor.name}</b>
          {toActionText(item)}
          {isNew && <span className="sr-only">, new</span>}
        </p>
        <p className="mt-0.5 text-sm text-muted">{agoText(Date.parse(news.created_at), now)}</p>
        <Actions item={item} onSeen={onSeen} />
      </div>
      {isNew && <span className="mt-1.5 size-2.5 shrink-0 rounded-full bg-accent" aria-hidden />}
    </li>
  );
}

const ActionBar = ({ children }: { children: ReactNode }) => (
  <div className="mt-2 flex flex-wrap items-center gap-2">{children}</div>
);

function Actions({ item, onSeen }: Omit<RowProps, 'now'>) {
  const { news, connection: tie } = item;
  switch (news.type) {
    case 'connection.requested':
      return <AnswerRequest item={item} onSeen={onSeen} />;
    case 'feedback.received':
      return <FeedbackVisibility item={item} onSeen={onSeen} />;
    case 'connection.accepted':
    case 'message.received': {
      const to = news.data.conversation_id ?? tie?.conversationId;
      if (to == null || tie?.value !== 'connected') return null;
      const isWritten = news.type === 'message.received';
      return (
        <ActionBar>
          <ButtonLink
            look="tonal"
            icon={MessageCircle}
            to={`/messages/${to}`}
            onClick={onSeen}
            aria-label={isWritten ? `Open the conversation with ${news.actor.name}` : `Message ${news.actor.name}`}
          >
            {isWritten ? 'Open' : 'Message'}
          </ButtonLink>
        </ActionBar>
      );
    }
    case 'profile.saved':
      return null;
  }
}

/** A request, for as long as it waits for an answer. */
function AnswerRequest({ item: { news, connection: tie }, onSeen }: Omit<RowProps, 'now'>) {
  const acts = usePeopleActions();
  const { user_id: userId, name } = news.actor;
  if (tie === undefined) return null;
  const { connectionId } = tie;
  if (tie.value === 'asked' && connectionId !== null) {
    const answer = (act: typeof acts.accept | typeof acts.decline) => () => {
      act({ userId, name }, connectionId);
      onSeen();
    };
    return (
      <ActionBar>
        <Button icon={Check} onClick={answer(acts.accept)} aria-label={`Accept ${name}`}>
          Accept
        </Button>
        <Button look="line" onClick={answer(acts.decline)} aria-label={`Not now, ${name}`}>
          Not now
        </Button>
      </ActionBar>
    );
  }
  if (tie.value !== 'connected') return null;
  return (
    <ActionBar>
      <span className="text-sm text-muted">
        {tie.syncState === 'saved' ? 'You’re connected' : 'You’ll be connected when this is sent'}
      </span>
      <StatePill state={tie.syncState} />
    </ActionBar>
  );
}

/** Whether readers of the page see these words. */
function FeedbackVisibility({ item: { news, isHidden }, onSeen }: Omit<RowProps, 'now'>) {
  const { engine } = useAccount();
  const id = news.data.feedback_id;
  if (id === undefined || isHidden === null) return null;
  const set = (hidden: boolean) => () => {
    void toastOnError(engine.update('feedback', id, { is_hidden: hidden }));
    onSeen();
  };
  const whose = `feedback from ${news.actor.name}`;
  return (
    <ActionBar>
      {isHidden ? (
        <Button look="tonal" icon={Eye} onClick={set(false)} aria-label={`Show ${whose} on your profile`}>
          Show on profile
        </Button>
      ) : (
        <Button look="line" icon={EyeOff} onClick={set(true)} aria-label={`Hide ${whose}`}>
          Hide
        </Button>
      )}
    </ActionBar>
  );
}
