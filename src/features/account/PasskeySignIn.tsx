import { browserSupportsWebAuthnAutofill, WebAuthnAbortService } from '@simplewebauthn/browser';
import { CloudOff, KeyRound } from 'lucide-react';
import { useEffect, useEffectEvent, useRef, useState } from 'react';
import type { ChallengeRecord } from '#contract/records/sign-in.ts';
import { SIGN_IN_CALLS } from '#contract/sign-in-calls.ts';
import { getDeviceZone } from '#lib/device-zone.ts';
import type { AppError } from '#net/app-error.ts';
import { call } from '#net/client.ts';
import { useSession } from '#session/session.tsx';
import { choosePasskey, getPasskeyErrorText, getUnsupportedText } from '#shared/fresh-sign-in/passkeys.ts';
import { Button } from '#ui/Button.tsx';
import { FormSummary } from '#ui/Field.tsx';
import { deviceWord } from '#ui/device.ts';
import { signalUnknown } from './signal-passkeys.ts';

/** A challenge works for five minutes, and the form may be open for longer. */
const RENEW_MS = 4 * 60_000;
const CHECK_MS = 60_000;

const isOfflineError = ({ reason }: AppError) => reason === 'network' || reason === 'timeout';

/** The button that signs in with a passkey. Browsers that can also offer passkeys where the e-mail is typed. */
export function PasskeySignIn() {
  const { authenticate } = useSession();
  const isUnsupported = getUnsupportedText() !== null;
  const [status, setStatus] = useState<'ready' | 'busy' | 'offline' | 'unavailable'>('ready');
  const [problem, setProblem] = useState<string | null>(null);

  const fetchChallenge = async (): Promise<ChallengeRecord | null> => {
    const asked = await call<ChallengeRecord>(SIGN_IN_CALLS.passkeySignInOptions, { as: null });
    if (asked.ok) {
      setStatus((previous) => (previous === 'offline' ? 'ready' : previous));
      return asked.data;
    }
    if (asked.error.reason === 'missing') setStatus('unavailable');
    else if (isOfflineError(asked.error)) setStatus('offline');
    else setProblem(asked.error.message);
    return null;
  };
  /** Waits for the person to choose a passkey, then signs in. @param isAutofill whether it is chosen where the e-mail is typed */
  const signIn = async (challenge: ChallengeRecord, isAutofill: boolean): Promise<void> => {
    try {
      const proof = await choosePasskey(challenge, isAutofill);
      setStatus('busy');
      const body = { ...proof, time_zone: getDeviceZone() };
      const outcome = await authenticate(SIGN_IN_CALLS.passkeySignIn, body);
      if (outcome.ok) return;
      if (outcome.error.errors?.['passkey']) await signalUnknown(proof.response.id);
      setStatus(isOfflineError(outcome.error) ? 'offline' : 'ready');
      setProblem(isOfflineError(outcome.error) ? null : outcome.error.message);
      // The form was open for longer than the challenge works, for example on a phone that slept.
      if (isAutofill && outcome.error.errors?.['challenge_id']) await offerAutofill();
    } catch (error) {
      setStatus('ready');
      setProblem(getPasskeyErrorText(error));
    }
  };
  const isMounted = useRef(true);
  /** The current offer at the e-mail, and when it was made, by the page's clock. Null if there is none, or the browser has ended it. */
  const offer = useRef<{ at: number } | null>(null);
  const isChoosing = useRef(false);
  const offerAutofill = async () => {
    if (isUnsupported || !(await browserSupportsWebAuthnAutofill()) || !isMounted.current) return;
    const own = { at: performance.now() };
    offer.current = own;
    const challenge = await fetchChallenge();
    // Meanwhile the person may have pressed the button. A new offer would end their choice.
    if (challenge !== null && isMounted.current && !isChoosing.current) await signIn(challenge, true);
    // A browser ends an offer for good when a choice fails or is closed, or when it could not show it as the page opened.
    if (offer.current === own) offer.current = null;
  };
  /** Makes an offer where there is none, or an old one. A younger one may be waiting for a finger on the sensor. */
  const offerIfNeeded = useEffectEvent(() => {
    const isYoung = offer.current !== null && performance.now() - offer.current.at < RENEW_MS;
    const isNeeded = !isYoung || status === 'offline';
    if (isNeeded && document.visibilityState === 'visible' && !isChoosing.current) void offerAutofill();
  });
  useEffect(() => {
    isMounted.current = true;
    const check = () => offerIfNeeded();
    check();
    const timer = setInterval(check, CHECK_MS);
    addEventListener('online', check);
    document.addEventListener('visibilitychange', check);
    const checkAtEmail = ({ target }: FocusEvent) => {
      if (target instanceof HTMLInputElement && target.autocomplete.includes('webauthn')) check();
    };
    document.addEventListener('focusin', checkAtEmail);
    return () => {
      isMounted.current = false;
      clearInterval(timer);
      removeEventListener('online', check);
      document.removeEventListener('visibilitychange', check);
      document.removeEventListener('focusin', checkAtEmail);
      WebAuthnAbortService.cancelCeremony();
    };
  }, []);

  const press = async () => {
    if (status === 'busy' || isChoosing.current) return;
    isChoosing.current = true;
    setProblem(null);
    const challenge = await fetchChallenge();
    // The browser asks about one passkey at a time: this ends the offer at the e-mail, which comes back afterwards.
    if (challenge) await signIn(challenge, false);
    isChoosing.current = false;
    if (challenge) void offerAutofill();
  };

  if (isUnsupported || status === 'unavailable') return null;
  return (
    <div className="space-y-3">
      <Button
        look="line"
        size="large"
        icon={KeyRound}
        className="btn-block"
        aria-disabled={status === 'busy'}
        onClick={() => void press()}
      >
        {status === 'busy' ? 'Signing in…' : 'Sign in with a passkey'}
      </Button>
      {status === 'offline' && (
        <p role="status" className="flex gap-2 text-sm font-medium text-phone">
          <CloudOff className="ic" aria-hidden />
          You need to be online to sign in. What you saved on this {deviceWord()} is safe.
        </p>
      )}
      <FormSummary text={problem} />
    </div>
  );
}
