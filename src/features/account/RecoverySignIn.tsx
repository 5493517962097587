import { useState } from 'react';
import { recoverySignInBody } from '#contract/records/sign-in.ts';
import { SIGN_IN_CALLS } from '#contract/sign-in-calls.ts';
import { getDeviceZone } from '#lib/device-zone.ts';
import { useSession } from '#session/session.tsx';
import { TextField } from '#ui/Field.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { Link, useLocation, useNavigate } from '#ui/router.tsx';
import { toast } from '#ui/Toast.tsx';
import { AuthPage } from './AuthPage.tsx';
import { useAccountForm } from './use-account-form.ts';

/** Signs in with a recovery code. It leads to Settings, where the person can add a new passkey. */
export function RecoverySignIn() {
  usePageTitle('Use a recovery code');
  const { authenticate } = useSession();
  const navigate = useNavigate();
  const [state] = useState(useLocation().state as { email?: string } | null);
  const form = useAccountForm({
    initial: { email: state?.email ?? '', code: '' },
    check: (values) => recoverySignInBody.safeParse(values),
    send: async (body) => {
      const outcome = await authenticate(SIGN_IN_CALLS.recoverySignIn, { ...body, time_zone: getDeviceZone() });
      if (!outcome.ok) return outcome;
      navigate('/settings', { replace: true });
      toast({ text: 'You are signed in. This code is used up' });
      return outcome;
    },
    doing: 'Signing in',
  });
  return (
    <AuthPage
      title="Use a recovery code"
      lead="Enter one of the ten codes that you kept. Each works once."
      form={form}
      submitLabel="Sign in"
      busyLabel="Signing in…"
      otherForm={
        <Link to="/login" className="tap font-semibold text-primary underline">
          Back to sign in
        </Link>
      }
    >
      <TextField label="E-mail" kind="email" autoComplete="username" {...form.field('email')} />
      <TextField label="Recovery code" placeholder="K7Q2M-9XWTE" {...form.field('code')} />
    </AuthPage>
  );
}
