import { CloudOff, Reply } from 'lucide-react';
import { memo, useCallback, useEffect, useEffectEvent, useRef, useState, type KeyboardEvent } from 'react';
import type { Message } from '#contract/records/chat.ts';
import { detectScamSign } from '#contract/scam-words.ts';
import { LOCAL } from '#db/canonical.ts';
import type { ConversationView, PendingMessage } from '#db/conversations.ts';
import { saveMessageDraft } from '#db/messages.ts';
import { clockText } from '#lib/dates.ts';
import { count } from '#lib/text.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { getRefusalText } from '#shared/chat/refusal-text.ts';
import { RefusedActions } from '#shared/chat/RefusedActions.tsx';
import { detectAuditionSign, ScamWarning } from '#shared/chat/ScamWarning.tsx';
import { useOnline } from '#shared/queries/use-online.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { lazyOptional } from '#ui/lazy-part.ts';
import { Button } from '#ui/Button.tsx';
import { Link } from '#ui/router.tsx';
import { toast } from '#ui/Toast.tsx';
import { useNow } from '#ui/use-now.ts';
import { Bubble, BubbleRow } from './Bubble.tsx';
import { formatDay, isSameDay } from './days.ts';
import { getDeliveryStatus, DeliveryMark } from './delivery-status.tsx';
import { AboutAudition } from './AboutAudition.tsx';
import { MessageActions } from './MessageActions.tsx';
import { PendingPhoto, Photo } from './Photo.tsx';
import type { Thread } from './use-thread.ts';

/** Returns the key of a message. A message sent from this device keeps its local id when the server confirms it. */
const getKey = ({ client_id, id }: Message) => (client_id === null ? id : LOCAL + client_id);

interface ThreadLogProps {
  view: ConversationView;
  thread: Thread;
  /** The `seq` of the last message that was read when the conversation opened. */
  readBefore: number;
  /** The `seq` of the message that the search found. */
  found: number | null;
}

function Separator({ children, tone = 'text-muted' }: { children: React.ReactNode; tone?: string }) {
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
  conversationId: string;
  /** The name of the other person. */
  name: string;
  /** False on a basic server, which knows no answers. */
  canReply: boolean;
  isDelivered: boolean;
  isRead: boolean;
  isTheirFirst: boolean;
  /** Whether the reader was asked to audition by the other person: then every message of theirs may warn. */
  isAsked: boolean;
  /** Whether the desk hides what the person wrote here. */
  isHiddenByDesk: boolean;
  /** The first unread message. */
  isNew: boolean;
  isPicked: boolean;
  isFound: boolean;
  /** Any time of the current day, ms since the epoch. */
  today: number;
  onPick: (next: (now: string | null) => string | null) => void;
  /** Scrolls to the message with this `seq`. */
  onOpen: (seq: number) => void;
}

/** A message shows its time if the next one from the same sender follows later than this. */
const GROUP_GAP_MS = 300_000;

const ReportButton = lazyOptional(async () => (await import('#shared/people/ReportButton.tsx')).ReportButton);

type Reading = Record<'isOwn' | 'isAsked' | 'isTheirFirst', boolean>;

const getWarningSign = (text: string, { isOwn, isAsked, isTheirFirst }: Reading) => {
  if (isAsked && !isOwn) return detectAuditionSign(text);
  return isTheirFirst ? detectScamSign(text) : null;
};

