import { Toggle } from '#ui/Toggle.tsx';

interface StatusToggleProps {
  isActive: boolean;
  onChange: (active: boolean) => void;
}

/** The switch for whether others see the profile, with a label that states the current setting. */
export function StatusToggle({ isActive, onChange }: StatusToggleProps) {
  return (
    <Toggle
      label={
        <>
          {isActive ? 'Active' : 'Inactive'}
          <span className="font-normal text-muted">{isActive ? 'public' : 'Only you can see it'}</span>
        </>
      }
      checked={isActive}
      onChange={onChange}
    />
  );
}
