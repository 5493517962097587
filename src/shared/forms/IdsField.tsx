import { Check } from 'lucide-react';
import { useId, useState } from 'react';
import { LOOKUP_CALLS } from '#contract/lookup-calls.ts';
import type { IdsField as Definition } from '#contract/section.ts';
import { useLookup } from '#shared/queries/use-lookup.ts';
import { FieldError } from '#ui/FieldError.tsx';

/** Longer lists get a search box. */
const MAX_WITHOUT_SEARCH = 12;

interface IdsFieldProps {
  field: Definition;
  /** Ids, separated by commas. */
  value: string;
  onChange: (value: string) => void;
  error?: string | undefined;
}

/** Chooses any number of entries of a list. The chosen ones come first; a search box narrows a long list. */
export function IdsField({ field, value, onChange, error }: IdsFieldProps) {
  const id = useId();
  const options = useLookup(field.lookup, LOOKUP_CALLS[field.lookup]);
  const [sought, setSought] = useState('');
  const chosen = value === '' ? [] : value.split(',');
  const words = sought.trim().toLocaleLowerCase();
  // Entries that were chosen when the form opened come first. The order does not change while the user chooses.
  const [first] = useState(() => new Set(chosen));
  const shown = options
    .filter((each) => each.name.toLocaleLowerCase().includes(words))
    .sort((a, b) => Number(first.has(b.id)) - Number(first.has(a.id)));
  const toggle = (key: string) =>
    onChange((chosen.includes(key) ? chosen.filter((each) => each !== key) : [...chosen, key]).join(','));
  return (
    <fieldset aria-describedby={error ? `${id}-error` : undefined}>
      <legend className="mb-1.5 text-sm font-semibold">
        {field.label} <span className="num font-normal text-muted">{chosen.length} chosen</span>
      </legend>
      {options.length > MAX_WITHOUT_SEARCH && (
        <input
          className="input mb-3"
          type="search"
          value={sought}
          placeholder="Search"
          aria-label={`Find ${field.label.toLocaleLowerCase()}`}
          onChange={(event) => setSought(event.target.value)}
        />
      )}
      <div className="flex flex-wrap gap-2">
        {shown.map((each) => (
          <label key={each.id} className={`chip ${error ? 'is-invalid' : ''}`}>
            <input
              type="checkbox"
              className="sr-only"
              name={each.id}
              checked={chosen.includes(each.id)}
              onChange={() => toggle(each.id)}
            />
            {chosen.includes(each.id) ? (
              <Check className="size-4" aria-hidden />
            ) : (
              each.icon && <img src={each.icon} alt="" className="size-5 rounded-full" />
            )}
            {each.name}
          </label>
        ))}
      </div>
      {options.length === 0 && (
        <p className="text-sm text-muted">Go online to load this list. Your earlier choices stay.</p>
      )}
      {options.length > 0 && shown.length === 0 && <p className="text-sm text-muted">Nothing found.</p>}
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}
