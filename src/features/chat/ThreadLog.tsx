import { CloudOff } from 'lucide-react';
import { memo, useState, type KeyboardEvent } from 'react';
import type { Message } from '#contract/records/chat.ts';
import { scamSignOf } from '#contract/scam-words.ts';
import { LOCAL } from '#db/canonical.ts';
import type { ConversationView, PendingMessage } from '#db/messages.ts';
import { clockText } from '#lib/dates.ts';
import { count } from '#lib/text.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { Button } from '#ui/Button.tsx';
import { useNow } from '#ui/use-now.ts';
import { Bubble, BubbleRow } from './Bubble.tsx';
import { formatDay, isSameDay } from './days.ts';
import { getDeliveryStatus, DeliveryMark } from './delivery-status.tsx';
import { MessageActions, RefusedActions } from './MessageActions.tsx';
import { PendingPhoto, Photo } from './Photo.tsx';
import { getRefusalText } from './refusal-text.ts';
import { ScamWarning } from './ScamWarning.tsx';
import type { Thread } from './use-thread.ts';

/** The name a message keeps from before it was confirmed. */
const keyOf = ({ client_id, id }: Message) => (client_id === null ? id : LOCAL + client_id);

interface ThreadLogProps {
  view: ConversationView;
  thread: Thread;
  /** The last number that had been read when the conversation was opened. */
  readBefore: number;
  /** The message a search has found. */
  found: number | null;
}

function Line({ children, tone = 'text-muted' }: { children: React.ReactNode; tone?: string }) {
  return (
    <div className={`my-4 flex items-center gap-3 text-xs font-semibold ${tone}`}>
      <i className="h-px grow bg-base-300" />
      {children}
      <i className="h-px grow bg-base-300" />
    </div>
  );
}

interface MessageRowProps {
  id: string;
  message: Message;
  before: Message | undefined;
  after: Message | undefined;
  isOwn: boolean;
  /** Of the other one. */
  name: string;
  isDelivered: boolean;
  isRead: boolean;
  isTheirFirst: boolean;
  /** The first that had not been read. */
  isNew: boolean;
  isPicked: boolean;
  isFound: boolean;
  /** Some moment of it, milliseconds. */
  today: number;
  onPick: (next: (now: string | null) => string | null) => void;
}

/** Messages further apart than this are told their own time, milliseconds. */
const APART_MS = 300_000;

/** One message with the line above it and what stands below. Drawn anew only when something of it changed: there are many. */
const MessageRow = memo(function MessageRow({ message, before, after, isOwn, name, ...props }: MessageRowProps) {
  const { id, isPicked, isFound, onPick } = props;
  const at = Date.parse(message.created_at);
  const isNewDay = before ? !isSameDay(before.created_at, message.created_at) : message.seq === 1;
  const isFirst = isNewDay || before?.sender_id !== message.sender_id;
  const isLast =
    after?.sender_id !== message.sender_id ||
    Date.parse(after.created_at) - at > APART_MS ||
    !isSameDay(after.created_at, message.created_at);
  const by = isOwn ? 'You' : name;
  const sign = props.isTheirFirst ? scamSignOf(message.message) : null;
  return (
    <>
      {isNewDay && (
        <div className="mt-4 mb-1 text-center text-xs font-semibold text-muted first:mt-0">
          {formatDay(message.created_at, props.today)}
        </div>
      )}
      {props.isNew && !isOwn && <Line tone="text-phone">New</Line>}
      <BubbleRow look={isOwn ? 'out' : 'in'} id={id} seq={message.seq} isFirst={isFirst}>
        {message.media && <Photo id={id} photo={message.media} by={by} />}
        {message.message !== '' && (
          <div
            className={`flex w-full flex-col ${isOwn ? 'items-end' : 'items-start'}`}
            onClick={() => getSelection()?.isCollapsed && onPick((now) => (now === id ? null : id))}
          >
            <Bubble text={message.message} look={isOwn ? 'out' : 'in'} by={by} isFound={isFound || isPicked} />
          </div>
        )}
        {sign && <ScamWarning sign={sign} />}
        {isPicked && message.message !== '' && <MessageActions text={message.message} />}
        {(isLast || isPicked) && (
          <div className="num mt-1 flex items-center gap-1 text-xs text-muted">
            <time dateTime={message.created_at}>{clockText(at)}</time>
            {isOwn && <DeliveryMark mark={getDeliveryStatus('saved', props)} />}
          </div>
        )}
      </BubbleRow>
    </>
  );
});

