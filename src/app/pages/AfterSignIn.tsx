import { useEffect, useRef } from 'react';
import { Navigate, useLocation } from '#ui/router.tsx';
import { Login } from '#features/account/Login.tsx';
import { queueSummary } from '#db/queue-summary.ts';
import { carryOutIntent } from '#shared/carry-out-intent.ts';
import { useAccount } from '#session/session.tsx';
import { clearSignInState, getSignInState } from '#shared/sign-in-state.ts';
import { toastOnError } from '#shared/error-text.ts';
import { useQuery } from '#shared/queries/use-query.ts';

/** Performs what the visitor asked for before signing in. The next history entry no longer has the intent, so it runs once. */
function usePerformIntent(): void {
  const account = useAccount();
  const { intent } = getSignInState(useLocation().state);
  const isDone = useRef(false);
  useEffect(() => {
    clearSignInState();
    if (!intent || isDone.current) return;
    isDone.current = true;
    void toastOnError(carryOutIntent(account, intent));
  }, [account, intent]);
}

function ReturnToOrigin() {
  const { from } = getSignInState(useLocation().state);
  usePerformIntent();
  return <Navigate to={from ?? '/'} replace />;
}

/** The page /login for a signed-in person: returns to the page they came from, or shows the form if the token was refused. */
export function AfterSignIn() {
  const queue = useQuery(queueSummary, []);
  if (queue === undefined) return null;
  return queue.signInNeeded ? <Login /> : <ReturnToOrigin />;
}

/** The page /register for a signed-in person: right after signing up they have no profile, so the wizard opens. */
export function AfterSignUp() {
  const { from } = getSignInState(useLocation().state);
  usePerformIntent();
  return <Navigate to="/profile/step/1" replace state={{ from }} />;
}
