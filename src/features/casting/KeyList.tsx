import type { ToggleEvent } from 'react';
import { Toggle } from '#ui/Toggle.tsx';

interface KeyListProps {
  /** Names of keys, and what they do: ['Space', 'Play or pause']. */
  keys: readonly (readonly [key: string, what: string])[];
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
  /** Whether single letters and digits do something. */
  isOn: boolean;
  setOn: (isOn: boolean) => void;
}

/** The keys of a player, for those who have a keyboard. */
export function KeyList({ keys, isOpen, onToggle, isOn, setOn }: KeyListProps) {
  const handleToggle = ({ currentTarget }: ToggleEvent<HTMLDetailsElement>) => {
    onToggle(currentTarget.open);
    if (currentTarget.open) currentTarget.scrollIntoView({ block: 'nearest' });
  };
  return (
    <details className="hidden text-sm md:block" open={isOpen} onToggle={handleToggle}>
      <summary className="flex min-h-11 cursor-pointer items-center font-semibold">Keyboard</summary>
      <dl className="grid grid-cols-[auto_1fr_auto_1fr] gap-x-3 gap-y-1.5">
        {keys.map(([key, what]) => (
          <div key={key} className="contents">
            <dt>
              <kbd className="rounded border border-base-300 px-1.5">{key}</kbd>
            </dt>
            <dd className="text-muted">{what}</dd>
          </div>
        ))}
      </dl>
      <Toggle label="Use letters and digits as shortcuts" checked={isOn} onChange={setOn} />
    </details>
  );
}
