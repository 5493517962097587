import { createContext, type ReactNode, useContext, useEffect, useEffectEvent, useState } from 'react';
import type { Endpoint } from '#contract/section.ts';
import type { SignedIn, User } from '#contract/records/account.ts';
import { readSession, writeSession } from '#db/device.ts';
import type { AppError } from '#net/app-error.ts';
import { API_BASE, call, setSender } from '#net/client.ts';
import type { Sender } from '#net/wire.ts';
import { deviceWord } from '#ui/device.ts';
import { readLocal } from '#ui/read-local.ts';
import type { Account } from './account.ts';
import type { SignOutMode } from './wipe.ts';

export type Outcome = { ok: true } | { ok: false; error: AppError };

export interface Session {
  state: 'starting' | 'signed out' | 'signed in';
  user: User | null;
  account: Account | null;
  /** Signs in with one of the calls that return a token. */
  authenticate(endpoint: Pick<Endpoint, 'method' | 'path'>, body: object): Promise<Outcome>;
  /** Shows other details of the signed-in person. Call `useUpdateUser` instead, which also stores them. */
  showUser(user: User): void;
  signOut(mode: SignOutMode): Promise<void>;
}

const SessionContext = createContext<Session | null>(null);
/** The same key as in `stored-session.ts`, which is loaded only when it is needed. */
const TOKEN = 'token';

/** The session whose token requests carry; a page has at most one. */
const sender: { current: Sender | null } = { current: null };
setSender(() => sender.current);

/** Loads the code that opens an account. */
type FetchAccountCode = () => Promise<{ openAccount(user: User): Promise<Account> }>;

let restoring: Promise<Account | null> | null = null;

/**
 * Opens the account of the session that is stored on this device; null if there is none. The entry calls it before React
 * renders, so that the store opens in the meantime. All callers get the same account.
 */
export function restoreSession(fetchAccountCode: FetchAccountCode): Promise<Account | null> {
  return (restoring ??= openStoredAccount(fetchAccountCode));
}

async function openStoredAccount(fetchAccountCode: FetchAccountCode): Promise<Account | null> {
  const stored = await findStoredSession();
  if (stored === null) return null;
  sender.current = { token: stored.token, userId: stored.user.id, apiBase: API_BASE };
  const { openAccount } = await fetchAccountCode();
  return openAccount(stored.user);
}

interface SessionProviderProps {
  fetchAccountCode: FetchAccountCode;
  children: ReactNode;
}

/** Holds the session. Store and engine are in a chunk of their own, which is loaded only for a signed-in person. */
export function SessionProvider({ fetchAccountCode, children }: SessionProviderProps) {
  const [state, setState] = useState<Session['state']>('starting');
  const [account, setAccount] = useState<Account | null>(null);

  const restore = useEffectEvent(() => restoreSession(fetchAccountCode));
  useEffect(() => {
    if (readLocal(PENDING_SIGN_OUTS)) finishSignOuts();
    let isUnmounted = false;
    const show = (restored: Account | null) => {
      if (isUnmounted) return;
      setAccount(restored);
      setState(restored === null ? 'signed out' : 'signed in');
    };
    restore().then(show, (error: unknown) => {
      console.error(error);
      if (isUnmounted) return;
      // Some browsers refuse storage in private windows. Nobody can be signed in there, and the public pages still work. With
      // a token, the store itself is broken, and a reload usually repairs it.
      if (readLocal(TOKEN) === null) setState('signed out');
      else void import('#open-store/store-loss.ts').then(({ handleStoreLoss }) => handleStoreLoss('lost'), reportError);
    });
    return () => {
      isUnmounted = true;
    };
  }, []);

  async function startSession({ token, user }: SignedIn): Promise<void> {
    // The person may have left the store that is about to be opened. One that is open holds what they have done since.
    if (readLocal(PENDING_SIGN_OUTS) && account?.user.id !== user.id)
      await import('./left-stores.ts').then(({ wipeLeftStores }) => wipeLeftStores(user.id));
    await writeSession({ token, userId: user.id, user, apiBase: API_BASE });
    localStorage.setItem(TOKEN, token);
    sender.current = { token, userId: user.id, apiBase: API_BASE };
    if (account !== null && account.user.id === user.id) {
      await account.engine.signedIn();
      return (await import('./live.ts')).wakeLive();
    }
    await account?.close();
    const { openAccount } = await fetchAccountCode();
    const opened = await openAccount(user);
    // An earlier token may have left the queue paused.
    await opened.engine.signedIn();
    setAccount(opened);
    setState('signed in');
  }

  const session: Session = {
    state,
    user: account?.user ?? null,
    account,
    async authenticate(endpoint, body) {
      const refusal = await findStorageRefusal();
      if (refusal) return { ok: false, error: refusal };
      const answer = await call<SignedIn>(endpoint, { body });
      if (!answer.ok) return answer;
      await startSession(answer.data);
      return { ok: true };
    },
    showUser: (shown) => setAccount((previous) => previous && { ...previous, user: shown }),
    async signOut(mode) {
      if (account === null) return;
      const { leaveAccount } = await import('./wipe.ts');
      try {
        await leaveAccount(account, mode, sender);
      } finally {
        // Whatever failed then, nobody is signed in any more.
        if (sender.current === null) {
          setAccount(null);
          setState('signed out');
          finishSignOuts();
        }
      }
    },
  };
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** What to say if this browser stores nothing for the app. Asked before the server opens a session, or creates an account, in vain. */
async function findStorageRefusal(): Promise<AppError | null> {
  try {
    localStorage.setItem('probe', '');
    localStorage.removeItem('probe');
    await readSession();
    return null;
  } catch (error) {
    console.warn(error);
    const message =
      (error as Error).name === 'QuotaExceededError'
        ? `Your ${deviceWord()} is full. Free some space, then try again.`
        : 'This browser does not let Callboard store anything. Allow site data, or use an ordinary window, then try again.';
    return { reason: 'forbidden', status: 0, message };
  }
}

/** Set while a sign-out of this device may be unfinished, here or on the server. The same key as in `wipe.ts`. */
const PENDING_SIGN_OUTS = 'farewell';

/** Finishes those sign-outs. If that fails, the next start tries again, and the worker tells the server. */
function finishSignOuts(): void {
  Promise.all([import('./pending-sign-outs.ts'), import('./left-stores.ts')])
    .then(([ending, left]) => Promise.all([ending.sendPendingSignOuts(), left.wipeLeftStores()]))
    .then(([remaining]) => remaining || localStorage.removeItem(PENDING_SIGN_OUTS))
    .catch(console.warn);
}

/** Returns the session stored on this device. The token is stored in two places, and either one restores the other. */
async function findStoredSession(): Promise<{ token: string; user: User } | null> {
  const token = readLocal(TOKEN);
  const stored = await readSession();
  if (stored !== null && (token === null || token === stored.token || token === stored.previousToken)) {
    localStorage.setItem(TOKEN, stored.token);
    return stored;
  }
  if (token === null) return null;
  // Another page of this origin stored the token; the server says whose it is.
  const { fetchUser } = await import('#net/initial-fetch.ts');
  const user = await fetchUser(token);
  if (user === null) return null;
  await writeSession({ token, userId: user.id, user, apiBase: API_BASE });
  return { token, user };
}

/** Returns the session. Throws outside a `SessionProvider`. */
export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession outside SessionProvider');
  return session;
}

/** Returns the signed-in account. Throws outside a signed-in route. */
export function useAccount(): Account {
  const { account } = useSession();
  if (account === null) throw new Error('useAccount while signed out');
  return account;
}
