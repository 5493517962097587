import { Toggle } from '#ui/Toggle.tsx';

interface StatusToggleProps {
  isActive: boolean;
  /** Whether nobody else sees the profile although it is active. */
  isWithheld?: boolean | undefined;
  onChange: (active: boolean) => void;
}

/** The switch for whether others see the profile, with a label that states the current setting. */
export function StatusToggle({ isActive, isWithheld, onChange }: StatusToggleProps) {
  return (
    <Toggle
      label={
        <>
          {isActive ? 'Active' : 'Inactive'}
          <span className="font-normal text-muted">{isActive && !isWithheld ? 'public' : 'only you see it'}</span>
        </>
      }
      checked={isActive}
      onChange={onChange}
    />
  );
}
