import { Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import type { Profile } from '#contract/records/profile.ts';
import { IconButton } from '#ui/Button.tsx';
import { useSheetParam } from '#ui/use-sheet-param.ts';
import { lazyPart } from '#ui/lazy-part.ts';

const ShareSheet = lazyPart(async () => (await import('./ShareSheet.tsx')).ShareSheet);

interface ShareButtonProps {
  profile: Profile;
  isOwner?: boolean;
  /** Rendered at the end of the sheet. */
  children?: ReactNode;
}

/** A button that opens the casting card. */
export function ShareButton({ profile, isOwner = false, children }: ShareButtonProps) {
  const sheet = useSheetParam('share');
  return (
    <>
      <IconButton
        label={isOwner ? 'Share your profile' : `Share ${profile.stage_name}`}
        title="Share"
        icon={Share2}
        className="btn btn-tonal btn-square"
        onClick={() => sheet.open()}
      />
      {sheet.isOpen && (
        <ShareSheet profile={profile} isOwner={isOwner} onClose={sheet.close}>
          {children}
        </ShareSheet>
      )}
    </>
  );
}
