import type { ReactNode } from 'react';

interface ToggleProps {
  /** Text beside the switch and its accessible name. */
  label: ReactNode;
  checked: boolean;
  onChange: (checked: boolean) => void;
  disabled?: boolean;
}

export function Toggle({ label, checked, onChange, disabled }: ToggleProps) {
  return (
    <label className="flex min-h-11 cursor-pointer items-center gap-2.5 text-sm font-semibold">
      <input
        type="checkbox"
        role="switch"
        className="toggle toggle-primary"
        checked={checked}
        disabled={disabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      {label}
    </label>
  );
}
