import { Hand } from 'lucide-react';
import { useState } from 'react';
import { count } from '#lib/text.ts';
import { deviceWord } from '#ui/device.ts';

/** The browser cleared the store while changes waited in it. Rare, and never passed over in silence. */
export function LostBanner({ lostChanges }: { lostChanges: number }) {
  const [isRead, setIsRead] = useState(false);
  if (isRead) return null;
  return (
    <div
      role="alert"
      className="flex flex-wrap items-center justify-center gap-x-3 bg-needs-tint px-4 py-1 text-sm font-[550] text-needs"
    >
      <Hand className="ic" aria-hidden />
      <span>
        Your browser cleared this {deviceWord()}. {count(lostChanges, 'unsent change')}{' '}
        {lostChanges === 1 ? 'was' : 'were'} lost with it. Install the app to keep this from happening again.
      </span>
      <button type="button" className="tap underline" onClick={() => setIsRead(true)}>
        Close
      </button>
    </div>
  );
}
