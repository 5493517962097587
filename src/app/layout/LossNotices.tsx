import { Hand } from 'lucide-react';
import { useEffect, useState } from 'react';
import { sectionOf } from '#contract/sections/index.ts';
import { count } from '#lib/text.ts';
import { clearLoss, type PendingCounts, readLoss } from '#open-store/pending-work-marker.ts';
import { forgetLost, readLost } from '#db/lost-devices.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from '#shared/queries/use-query.ts';
import { deviceWord } from '#ui/device.ts';
import { useLocation } from '#ui/router.tsx';
import { NeverArrived } from './NeverArrived.tsx';

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
  take: 'the tape booth',
  project: 'Casting',
  role: 'Casting',
  request: 'Casting',
  link: 'Casting',
  project_member: 'Casting',
  candidate: 'Casting',
  audition: 'Auditions',
  availability: 'Availability',
  // Those of a performer and the marks of casting alike.
  tape: 'tapes',
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

/** Tells the person once that the browser evicted this device's store, and which unsent changes were lost, as far as this device knows. */
function OwnLoss({ lost, onClose }: { lost: PendingCounts; onClose: () => void }) {
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
      <button type="button" className="tap underline" onClick={onClose}>
        Close
      </button>
    </div>
  );
}

/** Tells which changes were lost with the storage of this device, as it knows itself, and of all devices, as the server knows. */
export function LossNotices() {
  const { user, db } = useAccount();
  const { pathname } = useLocation();
  const devices = useQuery(readLost, []);
  const [own, setOwn] = useState(() => readLoss(user.id));
  useEffect(() => clearLoss(user.id), [user.id]);
  const hasOwn = Object.keys(own).length > 0;
  const hasNothing = devices?.length === 0 && !hasOwn;
  useEffect(() => {
    if (hasNothing) db.meta.delete('lost').catch(reportError);
  }, [hasNothing, db]);
  // What this device knows of its own loss is more exact.
  const shown = devices?.filter(({ current }) => !current || !hasOwn) ?? [];
  return (
    <>
      {hasOwn && <OwnLoss lost={own} onClose={() => setOwn({})} />}
      {pathname === '/' && shown.length > 0 && (
        <div className="mx-auto max-w-2xl space-y-3 px-3 py-2 md:pt-6">
          {shown.map((loss) => (
            <NeverArrived key={loss.id} loss={loss} onDismissed={() => void forgetLost(db, loss.id)} />
          ))}
        </div>
      )}
    </>
  );
}
