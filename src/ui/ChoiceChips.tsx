import { useId } from 'react';
import type { Chip } from './Chips.tsx';
import { FieldError } from './FieldError.tsx';

interface ChoiceChipsProps {
  label: string;
  name: string;
  options: readonly Chip<string>[];
  value: string;
  onChange: (value: string) => void;
  optional?: boolean;
  error?: string | undefined;
}

/** A field with few options, shown as chips: radio buttons for the keyboard and for screen readers. */
export function ChoiceChips({ label, name, options, value, onChange, optional, error }: ChoiceChipsProps) {
  const id = useId();
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 text-sm font-semibold">
        {label}
        {optional && <span className="font-normal text-muted"> optional</span>}
      </legend>
      <div className="flex flex-wrap gap-2">
        {options.map((option) => (
          <label key={option.value} className={`chip ${error ? 'is-invalid' : ''}`}>
            <input
              type="radio"
              className="sr-only"
              name={`${id}-${name}`}
              value={option.value}
              checked={option.value === value}
              aria-invalid={error ? true : undefined}
              onChange={() => onChange(option.value)}
            />
            {option.label}
          </label>
        ))}
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}
