import { SPEEDS } from './playing.ts';

interface SpeedSelectProps {
  value: number;
  onChange: (speed: number) => void;
}

/** How fast tapes play. */
export function SpeedSelect({ value, onChange }: SpeedSelectProps) {
  return (
    <select
      className="select !w-auto"
      aria-label="Speed"
      value={value}
      onChange={(event) => onChange(Number(event.target.value))}
    >
      {SPEEDS.map((each) => (
        <option key={each} value={each}>
          {each}×
        </option>
      ))}
    </select>
  );
}
