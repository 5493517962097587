import { FileText } from 'lucide-react';
import type { Profile } from '#contract/records/profile.ts';
import { CvPage } from '#features/cv/CvPage.tsx';
import { useOwnProfile } from '#features/profile/use-own-profile.ts';
import { useSession } from '#session/session.tsx';
import { SignInFirst } from '#shared/SignInFirst.tsx';
import { FirstPull } from '#shared/FirstPull.tsx';
import { ButtonLink } from '#ui/Button.tsx';
import { ErrorPage } from '#ui/ErrorPage.tsx';
import { useParams } from '#ui/router.tsx';

/** The CV of one of the person's own profiles: the Home profile at `/cv`, a given one at `/cv/{userSlug}/{typeSlug}`. */
export function Cv() {
  const { state, account } = useSession();
  if (state === 'starting') return null;
  if (account === null) {
    return (
      <SignInFirst
        icon={FileText}
        title="Sign in to make your CV"
        text="Callboard makes it from your profile, as a PDF."
      />
    );
  }
  return <OwnCv />;
}

function OwnCv() {
  const { userSlug, typeSlug } = useParams();
  const data = useOwnProfile(userSlug === undefined ? null : `/profile/${userSlug}/${typeSlug}`);
  if (data === undefined) return null;
  const { profile, isLoaded, isEmpty } = data;
  if (profile && isLoaded) {
    const { item, sections } = profile;
    return <CvPage key={item.key} item={item} profile={item.body as Profile} sections={sections} />;
  }
  if (!isLoaded && !isEmpty) return <FirstPull label="Loading your profile" className="px-3" />;
  return (
    <ErrorPage
      icon={FileText}
      title="There is no such profile of yours"
      text="A CV is made from a profile of your own."
      action={<ButtonLink to="/">Go to your profile</ButtonLink>}
    />
  );
}
