import { useEffect, useRef } from 'react';
import { Navigate, useLocation } from 'react-router-dom';
import { Login } from '#features/account/Login.tsx';
import { queueSummary } from '#db/queries.ts';
import { carryOut } from '#shared/carry-out.ts';
import { useAccount } from '#session/session.tsx';
import { forgetSignInState, signInState } from '#session/sign-in-state.ts';
import { tellTrouble } from '#shared/trouble.ts';
import { useQuery } from '#shared/queries/use-query.ts';

/** Does what the visitor asked for before signing in. The address that follows no longer holds it, so it is done once. */
function usePerformIntent(): void {
  const account = useAccount();
  const { intent } = signInState(useLocation().state);
  const isDone = useRef(false);
  useEffect(() => {
    forgetSignInState();
    if (!intent || isDone.current) return;
    isDone.current = true;
    void tellTrouble(carryOut(account, intent));
  }, [account, intent]);
}

function ReturnToOrigin() {
  const { from } = signInState(useLocation().state);
  usePerformIntent();
  return <Navigate to={from ?? '/'} replace />;
}

/** /login of somebody signed in: on to where they were going. A refused token still needs the form. */
export function AfterSignIn() {
  const queue = useQuery(queueSummary, []);
  if (queue === undefined) return null;
  return queue.signInNeeded ? <Login /> : <ReturnToOrigin />;
}

/** /register of somebody signed in: straight from signing up there is no profile yet. */
export function AfterSignUp() {
  const { from } = signInState(useLocation().state);
  usePerformIntent();
  return <Navigate to="/profile/step/1" replace state={{ from }} />;
}
