import { BadgeCheck, EyeOff, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import { CONSENT_CALLS } from '#contract/consent-calls.ts';
import type { LinkRecord } from '#contract/records/account.ts';
import type { AppError } from '#net/app-error.ts';
import { call } from '#net/client.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { Button } from '#ui/Button.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { Loading, Skeleton } from '#ui/Skeleton.tsx';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { BrokenLink } from './BrokenLink.tsx';
import { LegalLinks } from './LegalLinks.tsx';
import { readLinkToken } from './link-token.ts';

type Child = NonNullable<LinkRecord['child']>;
type Step =
  | { at: 'checking' }
  | { at: 'asking'; child: Child }
  | { at: 'broken' }
  | { at: 'unknown'; message: string }
  | { at: 'done'; hasAgreed: boolean; message: string };

const isBroken = ({ reason }: AppError) => reason === 'invalid' || reason === 'missing';

/** The page of the link that a guardian gets. Opening it decides nothing: programs that scan mail open links. */
export function GuardianPage() {
  usePageTitle('Your permission');
  const [token] = useState(readLinkToken);
  const [step, setStep] = useState<Step>({ at: token === '' ? 'broken' : 'checking' });
  const [attempt, setAttempt] = useState(0);
  const isOnline = useOnline();
  useEffect(() => {
    if (token === '') return;
    let isMounted = true;
    const show = (next: Step) =>
      isMounted && setStep((before) => (['checking', 'unknown'].includes(before.at) ? next : before));
    void call<LinkRecord>(ACCOUNT_CALLS.checkLink, { body: { token, purpose: 'guardian' } }).then((answer) => {
      if (answer.ok && answer.data.child) show({ at: 'asking', child: answer.data.child });
      else if (answer.ok || isBroken(answer.error)) show({ at: 'broken' });
      else show({ at: 'unknown', message: answer.error.message });
    });
    return () => {
      isMounted = false;
    };
  }, [token, attempt, isOnline]);
  switch (step.at) {
    case 'checking':
      return (
        <Loading label="Checking the link">
          <div className="mx-auto max-w-2xl px-3 pt-2 md:pt-8">
            <Skeleton className="h-96 w-full" />
          </div>
        </Loading>
      );
    case 'asking':
      return <Decision token={token} child={step.child} onStep={setStep} />;
    case 'broken':
      return <BrokenLink action={<p className="text-muted">The newest e-mail from us has a link that works.</p>} />;
    case 'unknown':
      return (
        <ErrorPage
          icon={WifiOff}
          title="The link could not be checked"
          text={step.message}
          action={
            <Button look="line" onClick={() => setAttempt(attempt + 1)}>
              Try again
            </Button>
          }
        />
      );
    case 'done':
      return (
        <ErrorPage
          icon={step.hasAgreed ? BadgeCheck : EyeOff}
          title={step.hasAgreed ? 'You have agreed' : 'The page is hidden'}
          text={`${step.message}. We’ve sent you an e-mail with a link, in case you change your mind.`}
          action={null}
        />
      );
  }
}

function Decision({ token, child, onStep }: { token: string; child: Child; onStep: (step: Step) => void }) {
  const [busy, setBusy] = useState<'agree' | 'refuse' | null>(null);
  const [message, setMessage] = useState<string | null>(null);
  const { name } = child;
  const hasAgreed = child.state === 'agreed';
  const decide = async (agree: boolean) => {
    if (busy !== null) return;
    setBusy(agree ? 'agree' : 'refuse');
    setMessage(null);
    const answer = await call<{ message: string }>(CONSENT_CALLS.decideAsGuardian, { body: { token, agree } });
    if (answer.ok) return onStep({ at: 'done', hasAgreed: agree, message: answer.data.message });
    if (isBroken(answer.error)) return onStep({ at: 'broken' });
    setBusy(null);
    setMessage(answer.error.message);
  };
  return (
    <article className="mx-auto max-w-2xl px-4 pt-4 pb-8 md:px-6 md:pt-8">
      <h1 className="text-[1.75rem] font-bold break-words">
        {hasAgreed ? `You agreed to ${name}’s page` : `May ${name} have a public page?`}
      </h1>
      <div className="space-y-3 pt-3 leading-relaxed [&_h2]:pt-2 [&_h2]:text-lg [&_h2]:font-bold">
        <p>
          On Callboard, people of film, theatre, TV, video and audio show what they can do to those who cast. {name} is
          under 18 and has named you as parent or guardian. If that is a mistake, say no.
        </p>
        <h2>If you agree, everybody can see</h2>
        <p>the stage name, photos, recordings, credits, skills, languages and the town, if {name} has added them.</p>
        <h2>Strangers never see</h2>
        <p>the date of birth, phone numbers, e-mail addresses and the day rate. Search engines don’t list the page.</p>
        <h2>Who can write to {name}</h2>
        <p>
          Only people whom {name} has asked to connect, and who accepted. Strangers can send neither requests nor
          messages. You don’t see the messages.
        </p>
        <h2>If you change your mind</h2>
        <p>
          You get an e-mail with a link. With it you can withdraw at any time, and the page is hidden at once. By
          agreeing you also accept <LegalLinks />.
        </p>
        <div className="flex flex-wrap gap-2 pt-2">
          {!hasAgreed && (
            <Button aria-disabled={busy !== null} onClick={() => void decide(true)}>
              {busy === 'agree' ? 'Saving…' : 'I agree'}
            </Button>
          )}
          <Button look="line" aria-disabled={busy !== null} onClick={() => void decide(false)}>
            {busy === 'refuse' ? 'Saving…' : hasAgreed ? 'Withdraw: hide the page' : 'No, keep it hidden'}
          </Button>
        </div>
        <p role="alert" className="font-medium text-needs empty:hidden">
          {message}
        </p>
      </div>
    </article>
  );
}
