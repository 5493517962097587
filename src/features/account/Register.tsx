import { Link, useLocation } from '#ui/router.tsx';
import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import { LIMITS } from '#contract/limits.ts';
import { registerBody } from '#contract/records/account.ts';
import { useSession } from '#session/session.tsx';
import { TextField } from '#ui/Field.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { AuthPage } from './AuthPage.tsx';
import { getIntentText } from './intent-text.ts';
import { getTimeZone } from './time-zone.ts';
import { useAccountForm } from './use-account-form.ts';
import { useChallenge } from './use-challenge.ts';

export function Register() {
  usePageTitle('Sign up');
  const { authenticate } = useSession();
  const location = useLocation();
  const form = useAccountForm({
    initial: { name: '', email: '', password: '' },
    check: (values) => registerBody.safeParse(values),
    send: (body) =>
      sendSolved((challenge) =>
        authenticate(ACCOUNT_CALLS.register, { ...body, time_zone: getTimeZone(), challenge }),
      ),
    doing: 'Signing up',
  });
  const sendSolved = useChallenge(form.isTouched);
  return (
    <AuthPage
      title="Get on the Stage!"
      lead={getIntentText(location.state, 'Sign up')}
      form={form}
      submitLabel="Sign up"
      busyLabel="Signing up…"
      footnote={
        <p className="text-sm text-muted">
          By signing up you agree to the{' '}
          <Link to="/terms" className="underline">
            Terms &amp; Conditions
          </Link>{' '}
          and the{' '}
          <Link to="/privacy" className="underline">
            Privacy Policy
          </Link>
          .
        </p>
      }
      otherForm={
        <>
          Already on Callboard?{' '}
          <Link to="/login" state={location.state} className="tap font-semibold text-primary underline">
            Sign in
          </Link>
        </>
      }
    >
      <TextField label="Your name" autoComplete="name" {...form.field('name')} />
      <TextField label="E-mail" kind="email" autoComplete="username" {...form.field('email')} />
      <TextField
        label="Password"
        kind="password"
        autoComplete="new-password"
        hint={`At least ${LIMITS.passwordMin} characters`}
        {...form.field('password')}
      />
    </AuthPage>
  );
}
