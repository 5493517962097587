import { Bookmark, UserPlus } from 'lucide-react';
import { Link, useLocation } from '#ui/router.tsx';
import type { Profile } from '#contract/records/profile.ts';
import { toProfileCard } from '#lib/profile-card.ts';
import type { SignInState, VisitorIntent } from '#lib/visitor-intent.ts';
import { ButtonLink } from '#ui/Button.tsx';
import { ShareButton } from '../share/ShareButton.tsx';

/** The same places signed out: each leads to signing in first, then back here with what was asked for done. */
export function VisitorActions({ profile }: { profile: Profile }) {
  const { pathname } = useLocation();
  const stateFor = (kind: VisitorIntent['kind']): SignInState => ({
    from: pathname,
    intent: { kind, userId: String(profile.user_id), profile: toProfileCard(profile) },
  });
  return (
    <>
      <ButtonLink to="/login" state={stateFor('connect')} icon={UserPlus} className="grow">
        Connect
      </ButtonLink>
      <Link
        to="/login"
        state={stateFor('save')}
        className="tap btn btn-tonal btn-square"
        aria-label={`Save ${profile.stage_name}`}
        title="Sign in to save"
      >
        <Bookmark className="ic" aria-hidden />
      </Link>
      <ShareButton profile={profile} />
    </>
  );
}
