import { Check, Eye, EyeOff, MessageCircle } from 'lucide-react';
import type { MouseEvent, ReactNode } from 'react';
import { Link } from '#ui/router.tsx';
import { agoText } from '#lib/dates.ts';
import { getPagePath } from '#shared/people/PersonLine.tsx';
import { usePeopleActions } from '#shared/people/use-people-actions.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Button, ButtonLink } from '#ui/Button.tsx';
import { findNextRow, focusRow } from '#ui/pass-focus.ts';
import { StatePill } from '#ui/StatePill.tsx';
import type { NotificationView } from './use-notifications.ts';

/** Returns what the person did, as the rest of a sentence that begins with their name. */
function toActionText({ news: { type, actor, data }, connection }: NotificationView): string {
  const quote = data.text === undefined ? '' : `: “${data.text}”`;
  const about = data.text === undefined ? '' : `: ${data.text}`;
  switch (type) {
    case 'connection.requested':
      return `${actor.title ? `, ${actor.title},` : ''} ${connection?.value === 'connected' ? 'asked' : 'wants'} to connect`;
    case 'connection.accepted':
      return ' accepted your request';
    case 'message.received':
      return ` wrote to you${quote}`;
    case 'feedback.received':
      return ` left you feedback${quote}`;
    case 'profile.saved':
      return ' saved your profile';
    case 'audition.requested':
      return ` asks you to audition${about}`;
    case 'audition.changed':
      return ` changed an audition${about}`;
    case 'audition.reminder':
      return ` needs your tape soon${about}`;
    case 'audition.withdrawn':
      return ` withdrew an audition${about}`;
    case 'audition.answered':
      return ` answered your audition${about}`;
    case 'audition.watched':
      return ` watched your tape${about}`;
    case 'audition.confirmed':
      return ` will audition${about}`;
    case 'audition.declined':
      return ` declined to audition${about}`;
    case 'casting.tape_arrived':
      return ` sent a tape${about}`;
    case 'casting.question':
      return ` has a question${quote}`;
    case 'project.invited':
      return ` invites you to a project${about}`;
    case 'project.removed':
      return ` removed you from a project${about}`;
  }
}

interface RowProps {
  item: NotificationView;
  now: number;
  onSeen: () => void;
}

