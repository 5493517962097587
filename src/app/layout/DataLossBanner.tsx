import { Hand } from 'lucide-react';
import { useEffect, useState } from 'react';
import { sectionOf } from '#contract/sections/index.ts';
import { count } from '#lib/text.ts';
import { forgetLoss, type Kinds, readLoss } from '#session/canary.ts';
import { useAccount } from '#session/session.tsx';
import { deviceWord } from '#ui/device.ts';

/** Where changes of a kind show, for kinds that are no section. */
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

/** '2 in Skills, 1 in Messages'; '' where only the number is known. */
export function formatLostChanges(lost: Kinds): string {
  const byPlace = new Map<string, number>();
  for (const [kind, n] of Object.entries(lost)) {
    const place = PLACE_NAMES[kind] ?? sectionOf(kind)?.title;
    if (place) byPlace.set(place, (byPlace.get(place) ?? 0) + n);
  }
  return [...byPlace].map(([place, n]) => `${n} in ${place}`).join(', ');
}

/** The browser cleared the store while changes waited in it. Rare, and told once, with what is gone. */
export function DataLossBanner() {
  const { user } = useAccount();
  const [lost] = useState(() => readLoss(user.id));
  const [isRead, setIsRead] = useState(false);
  useEffect(() => forgetLoss(user.id), [user.id]);
  if (isRead) return null;
  const sum = Object.values(lost).reduce((all, n) => all + n, 0);
  const places = formatLostChanges(lost);
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-center gap-x-3 bg-needs-tint px-4 py-1 text-sm font-[550] text-needs"
    >
      <Hand className="ic" aria-hidden />
      <span>
        Your browser cleared this {deviceWord()}. {count(sum, 'unsent change')} {sum === 1 ? 'was' : 'were'} lost with
        it{places && `: ${places}`}. Install the app to keep this from happening again.
      </span>
      <button type="button" className="tap underline" onClick={() => setIsRead(true)}>
        Close
      </button>
    </div>
  );
}