/** The messages of a conversation that are drawn now, those that wait for signal below them. */
export function ThreadLog({ view, thread, readBefore, found }: ThreadLogProps) {
  const { user } = useAccount();
  const now = useNow();
  // The same number all day: no row is drawn anew for a minute that passed.
  const today = new Date(now).setHours(12, 0, 0, 0);
  const [picked, setPicked] = useState<string | null>(null);
  const { list, messages = [], pending = [], isAtEnd = true, isCut = false } = thread;
  const first = messages[0];
  // Warned of is only what somebody begins with.
  const theirFirst = first?.seq === 1 ? messages.find(({ sender_id }) => sender_id !== user.id) : undefined;

  /** Arrows go from message to message, Enter opens what can be done with one. */
  const handleKey = (event: KeyboardEvent) => {
    if (event.target !== list.current || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    if (!event.altKey && picked === null && event.key === 'ArrowDown') return;
    event.preventDefault();
    const keys = messages.map(keyOf);
    const at = picked === null ? keys.length : keys.indexOf(picked);
    const next = keys[Math.max(0, at + (event.key === 'ArrowUp' ? -1 : 1))] ?? null;
    setPicked(next);
    if (next) list.current?.querySelector(`[data-key="${CSS.escape(next)}"]`)?.scrollIntoView({ block: 'nearest' });
  };

  return (
    <div
      ref={list}
      role="log"
      aria-label={`Messages with ${view.other.name}`}
      aria-live="off"
      tabIndex={0}
      className="relative min-h-0 grow overflow-x-hidden overflow-y-auto overscroll-contain bg-base-200 px-4 [overflow-anchor:none] md:bg-base-200/60 md:px-6"
      onKeyDown={handleKey}
    >
      <div className="flex min-h-full flex-col justify-end py-3">
        {isCut && <CutHere onRetry={thread.retry} />}
        {thread.isReady && first === undefined && pending.length === 0 && (
          <p className="py-8 text-center text-sm text-muted">
            You’re connected. Say hello to {view.other.name.split(' ')[0]}.
          </p>
        )}
        {messages.map((message, index) => {
          const key = keyOf(message);
          return (
            <MessageRow
              key={key}
              id={key}
              message={message}
              before={messages[index - 1]}
              after={messages[index + 1]}
              isOwn={message.sender_id === user.id}
              name={view.other.name}
              isDelivered={(view.otherHas ?? 0) >= message.seq}
              isRead={(view.otherRead ?? 0) >= message.seq}
              isTheirFirst={message === theirFirst}
              isNew={message.seq === readBefore + 1}
              isPicked={picked === key}
              isFound={message.seq === found}
              today={today}
              onPick={setPicked}
            />
          );
        })}
        {isAtEnd && <Pending pending={pending} />}
      </div>
    </div>
  );
}

function CutHere({ onRetry }: { onRetry: () => void }) {
  return (
    <div className="flex flex-wrap items-center justify-center gap-x-3 pb-4 text-sm text-muted">
      <CloudOff className="ic" aria-hidden />
      <span>Earlier messages are not on this device yet.</span>
      <Button look="plain" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

/** What only this device has, after everything that is confirmed, in the order it was written. */
function Pending({ pending }: { pending: readonly PendingMessage[] }) {
  const { engine } = useAccount();
  const isOnline = useOnline();
  const waiting = pending.filter(({ state }) => state === 'phone');
  return (
    <>
      {waiting.length > 0 && !isOnline && (
        <Line tone="text-phone">
          <CloudOff className="ic size-4" aria-hidden />
          Waiting for signal, kept in this order
        </Line>
      )}
      {pending.map((message, index) => {
        const mark = getDeliveryStatus(message.state, { isDelivered: false, isRead: false });
        const isLast = index === pending.length - 1;
        return (
          <BubbleRow key={message.id} look="wait" id={message.id} isFirst={index === 0}>
            {message.photo && (
              <PendingPhoto id={message.id} file={message.photo} isSending={message.state === 'sending'} />
            )}
            {message.text !== '' && <Bubble text={message.text} look="wait" by="You" isFound={false} />}
            {message.state === 'needs' ? (
              <RefusedActions
                text={message.text}
                reason={getRefusalText(message)}
                isFirstOfMany={!isLast}
                onCheck={
                  message.reason === 'unsure' ? () => void toastOnError(engine.checkIfSent(message.op)) : undefined
                }
                onAgain={message.reason === 'gone' ? undefined : () => void toastOnError(engine.sendAgain(message.op))}
                onDiscard={() => void toastOnError(engine.discard(message.op))}
              />
            ) : (
              isLast && (
                <div className="num mt-1 flex items-center gap-1 text-xs text-muted">
                  {clockText(message.createdAt)}
                  <DeliveryMark mark={mark} hidesWord={waiting.length > 1} />
                  {waiting.length > 1 && (
                    <span>{count(waiting.length, 'message')} will send when you’re back online</span>
                  )}
                </div>
              )
            )}
          </BubbleRow>
        );
      })}
    </>
  );
}
