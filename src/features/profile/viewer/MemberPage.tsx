import type { ReactNode } from 'react';
import { useParams } from '#ui/router.tsx';
import { useAccount } from '#session/session.tsx';
import { MemberActions } from './MemberActions.tsx';
import { lazyOptional } from '#ui/lazy-part.ts';
import { OwnFeedback } from './OwnFeedback.tsx';
import { PageOrError } from './PageOrError.tsx';
import { PublicProfile, type PublicProfileProps } from './PublicProfile.tsx';
import { useProfilePage } from './use-profile-page.ts';

const FeedbackReport = lazyOptional(async () => (await import('./FeedbackReport.tsx')).FeedbackReport);

interface MemberPageProps {
  portfolio: PublicProfileProps['portfolio'];
  missing: ReactNode;
}

/** Somebody else's profile for a signed-in person. It is cached when opened and readable offline from then on. */
export function MemberPage(props: MemberPageProps) {
  const { userSlug = '', typeSlug = '' } = useParams();
  return <MemberProfile key={`${userSlug}/${typeSlug}`} userSlug={userSlug} typeSlug={typeSlug} {...props} />;
}

function MemberProfile({
  userSlug,
  typeSlug,
  portfolio,
  missing,
}: MemberPageProps & { userSlug: string; typeSlug: string }) {
  const { db, user } = useAccount();
  const state = useProfilePage(userSlug, typeSlug, db);
  return (
    <PageOrError state={state} missing={missing}>
      {(profile, page) => (
        <PublicProfile
          profile={profile}
          page={page}
          portfolio={portfolio}
          actions={<MemberActions profile={profile} />}
          viewerId={user.id}
          renderMenu={(item) => <FeedbackReport item={item} />}
          extra={(section) => section.writtenBy && <OwnFeedback section={section} profileId={profile.id} />}
        />
      )}
    </PageOrError>
  );
}
