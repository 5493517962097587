import { KeyRound } from 'lucide-react';
import { useEffect, useRef, useState } from 'react';
import { reauthBody, type ReauthOptionsRecord, type ReauthRecord } from '#contract/records/sign-in.ts';
import { SIGN_IN_CALLS } from '#contract/sign-in-calls.ts';
import { call, type Result } from '#net/client.ts';
import { renewExclusively, storeRenewedToken } from '#session/renew-token.ts';
import { useSession } from '#session/session.tsx';
import { Button } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { focusFirstInvalid, FormSummary } from '#ui/Field.tsx';
import { PasswordField } from '#ui/PasswordField.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { Loading, Skeleton } from '#ui/Skeleton.tsx';
import { choosePasskey, getPasskeyErrorText, getUnsupportedText } from './passkeys.ts';

/** Proves who the person is, and stores the new token before anything uses it. */
const proveIt = (body: object): Promise<Result<ReauthRecord>> =>
  renewExclusively(async () => {
    const answer = await call<ReauthRecord>(SIGN_IN_CALLS.reauth, { body });
    if (answer.ok) await storeRenewedToken(answer.data.token);
    return answer;
  });

/** Asks the person to prove who they are, with a passkey or the password. */
export function FreshSignInSheet({ onClose }: { onClose: (isProven: boolean) => void }) {
  const { user } = useSession();
  const [options, setOptions] = useState<ReauthOptionsRecord | null>(null);
  const [attempt, setAttempt] = useState(0);
  const [password, setPassword] = useState('');
  const [fieldError, setFieldError] = useState<string>();
  const [problem, setProblem] = useState<string | null>(null);
  const body = useRef<HTMLDivElement>(null);
  useEffect(() => {
    if (fieldError !== undefined) focusFirstInvalid(body.current);
  }, [fieldError]);
  const [busyWith, setBusyWith] = useState<'password' | 'passkey' | null>(null);

  useEffect(() => {
    let isMounted = true;
    void call<ReauthOptionsRecord>(SIGN_IN_CALLS.reauthOptions).then((answer) => {
      if (!isMounted) return;
      // The password works without options, and most people have one.
      if (!answer.ok) setOptions({ ways: { password: true, passkeys: 0 }, challenge: null });
      else setOptions(answer.data);
    });
    return () => {
      isMounted = false;
    };
  }, [attempt]);

  const finish = async (way: 'password' | 'passkey', body: object) => {
    const answer = await proveIt(body);
    if (answer.ok) return onClose(true);
    const { errors, message, reason } = answer.error;
    setFieldError(way === 'password' ? errors?.['password']?.join('. ') : undefined);
    if (reason === 'network' || reason === 'timeout') setProblem('No connection. Nothing has happened yet. Try again.');
    else setProblem(way === 'password' && errors?.['password'] ? null : message);
    // The challenge is used up.
    if (way === 'passkey') setAttempt((previous) => previous + 1);
  };
  const run = async (way: 'password' | 'passkey', work: () => Promise<void>) => {
    if (busyWith !== null) return;
    setBusyWith(way);
    setProblem(null);
    setFieldError(undefined);
    try {
      await work();
    } finally {
      setBusyWith(null);
    }
  };
  const proveByPassword = () =>
    run('password', async () => {
      const checked = reauthBody.safeParse({ password });
      if (!checked.success) return setFieldError(checked.error.issues[0]?.message);
      await finish('password', checked.data);
    });
  const proveByPasskey = (challenge: NonNullable<ReauthOptionsRecord['challenge']>) =>
    run('passkey', async () => {
      try {
        await finish('passkey', await choosePasskey(challenge));
      } catch (error) {
        setProblem(getPasskeyErrorText(error));
        setAttempt((previous) => previous + 1);
      }
    });

  const challenge = getUnsupportedText() === null ? options?.challenge : null;
  const hasPassword = options?.ways.password ?? false;
  return (
    <Sheet
      title="Is it you?"
      onClose={() => onClose(false)}
      onSubmit={() => void (hasPassword && proveByPassword())}
      foot={
        <>
          <Button look="line" className="flex-1" onClick={() => onClose(false)}>
            Cancel
          </Button>
          {hasPassword && (
            <Button
              type="submit"
              look={challenge ? 'tonal' : 'primary'}
              className="flex-1"
              aria-disabled={busyWith !== null}
            >
              {busyWith === 'password' ? 'Checking…' : 'Go on'}
            </Button>
          )}
        </>
      }
    >
      <div ref={body} className="space-y-4">
        <p className="text-muted">We ask before this, so that nobody else can do it on your {deviceWord()}.</p>
        <FormSummary text={problem} />
        {options === null ? (
          <Loading label="Getting ready">
            <Skeleton className="h-24 w-full" />
          </Loading>
        ) : (
          <>
            {challenge && (
              <Button
                icon={KeyRound}
                size="large"
                className="btn-block"
                aria-disabled={busyWith !== null}
                onClick={() => void proveByPasskey(challenge)}
              >
                {busyWith === 'passkey' ? 'Waiting for your passkey…' : 'Use your passkey'}
              </Button>
            )}
            {!challenge && !hasPassword && (
              <p className="font-medium">
                Your passkeys don’t work in this browser. Use one that has them, or sign out and in again with a
                recovery code.
              </p>
            )}
            {hasPassword && (
              <>
                {/* Tells password managers whose password is asked for. */}
                <input type="text" name="username" autoComplete="username" value={user?.email ?? ''} readOnly hidden />
                <PasswordField
                  label={challenge ? 'Or your password' : 'Your password'}
                  showLabel="Show your password"
                  name="password"
                  autoComplete="current-password"
                  value={password}
                  onChange={setPassword}
                  error={fieldError}
                />
              </>
            )}
          </>
        )}
      </div>
    </Sheet>
  );
}
