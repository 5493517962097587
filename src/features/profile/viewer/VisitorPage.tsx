import type { ReactNode } from 'react';
import { useParams } from '#ui/router.tsx';
import { PageOrError } from './PageOrError.tsx';
import { PublicProfile, type PublicProfileProps } from './PublicProfile.tsx';
import { VisitorActions } from './VisitorActions.tsx';
import { useProfilePage } from './use-profile-page.ts';

interface VisitorPageProps {
  portfolio: PublicProfileProps['portfolio'];
  missing: ReactNode;
}

/** A profile for a visitor who is not signed in. Nothing is cached. */
export function VisitorPage(props: VisitorPageProps) {
  const { userSlug = '', typeSlug = '' } = useParams();
  return <VisitorProfile key={`${userSlug}/${typeSlug}`} userSlug={userSlug} typeSlug={typeSlug} {...props} />;
}

function VisitorProfile({
  userSlug,
  typeSlug,
  portfolio,
  missing,
}: VisitorPageProps & { userSlug: string; typeSlug: string }) {
  const state = useProfilePage(userSlug, typeSlug, null);
  return (
    <PageOrError state={state} missing={missing} isVisitor>
      {(profile, page) => (
        <PublicProfile
          profile={profile}
          page={page}
          portfolio={portfolio}
          actions={<VisitorActions profile={profile} />}
        />
      )}
    </PageOrError>
  );
}
