import { useId } from 'react';

interface SegmentedProps<V extends string> {
  label: string;
  options: readonly { value: V; label: string }[];
  value: V;
  onChange: (value: V) => void;
}

/** Two or three choices side by side: radio buttons for the keyboard and for screen readers. */
export function Segmented<V extends string>({ label, options, value, onChange }: SegmentedProps<V>) {
  const name = useId();
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-semibold">{label}</legend>
      <div className="flex gap-1 rounded-xl bg-base-200 p-1">
        {options.map((option) => (
          <label
            key={option.value}
            className="flex min-h-11 grow cursor-pointer items-center justify-center rounded-lg px-2 text-sm font-semibold text-muted has-checked:bg-base-100 has-checked:text-base-content has-focus-visible:outline-3"
          >
            <input
              type="radio"
              className="sr-only"
              name={name}
              checked={option.value === value}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
    </fieldset>
  );
}
