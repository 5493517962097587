import * as z from 'zod/mini';
import { Link, useLocation } from '#ui/router.tsx';
import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import { ADULT_AGE, isYounger } from '#contract/age.ts';
import { getCurrentVersions } from '#contract/legal.ts';
import { LIMITS } from '#contract/limits.ts';
import { registerBody } from '#contract/records/account.ts';
import { getDeviceZone } from '#lib/device-zone.ts';
import { useSession } from '#session/session.tsx';
import { TextField } from '#ui/Field.tsx';
import { PasswordField } from '#ui/PasswordField.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { AuthPage } from './AuthPage.tsx';
import { bornOn, isDay } from './born-on.ts';
import { getIntentText } from './intent-text.ts';
import { useAccountForm } from './use-account-form.ts';
import { LegalLinks } from './LegalLinks.tsx';
import { useChallenge } from './use-challenge.ts';

/** Unlike older apps, the form always asks for the date of birth. */
const signUpBody = z.extend(registerBody, { born_on: bornOn });
/** Whether somebody born then is under 18 by this device's clock. The server decides by its own. */
const isUnderAge = (day: string) => isDay(day) && isYounger(day, ADULT_AGE, new Date());

export function Register() {
  usePageTitle('Sign up');
  const { authenticate } = useSession();
  const location = useLocation();
  const form = useAccountForm({
    initial: { name: '', email: '', password: '', born_on: '', guardian_email: '' },
    check: ({ guardian_email, ...values }) => {
      const guardian = isUnderAge(values.born_on) ? { guardian_email } : {};
      return signUpBody.safeParse({ ...values, ...getCurrentVersions(), ...guardian });
    },
    send: (body) =>
      sendSolved((challenge) =>
        authenticate(ACCOUNT_CALLS.register, { ...body, time_zone: getDeviceZone(), challenge }),
      ),
    doing: 'Signing up',
  });
  const sendSolved = useChallenge(form.isTouched);
  const bornOn = form.field('born_on');
  return (
    <AuthPage
      title="Get on the Stage!"
      lead={getIntentText(location.state, 'Sign up')}
      form={form}
      submitLabel="Sign up"
      busyLabel="Signing up…"
      footnote={
        <p className="text-sm text-muted">
          By signing up you agree to <LegalLinks />.
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
      <PasswordField
        label="Password"
        autoComplete="new-password"
        hint={`At least ${LIMITS.passwordMin} characters`}
        {...form.field('password')}
      />
      <TextField
        label="Date of birth"
        kind="date"
        autoComplete="bday"
        min="1900-01-01"
        max={new Date().toISOString().slice(0, 10)}
        hint="Only you see it. People under 18 are protected from strangers."
        {...bornOn}
      />
      {isUnderAge(bornOn.value) && (
        <TextField
          label="E-mail of a parent or guardian"
          kind="email"
          hint="We write to them. Until they agree, only you see your profile."
          {...form.field('guardian_email')}
        />
      )}
    </AuthPage>
  );
}
