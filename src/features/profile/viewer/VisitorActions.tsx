import { Bookmark, UserPlus } from 'lucide-react';
import { Link, useLocation } from 'react-router-dom';
import type { Profile } from '#contract/records/profile.ts';
import { ShareButton } from '../share/ShareButton.tsx';
import { ButtonLink } from '#ui/Button.tsx';

/** The same places signed out: each leads to signing in first, and back here. */
export function VisitorActions({ profile }: { profile: Profile }) {
  const { pathname } = useLocation();
  const state = { from: pathname };
  return (
    <>
      <ButtonLink to="/login" state={state} icon={UserPlus} className="grow">
        Connect
      </ButtonLink>
      <Link
        to="/login"
        state={state}
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
