import type { ReactNode } from 'react';
import { useParams } from 'react-router-dom';
import { useAccount } from '#session/session.tsx';
import { MemberActions } from './MemberActions.tsx';
import { OwnWords } from './OwnWords.tsx';
import { PageOrTrouble } from './PageOrTrouble.tsx';
import { PublicProfile, type PublicProfileProps } from './PublicProfile.tsx';
import { usePage } from './use-page.ts';

interface MemberPageProps {
  portfolio: PublicProfileProps['portfolio'];
  missing: ReactNode;
}

/** Somebody else's page for a signed-in person; once opened it is readable without signal. */
export function MemberPage(props: MemberPageProps) {
  const { userSlug = '', typeSlug = '' } = useParams();
  return <Visit key={`${userSlug}/${typeSlug}`} userSlug={userSlug} typeSlug={typeSlug} {...props} />;
}

function Visit({ userSlug, typeSlug, portfolio, missing }: MemberPageProps & { userSlug: string; typeSlug: string }) {
  const { db, user } = useAccount();
  const state = usePage(userSlug, typeSlug, db);
  return (
    <PageOrTrouble state={state} missing={missing}>
      {(profile, page) => (
        <PublicProfile
          profile={profile}
          page={page}
          portfolio={portfolio}
          actions={<MemberActions profile={profile} />}
          viewerId={user.id}
          extra={(section) => section.writtenBy && <OwnWords section={section} profileId={profile.id} />}
        />
      )}
    </PageOrTrouble>
  );
}
