export interface Chip<V extends string> {
  value: V;
  label: string;
  count?: number;
}

interface ChipsProps<V extends string> {
  /** The group's name for screen readers: 'Kinds of credit'. */
  label: string;
  options: readonly Chip<V>[];
  value: V;
  onChange: (value: V) => void;
}

/** Filter chips. On a phone, the row scrolls horizontally. */
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
