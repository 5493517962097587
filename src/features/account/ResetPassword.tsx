import { LogOut, Smartphone, WifiOff } from 'lucide-react';
import { useEffect, useState } from 'react';
import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import { LIMITS } from '#contract/limits.ts';
import { resetPasswordBody, type LinkRecord } from '#contract/records/account.ts';
import { getDeviceZone } from '#lib/device-zone.ts';
import { clockText } from '#lib/dates.ts';
import { call } from '#net/client.ts';
import { useSession } from '#session/session.tsx';
import { useOnline } from '#shared/queries/use-online.ts';
import { Button, ButtonLink } from '#ui/Button.tsx';
import { PasswordField } from '#ui/PasswordField.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { useNavigate } from '#ui/router.tsx';
import { Loading, Skeleton } from '#ui/Skeleton.tsx';
import { toast } from '#ui/Toast.tsx';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { AuthPage } from './AuthPage.tsx';
import { BrokenLink } from './BrokenLink.tsx';
import { readLinkToken } from './link-token.ts';
import { useAccountForm } from './use-account-form.ts';

type Checked =
  | { status: 'checking' }
  | { status: 'works'; link: LinkRecord }
  | { status: 'broken' }
  | { status: 'unknown'; message: string };

/** The page of the link for a new password. It says first whom the link is for, and until when it works. */
export function ResetPassword() {
  usePageTitle('Choose a new password');
  const [token] = useState(readLinkToken);
  const [checked, setChecked] = useState<Checked>({ status: token === '' ? 'broken' : 'checking' });
  const [attempt, setAttempt] = useState(0);
  const isOnline = useOnline();
  useEffect(() => {
    if (token === '') return;
    let isMounted = true;
    const show = (next: Checked) =>
      isMounted && setChecked((previous) => (previous.status === 'works' ? previous : next));
    void call<LinkRecord>(ACCOUNT_CALLS.checkLink, { body: { token, purpose: 'reset' } }).then((answer) => {
      if (answer.ok) show({ status: 'works', link: answer.data });
      else if (answer.error.reason === 'invalid' || answer.error.reason === 'missing') show({ status: 'broken' });
      else show({ status: 'unknown', message: answer.error.message });
    });
    return () => {
      isMounted = false;
    };
  }, [token, attempt, isOnline]);
  switch (checked.status) {
    case 'checking':
      return (
        <Loading label="Checking the link">
          <div className="mx-auto max-w-md px-3 pt-2 md:pt-8">
            <Skeleton className="h-96 w-full" />
          </div>
        </Loading>
      );
    case 'works':
      return <ResetForm token={token} link={checked.link} onBroken={() => setChecked({ status: 'broken' })} />;
    case 'broken':
      return <BrokenLink action={<ButtonLink to="/forgot">Get a new link</ButtonLink>} />;
    case 'unknown':
      return (
        <ErrorPage
          icon={WifiOff}
          title="The link could not be checked"
          text={checked.message}
          action={
            <Button look="line" onClick={() => setAttempt(attempt + 1)}>
              Try again
            </Button>
          }
        />
      );
  }
}

function ResetForm({ token, link, onBroken }: { token: string; link: LinkRecord; onBroken: () => void }) {
  const { authenticate } = useSession();
  const navigate = useNavigate();
  const form = useAccountForm({
    initial: { password: '' },
    check: (values) => resetPasswordBody.safeParse({ ...values, token }),
    send: async (body) => {
      const outcome = await authenticate(ACCOUNT_CALLS.resetPassword, { ...body, time_zone: getDeviceZone() });
      if (outcome.ok) {
        navigate('/', { replace: true });
        toast({ text: 'Password changed. You are signed in here' });
      } else if (outcome.error.errors?.token) onBroken();
      return outcome;
    },
    doing: 'Choosing a new password',
  });
  return (
    <AuthPage
      title="Choose a new password"
      lead={
        <>
          For <b className="font-semibold break-words">{link.email}</b>. The link works once, until{' '}
          {clockText(Date.parse(link.expires_at))}.
        </>
      }
      form={form}
      submitLabel="Save and sign in"
      busyLabel="Saving…"
      otherForm={null}
    >
      {/* Tells password managers which account the new password belongs to. */}
      <input type="text" name="username" autoComplete="username" value={link.email} readOnly hidden />
      <PasswordField
        label="New password"
        autoComplete="new-password"
        hint={`At least ${LIMITS.passwordMin} characters`}
        {...form.field('password')}
      />
      <ul className="space-y-2 text-sm text-muted">
        <li className="flex gap-2">
          <LogOut className="ic mt-0.5 size-4" aria-hidden />
          You will be signed out everywhere but here.
        </li>
        <li className="flex gap-2">
          <Smartphone className="ic mt-0.5 size-4" aria-hidden />
          Changes waiting on your other devices stay there and go out when you sign in again.
        </li>
      </ul>
    </AuthPage>
  );
}
