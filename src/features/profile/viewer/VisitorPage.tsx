import type { ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import { PageOrTrouble } from './PageOrTrouble.tsx';
import { PublicProfile, type PublicProfileProps } from './PublicProfile.tsx';
import { VisitorActions } from './VisitorActions.tsx';
import { usePage } from './use-page.ts';

interface VisitorPageProps {
  portfolio: PublicProfileProps['portfolio'];
  missing: ReactNode;
}

/** Somebody's page for a visitor who is not signed in: nothing of it is kept here. */
export function VisitorPage(props: VisitorPageProps) {
  const { userSlug = '', typeSlug = '' } = useParams();
  return <Visit key={`${userSlug}/${typeSlug}`} userSlug={userSlug} typeSlug={typeSlug} {...props} />;
}

function Visit({ userSlug, typeSlug, portfolio, missing }: VisitorPageProps & { userSlug: string; typeSlug: string }) {
  const state = usePage(userSlug, typeSlug, null);
  return (
    <PageOrTrouble state={state} missing={missing} isVisitor>
      {(profile, page) => (
        <PublicProfile
          profile={profile}
          page={page}
          portfolio={portfolio}
          actions={<VisitorActions profile={profile} />}
        />
      )}
    </PageOrTrouble>
  );
}
