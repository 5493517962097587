import { Check, EyeOff, Hand, Smartphone } from 'lucide-react';
import { useState } from 'react';
import { RESTRICTION_CALLS } from '#contract/desk-calls.ts';
import { DESK_LIMITS, type RestrictionRecord } from '#contract/records/desk.ts';
import { queueSummary } from '#db/queue-summary.ts';
import { dayText } from '#lib/dates.ts';
import { count } from '#lib/text.ts';
import { call } from '#net/client.ts';
import { useSession } from '#session/session.tsx';
import { keepRequest } from '#shared/forms/kept-request.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { Button, ButtonLink } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { FormSummary, TextArea } from '#ui/Field.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { Loading, Skeleton } from '#ui/Skeleton.tsx';
import { toast } from '#ui/Toast.tsx';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { OnlineOnly } from './OnlineOnly.tsx';
import { HIDDEN_NOUNS } from './hidden-nouns.ts';
import { useFreshUser } from './use-fresh-user.ts';
import { useServerResource } from './use-server-resource.ts';

/** What the people who run Callboard have decided about the person, and how to answer. */
export function Decisions() {
  usePageTitle('Decisions');
  const { account } = useSession();
  if (account === null) return <ErrorPage icon={Hand} title="Sign in to read this" text="It is for you alone." />;
  return <OwnDecisions />;
}

function OwnDecisions() {
  // Once a suspension has ended, what waits is sent.
  useFreshUser();
  const { resource, refetch } = useServerResource<RestrictionRecord[]>(RESTRICTION_CALLS.restrictions, {
    missingMessage: 'There are no decisions here.',
  });
  if (resource.status === 'loading') {
    return (
      <Loading label="Loading" isPage>
        <Skeleton className="mx-auto mt-6 h-80 w-full max-w-xl rounded-box" />
      </Loading>
    );
  }
  if (resource.status === 'unavailable') {
    const retryButton = resource.canRetry && (
      <Button look="tonal" onClick={() => void resource.retry()}>
        Try again
      </Button>
    );
    return <ErrorPage icon={Hand} title="This could not be loaded" text={resource.message} action={retryButton} />;
  }
  if (resource.data.length === 0) {
    return <ErrorPage icon={Check} title="Everything is open" text="Nothing restricts your account." />;
  }
  return (
    <div className="mx-auto w-full max-w-xl space-y-3 px-3 py-4 md:py-8">
      <h1 className="px-1 text-2xl font-bold max-md:sr-only">Decisions</h1>
      {resource.data.map((decision) => (
        <Decision key={decision.id} decision={decision} onAnswered={refetch} />
      ))}
    </div>
  );
}

function Decision({ decision, onAnswered }: { decision: RestrictionRecord; onAnswered: () => Promise<void> }) {
  const queue = useQuery(queueSummary, []);
  const isSuspended = decision.kind === 'suspended';
  const waiting = queue ? queue.waiting + queue.sending : 0;
  const { since, until, words, appeal } = decision;
  const isOpen = appeal !== null && appeal.answer === null;
  return (
    <>
      <section className="notice p-5 md:p-6">
        <span className="grid size-12 place-items-center rounded-full bg-needs-tint text-needs">
          <Hand className="ic size-6" aria-hidden />
        </span>
        <h2 className="mt-3 text-xl font-bold">
          {isSuspended
            ? 'You can read, but not write'
            : `Your ${HIDDEN_NOUNS[decision.target_type] ?? 'text'} is hidden from others`}
        </h2>
        <p className="text-sm text-muted">
          Since {dayText(since)}
          {until !== null && `, until ${dayText(until)}`}
        </p>
        <blockquote className="mt-3 rounded-xl bg-base-200 p-3.5 leading-relaxed whitespace-pre-line">
          {words}
        </blockquote>
        {isSuspended && (
          <ul className="mt-4 space-y-3">
            <li className="flex gap-3">
              <Check className="ic mt-1 shrink-0 text-primary" aria-hidden />
              Your profile, files and messages are yours to read and to save.
            </li>
            {waiting > 0 && (
              <li className="flex gap-3">
                <Smartphone className="ic mt-1 shrink-0 text-phone" aria-hidden />
                {count(waiting, 'change')} {waiting === 1 ? 'waits' : 'wait'} on this {deviceWord()}.{' '}
                {waiting === 1 ? 'It stays' : 'They stay'} there for now, and {waiting === 1 ? 'is' : 'are'} sent when
                this ends.
              </li>
            )}
            <li className="flex gap-3">
              <EyeOff className="ic mt-1 shrink-0 text-muted" aria-hidden />
              Nobody else sees your profile while this lasts.
            </li>
          </ul>
        )}
      </section>
      <section className="notice p-5 md:p-6">
        <h3 className="text-[1.0625rem] font-bold">Do you see it differently?</h3>
        {appeal && (
          <div className="mt-2 space-y-2">
            <p className="text-muted">You wrote: {appeal.text}</p>
            <p>{appeal.answer === null ? 'A person answers within three days.' : `The answer: ${appeal.answer}`}</p>
          </div>
        )}
        {!isOpen && <AppealForm id={decision.id} onAnswered={onAnswered} />}
        {isSuspended && (
          <ButtonLink to="/settings" look="line" className="btn-block mt-3">
            Save or delete my data
          </ButtonLink>
        )}
      </section>
    </>
  );
}

function AppealForm({ id, onAnswered }: { id: string; onAnswered: () => Promise<void> }) {
  const [text, setText] = useState('');
  const [error, setError] = useState<string>();
  const [problem, setProblem] = useState<string | null>(null);
  const [isSending, setIsSending] = useState(false);
  const [request] = useState(() => keepRequest<object>());
  const send = async () => {
    if (isSending) return;
    if (text.trim() === '') return setError('Write what happened');
    setIsSending(true);
    setError(undefined);
    setProblem(null);
    const { body, key } = request(text, () => ({ text, restriction_id: id }));
    const answer = await call<{ message: string }>(RESTRICTION_CALLS.appeal, { body, key });
    setIsSending(false);
    if (!answer.ok) {
      setError(answer.error.errors?.['text']?.join('. '));
      return setProblem(answer.error.message);
    }
    toast({ text: answer.data.message });
    await onAnswered();
  };
  return (
    <form
      className="mt-1 space-y-3"
      onSubmit={(event) => {
        event.preventDefault();
        void send();
      }}
    >
      <p className="text-sm text-muted">A person reads this and answers within three days.</p>
      <FormSummary text={problem} />
      <TextArea
        name="text"
        label="Your side of it"
        placeholder="What happened, in your words"
        value={text}
        limit={DESK_LIMITS.appeal}
        onChange={setText}
        error={error}
      />
      <OnlineOnly doing="Sending it">
        <Button type="submit" className="btn-block" aria-disabled={isSending}>
          {isSending ? 'Sending…' : 'Send'}
        </Button>
      </OnlineOnly>
    </form>
  );
}
