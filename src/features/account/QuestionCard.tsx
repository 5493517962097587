import { Cake, FileCheck, PartyPopper, UserRoundCheck, type LucideIcon } from 'lucide-react';
import { useState, type ReactNode } from 'react';
import * as z from 'zod/mini';
import { CONSENT_CALLS } from '#contract/consent-calls.ts';
import { getCurrentVersion, LEGAL, LEGAL_DOCUMENTS } from '#contract/legal.ts';
import type { User } from '#contract/records/account.ts';
import { call } from '#net/client.ts';
import { useOnline } from '#shared/queries/use-online.ts';
import { Button } from '#ui/Button.tsx';
import { TextField } from '#ui/Field.tsx';
import { Link } from '#ui/router.tsx';
import { toast } from '#ui/Toast.tsx';
import { bornOn } from './born-on.ts';
import { GuardianForm } from './GuardianForm.tsx';
import { HomeCard } from './HomeCard.tsx';
import { useAccountForm } from './use-account-form.ts';
import { useFreshUser } from './use-fresh-user.ts';
import { useUpdateUser } from './use-update-user.ts';

type Question = Exclude<NonNullable<User['asks']>, 'email'>;

/** A question on Home that the app asks once, while online. It never stops anybody from going on. */
export function QuestionCard({ question }: { question: Question }) {
  switch (question) {
    case 'born_on':
      return <BornOn />;
    case 'consent':
      return <Agreement />;
    case 'guardian':
      return (
        <Frame icon={UserRoundCheck} title="Your parent or guardian">
          <GuardianForm />
        </Frame>
      );
    case 'of_age':
      return <OfAge />;
  }
}

function Frame({ icon, title, children }: { icon: LucideIcon; title: string; children: ReactNode }) {
  const isOnline = useOnline();
  return (
    <HomeCard icon={icon} title={title}>
      {isOnline ? (
        children
      ) : (
        <p className="text-sm font-medium text-phone">You can answer this when you’re back online.</p>
      )}
    </HomeCard>
  );
}

function BornOn() {
  const updateUser = useUpdateUser();
  const form = useAccountForm({
    initial: { born_on: '' },
    check: (values) => z.object({ born_on: bornOn }).safeParse(values),
    send: async (body) => {
      const answer = await call<{ data: User }>(CONSENT_CALLS.setBornOn, { body });
      if (answer.ok) await updateUser(answer.data.data);
      return answer;
    },
    doing: 'Saving this',
  });
  return (
    <Frame icon={Cake} title="When were you born?">
      <p className="text-sm text-muted">We ask everybody once. Only you see it. It protects people under 18.</p>
      <form
        className="mt-2 max-w-sm space-y-3"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          form.submit();
        }}
      >
        <TextField label="Date of birth" kind="date" autoComplete="bday" min="1900-01-01" {...form.field('born_on')} />
        {form.summary && <p className="text-sm font-medium text-needs">{form.summary}</p>}
        <Button type="submit" look="tonal" aria-disabled={form.isBusy}>
          {form.isBusy ? 'Saving…' : 'Save'}
        </Button>
      </form>
    </Frame>
  );
}

function Agreement() {
  const refresh = useFreshUser();
  const [isBusy, setIsBusy] = useState(false);
  const agree = async () => {
    if (isBusy) return;
    setIsBusy(true);
    for (const document of LEGAL_DOCUMENTS) {
      const { version } = getCurrentVersion(document);
      const answer = await call(CONSENT_CALLS.addConsent, { body: { document, version } });
      if (!answer.ok) toast({ text: answer.error.message });
    }
    await refresh();
    setIsBusy(false);
  };
  return (
    <Frame icon={FileCheck} title="Our terms and privacy policy">
      <p className="text-sm text-muted">Please read what is new, and agree. A new page is public only after that.</p>
      <ul className="mt-2 space-y-1 text-sm">
        {LEGAL_DOCUMENTS.map((document) => (
          <li key={document}>
            <Link to={LEGAL[document].path} className="tap font-semibold text-primary underline">
              {LEGAL[document].title}
            </Link>
            <span className="block text-muted">{getCurrentVersion(document).changes.join(' ')}</span>
          </li>
        ))}
      </ul>
      <Button look="tonal" className="mt-3" aria-disabled={isBusy} onClick={() => void agree()}>
        {isBusy ? 'Saving…' : 'I agree'}
      </Button>
    </Frame>
  );
}

function OfAge() {
  const updateUser = useUpdateUser();
  const [isBusy, setIsBusy] = useState(false);
  const open = async () => {
    if (isBusy) return;
    setIsBusy(true);
    const answer = await call<{ data: User }>(CONSENT_CALLS.comeOfAge);
    if (answer.ok) await updateUser(answer.data.data);
    else toast({ text: answer.error.message });
    setIsBusy(false);
  };
  return (
    <Frame icon={PartyPopper} title="You are 18 now">
      <p className="text-sm text-muted">
        From now on you decide yourself. If you open up, your page is public and people you don’t know can write to you.
        What visitors see beyond that is up to you in Settings.
      </p>
      <Button look="tonal" className="mt-3" aria-disabled={isBusy} onClick={() => void open()}>
        {isBusy ? 'Opening…' : 'Open up'}
      </Button>
    </Frame>
  );
}
