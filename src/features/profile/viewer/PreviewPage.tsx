import { Eye } from 'lucide-react';
import { type ReactNode, useMemo } from 'react';
import { useLocation, useParams } from '#ui/router.tsx';
import { type Viewer, VIEW_AS_HEADER, VIEWERS } from '#contract/view-as.ts';
import { ButtonLink } from '#ui/Button.tsx';
import { PageOrError } from './PageOrError.tsx';
import { PublicProfile, type PublicProfileProps } from './PublicProfile.tsx';
import { useProfilePage } from './use-profile-page.ts';

const VIEWER_TEXT: Record<Viewer, string> = {
  stranger: 'someone who is not signed in',
  member: 'a member you are not connected to',
  connection: 'one of your connections',
};

/** Parses the value of `?as=`; null if it is not a kind of viewer. */
export function parseViewer(value: string | null): Viewer | null {
  return VIEWERS.find((viewer) => viewer === value) ?? null;
}

interface PreviewPageProps {
  viewer: Viewer;
  portfolio: PublicProfileProps['portfolio'];
  missing: ReactNode;
}

/** The owner's profile as the server sends it to others, without caching and without actions. */
export function PreviewPage(props: PreviewPageProps) {
  const { userSlug = '', typeSlug = '' } = useParams();
  return <Preview key={`${userSlug}/${typeSlug}/${props.viewer}`} userSlug={userSlug} typeSlug={typeSlug} {...props} />;
}

function Preview({
  userSlug,
  typeSlug,
  viewer,
  portfolio,
  missing,
}: PreviewPageProps & { userSlug: string; typeSlug: string }) {
  const { pathname } = useLocation();
  const headers = useMemo(() => ({ [VIEW_AS_HEADER]: viewer }), [viewer]);
  const state = useProfilePage(userSlug, typeSlug, null, headers);
  return (
    <>
      <aside
        aria-label="Preview"
        className="sticky top-14 z-10 flex flex-wrap items-center gap-x-3 gap-y-1 bg-phone-tint px-3 py-1.5 text-phone md:top-[60px] md:px-6"
      >
        <Eye className="ic" aria-hidden />
        <span className="min-w-0 grow basis-40 text-sm font-medium">This is what {VIEWER_TEXT[viewer]} sees.</span>
        <ButtonLink to={pathname} look="line" className="!text-phone">
          Back to mine
        </ButtonLink>
      </aside>
      <PageOrError state={state} missing={missing}>
        {(profile, page) => <PublicProfile profile={profile} page={page} portfolio={portfolio} actions={null} />}
      </PageOrError>
    </>
  );
}
