import { CloudOff, KeyRound, SearchX } from 'lucide-react';
import type { ReactNode } from 'react';
import type { AppError } from '#net/app-error.ts';
import { Button } from '#ui/Button.tsx';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { Loading, Skeleton } from '#ui/Skeleton.tsx';
import type { DeskData } from './use-desk.ts';

/** Says why the desk does not open. For people who do not work there it does not exist. */
export function Refused({ error, onRetry }: { error: AppError; onRetry: () => Promise<void> }) {
  if (error.reason === 'forbidden') {
    const confirm = async () => {
      const { askWhoItIs } = await import('#shared/fresh-sign-in/ask-who-it-is.tsx');
      if (await askWhoItIs()) await onRetry();
    };
    return (
      <ErrorPage
        icon={KeyRound}
        title="The desk opens with a passkey"
        text="Use yours to go on. If you have none yet, add one in Settings."
        action={<Button onClick={() => void confirm()}>Go on</Button>}
      />
    );
  }
  if (error.reason === 'missing' || error.reason === 'unauthorized') {
    return <ErrorPage icon={SearchX} title="There is nothing here" text="This page does not exist, or no longer." />;
  }
  return (
    <ErrorPage
      icon={CloudOff}
      title="The desk needs signal"
      text={error.message}
      action={<Button onClick={() => void onRetry()}>Try again</Button>}
    />
  );
}

interface DeskFrameProps<T> {
  title: string;
  result: DeskData<T>;
  onRetry: () => Promise<void>;
  children: (data: T) => ReactNode;
}

/** A page of the desk: what was loaded, or why not. */
export function DeskFrame<T>({ title, result, onRetry, children }: DeskFrameProps<T>) {
  usePageTitle(title);
  return (
    <div className="mx-auto w-full max-w-[720px] px-3 pt-4 pb-6 md:pt-8">
      {result.status === 'loading' && (
        <Loading label={`Loading ${title}`} isPage>
          <Skeleton className="h-40 w-full rounded-box" />
        </Loading>
      )}
      {result.status === 'refused' && <Refused error={result.error} onRetry={onRetry} />}
      {result.status === 'loaded' && children(result.data)}
    </div>
  );
}
