import { MailCheck } from 'lucide-react';
import { useState } from 'react';
import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import { forgotPasswordBody } from '#contract/records/account.ts';
import { call } from '#net/client.ts';
import { Button } from '#ui/Button.tsx';
import { TextField } from '#ui/Field.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { Link, useLocation } from '#ui/router.tsx';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { AuthPage } from './AuthPage.tsx';
import { useAccountForm } from './use-account-form.ts';

/** Asks for a link for a new password. The answer is the same whether or not there is an account with the address. */
export function ForgotPassword() {
  usePageTitle('Forgot your password?');
  const state = useLocation().state as { email?: string } | null;
  const [sentTo, setSentTo] = useState<string | null>(null);
  const form = useAccountForm({
    initial: { email: state?.email ?? '' },
    check: (values) => forgotPasswordBody.safeParse(values),
    send: async (body) => {
      const answer = await call(ACCOUNT_CALLS.forgotPassword, { body });
      if (answer.ok) {
        setSentTo(body.email);
        return { ok: true };
      }
      // A server with the basic API does not send mail.
      const message = 'Ask the people who run this Callboard for a new password.';
      return answer.error.reason === 'missing' ? { ok: false, error: { ...answer.error, message } } : answer;
    },
    doing: 'Asking for a new password',
  });
  if (sentTo !== null) {
    return (
      <ErrorPage
        icon={MailCheck}
        title="Check your e-mail"
        text={
          <>
            <p>
              If there is an account with <b className="font-semibold break-words">{sentTo}</b>, we’ve sent a link. It
              works for 30 minutes.
            </p>
            <p className="mt-2">Nothing there? Look in your spam folder, or check the address.</p>
          </>
        }
        action={
          <Button look="line" onClick={() => setSentTo(null)}>
            Try again
          </Button>
        }
      />
    );
  }
  return (
    <AuthPage
      title="Forgot your password?"
      lead="Enter your e-mail. We’ll send you a link to choose a new one."
      form={form}
      submitLabel="Send the link"
      busyLabel="Sending…"
      otherForm={
        <Link to="/login" className="tap font-semibold text-primary underline">
          Back to sign in
        </Link>
      }
    >
      <TextField label="E-mail" kind="email" autoComplete="username" {...form.field('email')} />
    </AuthPage>
  );
}