/** One message with its separators, status and actions. Memoized, because a thread renders many of them. */
const MessageRow = memo(function MessageRow({ message, before, after, isOwn, name, ...props }: MessageRowProps) {
  const { id, isPicked, isFound, onPick } = props;
  const at = Date.parse(message.created_at);
  const isNewDay = before ? !isSameDay(before.created_at, message.created_at) : message.seq === 1;
  const isFirst = isNewDay || before?.sender_id !== message.sender_id;
  const isLast =
    after?.sender_id !== message.sender_id ||
    Date.parse(after.created_at) - at > GROUP_GAP_MS ||
    !isSameDay(after.created_at, message.created_at);
  const by = isOwn ? 'You' : name;
  const scamSign = getWarningSign(message.message, { ...props, isOwn });
  return (
    <>
      {isNewDay && (
        <div className="mt-4 mb-1 text-center text-xs font-semibold text-muted first:mt-0">
          {formatDay(message.created_at, props.today)}
        </div>
      )}
      {props.isNew && !isOwn && <Separator tone="text-phone">New</Separator>}
      <BubbleRow look={isOwn ? 'out' : 'in'} id={id} seq={message.seq} isFirst={isFirst}>
        <AboutAudition id={message.audition_id} />
        <Quote conversationId={props.conversationId} name={name} seq={message.reply_to} onOpen={props.onOpen} />
        {message.media && <Photo id={id} photo={message.media} by={by} />}
        {message.message !== '' && (
          <div
            className={`flex w-full flex-col ${isOwn ? 'items-end' : 'items-start'}`}
            onClick={() => getSelection()?.isCollapsed && onPick((now) => (now === id ? null : id))}
          >
            <Bubble text={message.message} look={isOwn ? 'out' : 'in'} by={by} isFound={isFound || isPicked} />
          </div>
        )}
        {props.isHiddenByDesk && (
          <Link to="/decisions" className="tap text-sm font-semibold underline">
            Read why and answer
          </Link>
        )}
        {scamSign && <ScamWarning sign={scamSign} />}
        {isPicked && (
          <MessageActions text={message.message}>
            {props.canReply && (
              <ReplyButton conversationId={props.conversationId} seq={message.seq} onDone={() => onPick(() => null)} />
            )}
            {!isOwn && (
              <ReportButton
                person={{ userId: String(message.sender_id), name }}
                about={{ type: 'message', id, name: `a message from ${name}` }}
                look="tonal"
              />
            )}
          </MessageActions>
        )}
        {(isLast || isPicked) && (
          <div className="num mt-1 flex items-center gap-1 text-xs text-muted">
            <time dateTime={message.created_at}>{clockText(at)}</time>
            {isOwn && <DeliveryMark status={getDeliveryStatus('saved', props)} />}
          </div>
        )}
      </BubbleRow>
    </>
  );
});

/** Makes the message field answer this message. The draft keeps that, as it keeps what is typed. */
function ReplyButton({ conversationId, seq, onDone }: { conversationId: string; seq: number; onDone: () => void }) {
  const { db } = useAccount();
  const reply = async () => {
    await toastOnError(saveMessageDraft(db, conversationId, { reply_to: seq }, Date.now()));
    onDone();
  };
  return (
    <Button look="tonal" icon={Reply} onClick={() => void reply()}>
      Reply
    </Button>
  );
}

interface Quoted {
  conversationId: string;
  /** The name of the other person. */
  name: string;
  seq: number;
}

interface QuoteProps extends Omit<Quoted, 'seq'> {
  /** The `seq` of the quoted message; nothing is rendered without one. */
  seq: number | null | undefined;
  onOpen: (seq: number) => void;
}

/** The message that another one answers, in one line. A tap scrolls to it. */
function Quote({ seq, onOpen, ...conversation }: QuoteProps) {
  if (seq == null) return null;
  return (
    <button
      type="button"
      className="mb-1 flex min-h-11 max-w-[78%] flex-col justify-center rounded-xl border-l-4 border-primary bg-base-300/60 px-3 py-1 text-left text-sm"
      onClick={() => onOpen(seq)}
    >
      <QuotedText {...conversation} seq={seq} />
    </button>
  );
}

/** The name and the beginning of a quoted message, from this device. */
export function QuotedText({ conversationId, name, seq }: Quoted) {
  const { user } = useAccount();
  const quoted = useQuery((db) => db.messages.get([conversationId, seq]), [conversationId, seq]);
  return (
    <>
      <span className="text-xs font-semibold text-primary">
        <span className="sr-only">In reply to </span>
        {quoted === undefined ? 'An earlier message' : quoted.sender_id === user.id ? 'You' : name}
      </span>
      <span dir="auto" className="line-clamp-1 break-all text-muted">
        {quoted === undefined ? 'Tap to see it' : quoted.message || 'Photo'}
      </span>
    </>
  );
}

