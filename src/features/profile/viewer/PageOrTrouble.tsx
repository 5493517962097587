import { CloudOff, ServerCrash } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Profile } from '#contract/records/profile.ts';
import { Button } from '#ui/Button.tsx';
import { deviceWord } from '#ui/device.ts';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { usePageTitle } from '#ui/page-title.ts';
import { ProfileSkeleton } from '../ProfileSkeleton.tsx';
import type { Page } from './read-page.ts';
import type { PageState } from './use-page.ts';

interface PageOrTroubleProps {
  state: PageState;
  /** For an address that is nobody's. */
  missing: ReactNode;
  /** Said to whom nothing can be kept. */
  isVisitor?: boolean;
  children: (profile: Profile, page: Page) => ReactNode;
}

/** The page as soon as there is something of it, or plainly why there is not. */
export function PageOrTrouble({ state, missing, isVisitor = false, children }: PageOrTroubleProps) {
  const { page, reading, isSearched, retry } = state;
  const profile = page && (page.profile as Profile);
  if (reading?.is === 'missing') return missing;
  if (page && profile) return <Titled profile={profile}>{children(profile, page)}</Titled>;
  if (reading === null || !isSearched) return <ProfileSkeleton />;
  const error = reading.is === 'silent' ? reading.error : null;
  const isAway = error === null || error.reason === 'network' || error.reason === 'timeout';
  const later = isVisitor
    ? 'Go online to open it. Once you sign in, pages you open stay with you.'
    : `Go online to open it once. After that it stays on this ${deviceWord()}.`;
  return (
    <Titled profile={null}>
      <div className="px-3">
        <ErrorPage
          icon={isAway ? CloudOff : ServerCrash}
          title={isAway ? 'You have not opened this page before' : 'This page can’t be opened right now'}
          text={isAway ? later : error.message}
          action={
            <Button look="tonal" onClick={retry}>
              Try again
            </Button>
          }
        />
      </div>
    </Titled>
  );
}

function Titled({ profile, children }: { profile: Profile | null; children: ReactNode }) {
  usePageTitle(profile ? [profile.stage_name, profile.title].filter(Boolean).join(', ') : 'Profile');
  return children;
}
