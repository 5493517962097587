import { Check, Hand, Monitor, Smartphone, Tablet, type LucideIcon } from 'lucide-react';
import { useEffect, useState } from 'react';
import { deviceWord } from './device.ts';
import { getDisplayedState, type PillState } from '#lib/displayed-state.ts';

/** The spinner: three quarters of a circle. It does not turn if the user prefers reduced motion. */
export function Arc({ className = '' }: { className?: string }) {
  return (
    <svg className={`ic arc ${className}`} viewBox="0 0 24 24" fill="none" stroke="currentColor" aria-hidden>
      <path d="M12 3a9 9 0 1 1-9 9" strokeLinecap="round" />
    </svg>
  );
}

const DEVICE_ICONS: Record<ReturnType<typeof deviceWord>, LucideIcon> = {
  phone: Smartphone,
  tablet: Tablet,
  computer: Monitor,
};

/** The icon of 'On this phone'. */
export function DeviceIcon({ className = 'ic' }: { className?: string }) {
  const Icon = DEVICE_ICONS[deviceWord()];
  return <Icon className={className} aria-hidden />;
}

/** The text of a sync state. */
export function stateWord(state: PillState): string {
  switch (state) {
    case 'phone':
      return `On this ${deviceWord()}`;
    case 'sending':
      return 'Sending';
    case 'saved':
      return 'Saved';
    case 'needs':
      return 'Needs you';
  }
}

function useShownState(state: PillState): PillState | null {
  const [shown, setShown] = useState(() => ({ of: state, ...getDisplayedState(state, null) }));
  // Adjusted during rendering, not in an effect, so that the old text is never painted with the new state.
  const current = shown.of === state ? shown : { of: state, ...getDisplayedState(state, shown.of) };
  if (current !== shown) setShown(current);
  const next = current.next;
  useEffect(() => {
    if (!next) return;
    const timer = setTimeout(() => setShown({ of: state, now: next.state }), next.afterMs);
    return () => clearTimeout(timer);
  }, [state, next]);
  return current.now;
}

/** The sync state of a change, as icon and text. Renders nothing for what was already saved when the page opened. */
export function StatePill({ state }: { state: PillState }) {
  const now = useShownState(state);
  if (now === null) return null;
  return (
    <span className={`state state-${now}`}>
      {now === 'phone' && <DeviceIcon />}
      {now === 'sending' && <Arc />}
      {now === 'saved' && <Check className="ic" aria-hidden />}
      {now === 'needs' && <Hand className="ic" aria-hidden />}
      <span>{stateWord(now)}</span>
    </span>
  );
}
