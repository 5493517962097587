import { BellOff, LogOut, MailCheck, MailQuestion, ShieldCheck, type LucideIcon } from 'lucide-react';
import { useEffect, useState, type ComponentProps, type ReactNode } from 'react';
import { ACCOUNT_CALLS } from '#contract/account-calls.ts';
import { CALLS } from '#contract/calls.ts';
import { MAIL_CALLS } from '#contract/mail-calls.ts';
import type { User } from '#contract/records/account.ts';
import type { Endpoint } from '#contract/section.ts';
import { call } from '#net/client.ts';
import { useSession } from '#session/session.tsx';
import { Button, ButtonLink } from '#ui/Button.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { focusPage } from '#ui/pass-focus.ts';
import { useParams } from '#ui/router.tsx';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { BrokenLink } from './BrokenLink.tsx';
import { readLinkToken } from './link-token.ts';
import { useUpdateUser } from './use-update-user.ts';

interface LinkPageProps {
  icon: LucideIcon;
  title: string;
  text: string;
  label: string;
  busyLabel: string;
  endpoint: Pick<Endpoint, 'method' | 'path'>;
  /** The token, where the link has it in its path. By default it stands behind `#`. */
  pathToken?: string;
  onDone?: () => Promise<void>;
  /** Shown when it is done. `message`: what the server says. */
  done: (message: string) => ReactNode;
  /** Shown for a link that does not work: a way to a new one. */
  renew: ReactNode;
}

/** The page of a link that does one thing. Programs that scan mail open links, so only the button does it. */
function LinkPage({ icon, title, text, label, busyLabel, endpoint, pathToken, onDone, done, renew }: LinkPageProps) {
  usePageTitle(title);
  const [token] = useState(() => pathToken ?? readLinkToken());
  const [status, setStatus] = useState<'ready' | 'busy' | 'done' | 'broken'>(token === '' ? 'broken' : 'ready');
  /** What the server said. */
  const [message, setMessage] = useState<string | null>(null);
  const act = async () => {
    if (status === 'busy') return;
    setStatus('busy');
    setMessage(null);
    const answer = await call<{ message: string }>(
      endpoint,
      pathToken === undefined ? { body: { token } } : { params: { token } },
    );
    if (answer.ok) {
      setMessage(answer.data.message);
      setStatus('done');
      await onDone?.();
      return;
    }
    const isBroken = answer.error.reason === 'invalid' || answer.error.reason === 'missing';
    setStatus(isBroken ? 'broken' : 'ready');
    if (!isBroken) setMessage(answer.error.message);
  };
  if (status === 'done') return done(message ?? '');
  if (status === 'broken') return <BrokenLink action={renew} />;
  return (
    <ErrorPage
      icon={icon}
      title={title}
      text={text}
      action={
        <>
          <Button onClick={() => void act()} aria-disabled={status === 'busy'}>
            {status === 'busy' ? busyLabel : label}
          </Button>
          <p role="alert" className="mt-3 font-medium text-needs empty:hidden">
            {message}
          </p>
        </>
      }
    />
  );
}

/** Shown when the link has done what it is for: the page is about something else by now, and its button is gone. */
function DonePage(props: ComponentProps<typeof ErrorPage>) {
  usePageTitle(props.title);
  useEffect(focusPage, []);
  return <ErrorPage {...props} />;
}

/** What the server says of an address that is confirmed. Anything else says why the person's e-mail has not changed. */
const CONFIRMED = 'Your e-mail is confirmed';

/** The page of the link that confirms an e-mail address. */
export function ConfirmEmail() {
  const { state, user } = useSession();
  const updateUser = useUpdateUser();
  const isSignedIn = state === 'signed in';
  /** The link may be for another account than the one on this device, so the server is asked. */
  const refreshUser = async () => {
    if (user === null) return;
    const answer = await call<User>(CALLS.user);
    if (answer.ok) await updateUser(answer.data);
  };
  return (
    <LinkPage
      icon={MailQuestion}
      title="Confirm your e-mail"
      text="One tap, and we know that this address is yours."
      label="Confirm e-mail"
      busyLabel="Confirming…"
      endpoint={ACCOUNT_CALLS.verifyEmail}
      onDone={refreshUser}
      done={(message) => (
        <DonePage
          {...(message === CONFIRMED
            ? {
                icon: MailCheck,
                title: CONFIRMED,
                text: 'Thank you. If you ever forget your password, we can send you a link.',
              }
            : { icon: MailQuestion, title: 'Your e-mail was not changed', text: `${message}.` })}
          action={
            <ButtonLink to={isSignedIn ? '/' : '/login'}>{isSignedIn ? 'Go to your profile' : 'Sign in'}</ButtonLink>
          }
        />
      )}
      renew={
        isSignedIn ? (
          <ButtonLink to="/settings">Get a new link in Settings</ButtonLink>
        ) : (
          <ButtonLink to="/login">Sign in to get a new link</ButtonLink>
        )
      }
    />
  );
}

/** What the server says, unless it also has something to say about the e-mail. */
const SIGNED_OUT = 'All devices are signed out';

/** The page of the link in mails about a sign-in or a changed way to sign in: 'It wasn’t me'. */
export function SecureAccount() {
  return (
    <LinkPage
      icon={LogOut}
      title="Sign out all devices"
      text="If somebody else is in your account, this signs them out at once, and all your own devices too. Changes that wait there stay safe until you sign in again. It also ends your recovery codes. If your e-mail was changed, you get it back."
      label="Sign out all devices"
      busyLabel="Signing out…"
      endpoint={ACCOUNT_CALLS.secureAccount}
      done={(message) => (
        <DonePage
          icon={ShieldCheck}
          title={SIGNED_OUT}
          text={`${message === SIGNED_OUT ? '' : `${message}. `}Now choose a new password, so that nobody else can sign in again.`}
          action={<ButtonLink to="/forgot">Choose a new password</ButtonLink>}
        />
      )}
      renew={<ButtonLink to="/forgot">Choose a new password</ButtonLink>}
    />
  );
}

/** The page of the link with which a mail program offers to stop mails like the one it shows. */
export function StopMail() {
  const { token = '' } = useParams();
  const settings = <ButtonLink to="/settings">Go to Settings</ButtonLink>;
  return (
    <LinkPage
      icon={BellOff}
      title="Stop these e-mails"
      text="We stop e-mails like the one with this link. E-mails that protect your account, such as a link for a new password, still reach you."
      label="Stop these e-mails"
      busyLabel="Stopping…"
      endpoint={MAIL_CALLS.stopMail}
      pathToken={token}
      done={(message) => (
        <DonePage
          icon={MailCheck}
          title="Done"
          text={`${message}. You can switch them on again in Settings.`}
          action={settings}
        />
      )}
      renew={settings}
    />
  );
}
