import { useId } from 'react';
import { FieldError } from './Field.tsx';

export interface Chip<V extends string> {
  value: V;
  label: string;
  count?: number;
}

interface ChipsProps<V extends string> {
  /** Names the group for readers: 'Kinds of credit'. */
  label: string;
  options: readonly Chip<V>[];
  value: V;
  onChange: (value: V) => void;
}

/** Filter chips; the row scrolls inside itself on a phone. */
export function Chips<V extends string>({ label, options, value, onChange }: ChipsProps<V>) {
  return (
    <div
      role="group"
      aria-label={label}
      className="-mx-4 flex gap-2 overflow-x-auto px-4 py-1.5 [scrollbar-width:none] md:mx-0 md:flex-wrap md:px-0"
    >
      {options.map((option) => (
        <button
          key={option.value}
          type="button"
          className="chip"
          aria-pressed={option.value === value}
          onClick={() => onChange(option.value)}
        >
          {option.label}
          {option.count !== undefined && <span className="num text-[0.8125rem] opacity-85">{option.count}</span>}
        </button>
      ))}
    </div>
  );
}

interface ChoiceChipsProps {
  label: string;
  name: string;
  options: readonly Chip<string>[];
  value: string;
  onChange: (value: string) => void;
  optional?: boolean;
  error?: string | undefined;
}

/** A field of few options as chips: radio buttons to the keyboard and to readers. */
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
          <label key={option.value} className={`chip ${error ? 'is-wrong' : ''}`}>
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
