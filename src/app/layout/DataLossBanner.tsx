import { Hand } from 'lucide-react';
import { useEffect, useState } from 'react';
import { sectionOf } from '#contract/sections/index.ts';
import { count } from '#lib/text.ts';
import { clearLoss, type PendingCounts, readLoss } from '#session/pending-work-marker.ts';
import { useAccount } from '#session/session.tsx';
import { deviceWord } from '#ui/device.ts';

/** Names of the places where changes are shown, for kinds other than sections. */
const PLACE_NAMES: Record<string, string> = {
  profile: 'your profile',
  avatar: 'your profile photo',
  media: 'Media',
  chat: 'Messages',
  conversation: 'Messages',
  person: 'Connections',
  saved_profile: 'Saved',
  saved_media: 'Saved',
  seen: 'Notifications',
};

/** Formats lost changes by place: '2 in Skills, 1 in Messages'. Returns '' if only their number is known. */
export function formatLostChanges(lost: PendingCounts): string {
  const byPlace = new Map<string, number>();
  for (const [kind, n] of Object.entries(lost)) {
    const place = PLACE_NAMES[kind] ?? sectionOf(kind)?.title;
    if (place) byPlace.set(place, (byPlace.get(place) ?? 0) + n);
  }
  return [...byPlace].map(([place, n]) => `${n} in ${place}`).join(', ');
}

/** Tells the person once that the browser evicted the store, and which unsent changes were lost. */
export function DataLossBanner() {
  const { user } = useAccount();
  const [lost] = useState(() => readLoss(user.id));
  const [isClosed, setIsClosed] = useState(false);
  useEffect(() => clearLoss(user.id), [user.id]);
  if (isClosed) return null;
  const total = Object.values(lost).reduce((sum, n) => sum + n, 0);
  const places = formatLostChanges(lost);
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-center gap-x-3 bg-needs-tint px-4 py-1 text-sm font-[550] text-needs"
    >
      <Hand className="ic" aria-hidden />
      <span>
        Your browser cleared this {deviceWord()}. {count(total, 'unsent change')} {total === 1 ? 'was' : 'were'} lost
        with it{places && `: ${places}`}. Install the app to keep this from happening again.
      </span>
      <button type="button" className="tap underline" onClick={() => setIsClosed(true)}>
        Close
      </button>
    </div>
  );
}
