import { CloudOff, ServerCrash } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Profile } from '#contract/records/profile.ts';
import { Button } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { ProfileSkeleton } from '../ProfileSkeleton.tsx';
import type { Page } from './read-page.ts';
import type { PageState } from './use-profile-page.ts';

interface PageOrErrorProps {
  state: PageState;
  /** Shown if no profile has this address. */
  missing: ReactNode;
  /** Changes the offline text: visitors have no cache. */
  isVisitor?: boolean;
  children: (profile: Profile, page: Page) => ReactNode;
}

/** Renders the page from the cache or the server, a skeleton until then, or the reason why there is neither. */
export function PageOrError({ state, missing, isVisitor = false, children }: PageOrErrorProps) {
  const { page, result, isCacheRead, retry } = state;
  const profile = page && (page.profile as Profile);
  if (result?.status === 'missing') return missing;
  if (page && profile) return <Titled profile={profile}>{children(profile, page)}</Titled>;
  if (result === null || !isCacheRead) return <ProfileSkeleton />;
  const error = result.status === 'failed' ? result.error : null;
  const isOffline = error === null || error.reason === 'network' || error.reason === 'timeout';
  const offlineText = isVisitor
    ? 'Go online to open it. Once you sign in, pages you open stay with you.'
    : `Go online to open it once. After that it stays on this ${deviceWord()}.`;
  return (
    <Titled profile={null}>
      <ErrorPage
        icon={isOffline ? CloudOff : ServerCrash}
        title={isOffline ? 'You have not opened this page before' : 'This page can’t be opened right now'}
        text={isOffline ? offlineText : error.message}
        action={
          <Button look="tonal" onClick={retry}>
            Try again
          </Button>
        }
      />
    </Titled>
  );
}

function Titled({ profile, children }: { profile: Profile | null; children: ReactNode }) {
  usePageTitle(profile ? [profile.stage_name, profile.title].filter(Boolean).join(', ') : 'Profile');
  return children;
}