/** A notification: who did what, when, and the actions it offers. */
export function NotificationRow({ item, now, onSeen }: RowProps) {
  const { news: notification, isNew } = item;
  const { actor } = notification;
  const page = getPagePath(actor);
  const avatar = <Avatar name={actor.name} src={actor.profile_photo} size="size-11" decorative />;
  return (
    <li className="flex items-start gap-3 border-t border-base-300 py-3 first:border-t-0">
      {page === null ? (
        avatar
      ) : (
        <Link to={page} onClick={onSeen} aria-label={`${actor.name}’s profile`} className="shrink-0 rounded-full">
          {avatar}
        </Link>
      )}
      <div className="min-w-0 grow">
        <p className="text-[0.9688rem] leading-snug break-words">
          <b className="font-semibold">{actor.name}</b>
          {toActionText(item)}
          {isNew && <span className="sr-only">, new</span>}
        </p>
        <p className="mt-0.5 text-sm text-muted">{agoText(Date.parse(notification.created_at), now)}</p>
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
  const { news: notification, connection, hasConversation } = item;
  switch (notification.type) {
    case 'connection.requested':
      return <AnswerRequest item={item} onSeen={onSeen} />;
    case 'feedback.received':
      return <FeedbackVisibility item={item} onSeen={onSeen} />;
    case 'connection.accepted':
    case 'message.received': {
      const conversationId = notification.data.conversation_id ?? connection?.conversationId;
      const isMessage = notification.type === 'message.received';
      // Those who write to each other about an audition need not be connected.
      const isOpen = connection?.value === 'connected' || (isMessage && hasConversation);
      if (conversationId == null || !isOpen) return null;
      return (
        <ActionBar>
          <ButtonLink
            look="tonal"
            icon={MessageCircle}
            to={`/messages/${conversationId}`}
            onClick={onSeen}
            aria-label={
              isMessage ? `Open the conversation with ${notification.actor.name}` : `Message ${notification.actor.name}`
            }
          >
            {isMessage ? 'Open' : 'Message'}
          </ButtonLink>
        </ActionBar>
      );
    }
    case 'audition.requested':
    case 'audition.changed':
    case 'audition.reminder':
    case 'audition.withdrawn':
    case 'audition.answered':
    case 'audition.watched':
      return <OpenLink to={`/auditions/${notification.data.audition_id}`} item={item} onSeen={onSeen} />;
    case 'audition.confirmed':
    case 'audition.declined':
    case 'casting.tape_arrived':
      return <OpenLink to={`/casting/roles/${notification.data.role_id}`} item={item} onSeen={onSeen} />;
    case 'casting.question':
      return <OpenLink to={`/messages/${notification.data.conversation_id}`} item={item} onSeen={onSeen} />;
    case 'project.invited':
      return <OpenLink to="/casting" item={item} onSeen={onSeen} />;
    case 'project.removed':
    case 'profile.saved':
      return null;
  }
}

/** Leads to what a notification is about. */
function OpenLink({ to, item: { news }, onSeen }: Omit<RowProps, 'now'> & { to: string }) {
  return (
    <ActionBar>
      <ButtonLink look="tonal" to={to} onClick={onSeen} aria-label={`Open ${news.data.text ?? 'the audition'}`}>
        Open
      </ButtonLink>
    </ActionBar>
  );
}

/** The buttons that answer a request to connect, or the state of the connection after an answer. */
function AnswerRequest({ item: { news: notification, connection, isNew }, onSeen }: Omit<RowProps, 'now'>) {
  const actions = usePeopleActions();
  const { user_id: userId, name } = notification.actor;
  if (connection === undefined) return null;
  const { connectionId } = connection;
  if (connection.value === 'asked' && connectionId !== null) {
    const answer = (action: typeof actions.accept | typeof actions.decline) => (event: MouseEvent) => {
      // A new one moves to the earlier ones.
      if (isNew) findNextRow(event.currentTarget)();
      else focusRow(event.currentTarget);
      action({ userId, name }, connectionId);
      onSeen();
    };
    return (
      <ActionBar>
        <Button icon={Check} onClick={answer(actions.accept)} aria-label={`Accept ${name}`}>
          Accept
        </Button>
        <Button look="line" onClick={answer(actions.decline)} aria-label={`Not now, ${name}`}>
          Not now
        </Button>
      </ActionBar>
    );
  }
  if (connection.value !== 'connected') return null;
  return (
    <ActionBar>
      <span className="text-sm text-muted">
        {connection.syncState === 'saved' ? 'You’re connected' : 'You’ll be connected when this is sent'}
      </span>
      <StatePill state={connection.syncState} />
    </ActionBar>
  );
}

/** The button that shows or hides feedback on the profile. */
function FeedbackVisibility({ item: { news: notification, isHidden, isNew }, onSeen }: Omit<RowProps, 'now'>) {
  const { engine } = useAccount();
  const id = notification.data.feedback_id;
  if (id === undefined || isHidden === null) return null;
  const set = (hidden: boolean) => (event: MouseEvent) => {
    // The row moves to the earlier ones.
    if (isNew) findNextRow(event.currentTarget)();
    void toastOnError(engine.update('feedback', id, { is_hidden: hidden }));
    onSeen();
  };
  const subject = `feedback from ${notification.actor.name}`;
  return (
    <ActionBar>
      {isHidden ? (
        <Button look="tonal" icon={Eye} onClick={set(false)} aria-label={`Show ${subject} on your profile`}>
          Show on profile
        </Button>
      ) : (
        <Button look="line" icon={EyeOff} onClick={set(true)} aria-label={`Hide ${subject}`}>
          Hide
        </Button>
      )}
    </ActionBar>
  );
}
