import { createContext, type ReactNode, useContext, useEffect, useRef, useState } from 'react';
import { CALLS } from '#contract/calls.ts';
import type { SignedIn, User } from '#contract/records/account.ts';
import { clearSession, readSession, writeSession } from '#db/device.ts';
import type { AppError } from '#net/app-error.ts';
import { API_BASE, call, setSender } from '#net/client.ts';
import type { Sender } from '#net/wire.ts';
import type { Account } from './account.ts';

export type Outcome = { ok: true } | { ok: false; error: AppError };
/** What becomes of unsent changes at sign-out. Of a deleted account nothing is left that could take or tell anything. */
export type SignOutMode = 'send now' | 'keep' | 'discard' | 'account gone';

export interface Session {
  state: 'starting' | 'signed out' | 'signed in';
  user: User | null;
  account: Account | null;
  register(body: { name: string; email: string; password: string }): Promise<Outcome>;
  signIn(body: { email: string; password: string }): Promise<Outcome>;
  signOut(mode: SignOutMode): Promise<Outcome>;
}

const SessionContext = createContext<Session | null>(null);
const TOKEN = 'token';

/** Holds who is signed in; the store and the engine come in a chunk of their own, and only for somebody signed in. */
export function SessionProvider({ children }: { children: ReactNode }) {
  const [state, setState] = useState<Session['state']>('starting');
  const [account, setAccount] = useState<Account | null>(null);
  const sender = useRef<Sender | null>(null);

  useEffect(() => {
    setSender(() => sender.current);
    if (localStorage.getItem(LEFT)) endLeftSessions();
    let left = false;
    const begin = async () => {
      const found = await findSession();
      if (left) return;
      if (found === null) return setState('signed out');
      sender.current = { token: found.token, userId: found.user.id, apiBase: API_BASE };
      await enter(found.user);
    };
    begin().catch((error: unknown) => {
      console.error(error);
      if (left) return;
      // Nobody could have signed in where storage is refused, as in private windows of some browsers: there the public
      // pages still work. Where somebody has, the store is broken, and a reload mostly mends it.
      if (localStorage.getItem(TOKEN) === null) setState('signed out');
      else void import('./store-loss.ts').then(({ leaveStore }) => leaveStore('lost'), reportError);
    });
    return () => {
      left = true;
    };
  }, []);

  async function enter(user: User, renewed = false): Promise<void> {
    const { openAccount } = await import('./account.ts');
    const opened = await openAccount(user);
    // A pause left from an earlier token must not outlive it.
    if (renewed) await opened.engine.signedIn();
    setAccount(opened);
    setState('signed in');
  }

  async function establish({ token, user }: SignedIn): Promise<void> {
    await writeSession({ token, userId: user.id, user, apiBase: API_BASE });
    localStorage.setItem(TOKEN, token);
    sender.current = { token, userId: user.id, apiBase: API_BASE };
    if (account !== null && account.user.id === user.id) {
      await account.engine.signedIn();
      return (await import('./live.ts')).wakeLive();
    }
    await account?.close();
    await enter(user, true);
  }

  async function admit(endpoint: typeof CALLS.login | typeof CALLS.register, body: object): Promise<Outcome> {
    const answer = await call<SignedIn>(endpoint, { body });
    if (!answer.ok) return answer;
    await establish(answer.data);
    return { ok: true };
  }

  const session: Session = {
    state,
    user: account?.user ?? null,
    account,
    register: (body) => admit(CALLS.register, body),
    signIn: (body) => admit(CALLS.login, body),
    async signOut(mode) {
      if (account === null) return { ok: true };
      if (mode === 'send now') {
        await account.engine.tryNow();
        const left = await account.db.outbox.count();
        const message =
          left === 1
            ? '1 change could not be sent yet. Try again, or keep it here.'
            : `${left} changes could not be sent yet. Try again, or keep them here.`;
        if (left > 0) return { ok: false, error: { reason: 'network', status: 0, message } };
      }
      const { queueFarewell, wipe } = await import('./wipe.ts');
      // Noted before the token goes: without a connection the server hears of it later.
      if (mode !== 'account gone' && sender.current) {
        localStorage.setItem(LEFT, '1');
        await queueFarewell(sender.current);
      }
      // The token first: from here on neither this page nor the worker can send for the person who left.
      sender.current = null;
      localStorage.removeItem(TOKEN);
      await clearSession();
      await wipe(account, mode === 'keep');
      setAccount(null);
      setState('signed out');
      endLeftSessions();
      return { ok: true };
    },
  };
  return <SessionContext value={session}>{children}</SessionContext>;
}

/** Set while a session that was left on this device may still live on the server. */
const LEFT = 'farewell';

/** Ends left sessions on the server. Where that fails, the worker or the next start does it. */
function endLeftSessions(): void {
  import('./farewells.ts')
    .then(async ({ sendLeft }) => (await sendLeft()) || localStorage.removeItem(LEFT))
    .catch(console.warn);
}

/** The session kept on this device; either of its two homes restores the other. */
async function findSession(): Promise<{ token: string; user: User } | null> {
  const token = localStorage.getItem(TOKEN);
  const kept = await readSession();
  if (kept !== null) {
    if (token === kept.token || token === null) {
      if (token === null) localStorage.setItem(TOKEN, kept.token);
      return kept;
    }
  }
  if (token === null) return null;
  // A token put there by another page of this origin: whose is it?
  const { whoIs } = await import('./first-look.ts');
  const user = await whoIs(token);
  if (user === null) return null;
  await writeSession({ token, userId: user.id, user, apiBase: API_BASE });
  return { token, user };
}

export function useSession(): Session {
  const session = useContext(SessionContext);
  if (session === null) throw new Error('useSession outside SessionProvider');
  return session;
}

/** The signed-in account; only below a signed-in route. */
export function useAccount(): Account {
  const { account } = useSession();
  if (account === null) throw new Error('useAccount while signed out');
  return account;
}
