import { Copy, FileText, Share2 } from 'lucide-react';
import type { ReactNode } from 'react';
import { Link } from '#ui/router.tsx';
import type { Profile } from '#contract/records/profile.ts';
import { VIEWERS } from '#contract/view-as.ts';
import { range } from '#lib/amounts.ts';
import { initials } from '#lib/text.ts';
import { Button, ButtonLink } from '#ui/Button.tsx';
import { copyText, LINK_COPIED } from '#ui/copy-text.ts';
import { RemoteImage } from '#ui/RemoteImage.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { toast } from '#ui/Toast.tsx';
import { getProfileUrl, formatFacts } from '#lib/profile-url.ts';
import { toQrPath } from '#shared/qr-path.ts';

const VIEWER_LABELS = { stranger: 'Stranger', member: 'Member', connection: 'Connection' };

interface ShareSheetProps {
  profile: Profile;
  /** Owners can view their page as others see it. */
  isOwner?: boolean;
  /** Rendered at the end of the sheet. */
  children?: ReactNode;
  onClose: () => void;
}

/** The casting card with its QR code, and the profile's URL to copy or send. Works offline. */
export function ShareSheet({ profile, isOwner = false, children, onClose }: ShareSheetProps) {
  const url = getProfileUrl(profile, location.origin);
  if (url === null) return null;
  const handleSend = () => {
    // An AbortError means that the person closed the share dialog.
    navigator.share({ title: profile.stage_name, url }).catch((error: unknown) => {
      if (!(error instanceof DOMException && error.name === 'AbortError')) toast({ text: 'Failed to share!' });
    });
  };
  return (
    <Sheet title={isOwner ? 'Your casting card' : 'Casting card'} onClose={onClose}>
      <CastingCard profile={profile} url={url} />
      {isOwner && profile.status !== 'active' && (
        <p className="text-sm text-muted">Your profile is not active, so only you can open this address.</p>
      )}
      <div className="flex items-center gap-2 rounded-field border border-field p-1 pl-3.5">
        <span className="min-w-0 grow truncate text-[0.9375rem]" title={url}>
          {url.replace(/^https?:\/\//, '')}
        </span>
        <Button look="tonal" icon={Copy} aria-label="Copy link" onClick={() => void copyText(url, LINK_COPIED)}>
          Copy
        </Button>
      </div>
      {'share' in navigator && (
        <Button look="tonal" icon={Share2} className="w-full" onClick={handleSend}>
          Send
        </Button>
      )}
      {isOwner && (
        <ButtonLink
          look="tonal"
          icon={FileText}
          className="w-full"
          to={`/cv/${profile.slug}/${profile.profile_type.slug}`}
        >
          CV as PDF
        </ButtonLink>
      )}
      {isOwner && (
        <section aria-labelledby="view-as">
          <h3 id="view-as" className="font-semibold">
            View as
          </h3>
          <div className="mt-2 grid grid-cols-1 gap-2 min-[360px]:grid-cols-3">
            {VIEWERS.map((viewer) => (
              <Link
                key={viewer}
                to={`/profile/${profile.slug}/${profile.profile_type.slug}?as=${viewer}`}
                className="btn btn-tonal"
              >
                {VIEWER_LABELS[viewer]}
              </Link>
            ))}
          </div>
        </section>
      )}
      {children}
    </Sheet>
  );
}

function CastingCard({ profile, url }: { profile: Profile; url: string }) {
  const { path, size } = toQrPath(url);
  const fallback = (
    <span
      className="grid size-full place-items-center bg-[oklch(31%_.046_162)] text-2xl font-bold text-white"
      aria-hidden
    >
      {initials(profile.stage_name)}
    </span>
  );
  const facts = formatFacts(profile.location, range(profile.min_age_range, profile.max_age_range));
  return (
    <div className="rounded-box bg-neutral p-4 text-neutral-content">
      <div className="flex items-center gap-4">
        <div className="arch aspect-[4/5] w-20 shrink-0">
          {profile.profile_photo ? (
            <RemoteImage src={profile.profile_photo} alt="" className="size-full object-cover" fallback={fallback} />
          ) : (
            fallback
          )}
        </div>
        <div className="min-w-0 leading-snug">
          <div className="text-xl font-bold break-words">{profile.stage_name}</div>
          {profile.title && <div className="mt-0.5 break-words">{profile.title}</div>}
          {facts && <div className="num break-words">{facts}</div>}
        </div>
      </div>
      {/* White in both themes: scanners need dark modules on a light background. */}
      <div className="mt-4 grid place-items-center rounded-xl bg-white p-1.5">
        <svg
          viewBox={`0 0 ${size} ${size}`}
          className="w-full max-w-56"
          role="img"
          aria-label={`QR code that opens ${profile.stage_name}’s profile`}
          shapeRendering="crispEdges"
        >
          <path d={path} fill="#10231b" />
        </svg>
      </div>
    </div>
  );
}
