import { Toggle } from '#ui/Toggle.tsx';

interface StatusToggleProps {
  isActive: boolean;
  onChange: (active: boolean) => void;
}

/** Whether others see the profile, in words that are true of either position. */
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
