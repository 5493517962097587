import { Clapperboard, SearchX } from 'lucide-react';
import { type ReactNode, useRef } from 'react';
import { isPulled } from '#db/first-pull.ts';
import type { AccountDb } from '#db/database.ts';
import { keepIdentity } from '#db/keep-identity.ts';
import { useSession } from '#session/session.tsx';
import { SignInFirst } from '#shared/SignInFirst.tsx';
import { FirstPull } from '#shared/FirstPull.tsx';
import { useQuery } from '#shared/queries/use-query.ts';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { usePageTitle } from '#ui/page-title.ts';

interface FrameProps<T> {
  title: string;
  /** Reads what the page shows from this device; null if it is not there. */
  query: (db: AccountDb) => Promise<T | null>;
  deps: unknown[];
  /** What a person without an account reads. */
  signInText: string;
  /** What is missing: 'role'. */
  noun: string;
  children: (view: T) => ReactNode;
}

/** A page of casting or auditions: read from this device, for people who are signed in. */
export function CastingPageFrame<T>({ signInText, ...props }: FrameProps<T>) {
  usePageTitle(props.title);
  const { account } = useSession();
  if (account !== null) return <View {...props} />;
  return <SignInFirst icon={Clapperboard} title="Sign in first" text={signInText} />;
}

function View<T>({ title, query, deps, noun, children }: Omit<FrameProps<T>, 'signInText'>) {
  const last = useRef<{ view: T | null }>(null);
  // Wrapped, so that "not there" differs from "not read yet".
  const found = useQuery(async (db) => (last.current = keepIdentity(last.current, { view: await query(db) })), deps);
  const isFirstPullDone = useQuery(isPulled, []);
  if (found === undefined || isFirstPullDone === undefined) return null;
  if (found.view !== null) return children(found.view);
  if (!isFirstPullDone) return <FirstPull label={`Loading ${title}`} />;
  return (
    <ErrorPage icon={SearchX} title={`This ${noun} is not here`} text="It was deleted, or it is not meant for you." />
  );
}
