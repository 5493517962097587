import { Link, useLocation } from '#ui/router.tsx';
import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import { loginBody } from '#contract/records/account.ts';
import { getDeviceZone } from '#lib/device-zone.ts';
import { registerLink } from '#shared/sign-in-state.ts';
import { useSession } from '#session/session.tsx';
import { TextField } from '#ui/Field.tsx';
import { PasswordField } from '#ui/PasswordField.tsx';
import { lazyOptional } from '#ui/lazy-part.ts';
import { usePageTitle } from '#ui/page-title.ts';
import { useAfterPaint } from '#ui/use-after-paint.ts';
import { AuthPage } from './AuthPage.tsx';
import { getIntentText } from './intent-text.ts';
import { useAccountForm } from './use-account-form.ts';

/** Its code is fetched once the form is there. */
const PasskeySignIn = lazyOptional(async () => (await import('./PasskeySignIn.tsx')).PasskeySignIn);

/** The sign-in form. The page that linked here put the return address into the history state; the routes redirect to it. */
export function Login() {
  usePageTitle('Sign in');
  const { authenticate } = useSession();
  const location = useLocation();
  const isPainted = useAfterPaint();
  const form = useAccountForm({
    initial: { email: '', password: '' },
    check: (values) => loginBody.safeParse(values),
    send: (body) => authenticate(ACCOUNT_CALLS.login, { ...body, time_zone: getDeviceZone() }),
    doing: 'Signing in',
  });
  return (
    <AuthPage
      title="Sign in"
      lead={getIntentText(location.state, 'Sign in')}
      form={form}
      submitLabel="Sign in"
      busyLabel="Signing in…"
      footnote={
        <>
          {isPainted && <PasskeySignIn />}
          <p className="text-center">
            <Link
              to="/recover"
              state={{ email: form.field('email').value }}
              className="tap text-sm text-primary underline"
            >
              Use a recovery code
            </Link>
          </p>
        </>
      }
      otherForm={
        <>
          New here?{' '}
          <Link {...registerLink(location.state)} className="tap font-semibold text-primary underline">
            Sign up
          </Link>
        </>
      }
    >
      <TextField label="E-mail" kind="email" autoComplete="username webauthn" {...form.field('email')} />
      <div>
        <PasswordField label="Password" autoComplete="current-password" {...form.field('password')} />
        <Link to="/forgot" state={{ email: form.field('email').value }} className="tap text-sm text-primary underline">
          Forgot your password?
        </Link>
      </div>
    </AuthPage>
  );
}