/** The rendered part of a conversation, followed by the messages that are not sent yet. */
export function ThreadLog({ view, thread, readBefore, found }: ThreadLogProps) {
  const { user } = useAccount();
  const now = useNow();
  // Noon, so that the value is the same all day and rows do not render again every minute.
  const today = new Date(now).setHours(12, 0, 0, 0);
  const [picked, setPicked] = useState<string | null>(null);
  const {
    list,
    messages = [],
    pending = [],
    isAtEnd = true,
    isEarlierMissing = false,
    isLaterMissing = false,
  } = thread;
  const first = messages[0];
  // Only the first message of the other person can show a scam warning.
  // The question of somebody whom the reader asked to audition is none.
  const isTheirs = first?.seq === 1 && first.audition_id == null;
  const theirFirst = isTheirs ? messages.find(({ sender_id }) => sender_id !== user.id) : undefined;

  const { jumpTo } = thread;
  const openQuoted = useCallback(
    async (seq: number) => {
      if (!(await jumpTo(seq))) toast({ text: 'That part is not on this device. Go online to see it.' });
    },
    [jumpTo],
  );

  /** The arrow keys select a message, which shows its actions. */
  const handleKey = (event: KeyboardEvent) => {
    if (event.target !== list.current || (event.key !== 'ArrowUp' && event.key !== 'ArrowDown')) return;
    if (!event.altKey && picked === null && event.key === 'ArrowDown') return;
    event.preventDefault();
    const keys = messages.map(getKey);
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
        {isEarlierMissing && <MissingMessages which="Earlier" onRetry={thread.retry} />}
        {thread.isReady && first === undefined && pending.length === 0 && (
          <p className="py-8 text-center text-sm text-muted">
            {view.isConnected ? 'You’re connected. Say' : 'Say'} hello to {view.other.name.split(' ')[0]}.
          </p>
        )}
        {messages.map((message, index) => {
          const key = getKey(message);
          return (
            <MessageRow
              key={key}
              id={key}
              message={message}
              before={messages[index - 1]}
              after={messages[index + 1]}
              isOwn={message.sender_id === user.id}
              conversationId={view.id}
              name={view.other.name}
              // A basic server has neither stars nor answers.
              canReply={view.toggles.starred.value !== null}
              isDelivered={(view.otherHas ?? 0) >= message.seq}
              isRead={(view.otherRead ?? 0) >= message.seq}
              isTheirFirst={message === theirFirst}
              isAsked={view.audition !== null && view.audition.role_id === null}
              isHiddenByDesk={user.hidden_by_desk?.includes(`message:${message.id}`) === true}
              isNew={message.seq === readBefore + 1}
              isPicked={picked === key}
              isFound={message.seq === found}
              today={today}
              onPick={setPicked}
              onOpen={openQuoted}
            />
          );
        })}
        {isLaterMissing && <MissingMessages which="Later" onRetry={thread.retry} />}
        {isAtEnd && <Pending view={view} pending={pending} onOpen={openQuoted} />}
      </div>
    </div>
  );
}

/** Shown at the end of the window beyond which messages could not be loaded. Loads them when the device is back online. */
function MissingMessages({ which, onRetry }: { which: 'Earlier' | 'Later'; onRetry: () => void }) {
  const isOnline = useOnline();
  const wasOnline = useRef(isOnline);
  const handleChange = useEffectEvent(() => {
    if (isOnline && !wasOnline.current) onRetry();
    wasOnline.current = isOnline;
  });
  useEffect(() => handleChange(), [isOnline]);
  // Below later messages, the button to the newest one floats over the list.
  const place = which === 'Later' ? 'pt-2 pb-16' : 'pb-4';
  return (
    <div className={`flex flex-wrap items-center justify-center gap-x-3 text-sm text-muted ${place}`}>
      <CloudOff className="ic" aria-hidden />
      <span>{which} messages are not on this device yet.</span>
      <Button look="plain" onClick={onRetry}>
        Try again
      </Button>
    </div>
  );
}

interface PendingProps {
  view: ConversationView;
  pending: readonly PendingMessage[];
  onOpen: (seq: number) => void;
}

/** Messages that the server has not confirmed, after the confirmed ones and in the order in which they were written. */
function Pending({ view, pending, onOpen }: PendingProps) {
  const { engine } = useAccount();
  const isOnline = useOnline();
  const waiting = pending.filter(({ state }) => state === 'phone');
  return (
    <>
      {waiting.length > 0 && !isOnline && (
        <Separator tone="text-phone">
          <CloudOff className="ic size-4" aria-hidden />
          Waiting for signal, kept in this order
        </Separator>
      )}
      {pending.map((message, index) => {
        const status = getDeliveryStatus(message.state, { isDelivered: false, isRead: false });
        const isLast = index === pending.length - 1;
        return (
          <BubbleRow key={message.id} look="wait" id={message.id} isFirst={index === 0}>
            <AboutAudition id={message.audition_id} />
            <Quote conversationId={view.id} name={view.other.name} seq={message.reply_to} onOpen={onOpen} />
            {message.photo && (
              <PendingPhoto id={message.id} file={message.photo} isSending={message.state === 'sending'} />
            )}
            {message.message !== '' && <Bubble text={message.message} look="wait" by="You" isFound={false} />}
            {message.state === 'needs' ? (
              <RefusedActions
                text={message.message}
                reason={getRefusalText(message)}
                isBlockingOthers={!isLast}
                onCheck={
                  message.reason === 'unsure' ? () => void toastOnError(engine.checkIfSent(message.op)) : undefined
                }
                onRetry={message.reason === 'gone' ? undefined : () => void toastOnError(engine.sendAgain(message.op))}
                onDiscard={() => void toastOnError(engine.discard(message.op))}
              />
            ) : (
              isLast && (
                <div className="num mt-1 flex items-center gap-1 text-xs text-muted">
                  {clockText(message.createdAt)}
                  <DeliveryMark status={status} hidesWord={waiting.length > 1} />
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
