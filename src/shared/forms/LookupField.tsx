import { LOOKUP_CALLS } from '#contract/lookup-calls.ts';
import type { LookupField as Definition } from '#contract/section.ts';
import { useLookup } from '#shared/queries/use-lookup.ts';
import { Select, type SelectProps } from '#ui/Field.tsx';

interface LookupFieldProps extends Omit<SelectProps, 'options' | 'placeholder' | 'hint'> {
  field: Definition;
}

/**
 * Chooses one entry of a server list by its name. An earlier choice stays selectable even if the list is not on this
 * device.
 */
export function LookupField({ field, ...select }: LookupFieldProps) {
  const entries = useLookup(field.lookup, LOOKUP_CALLS[field.lookup]);
  const names = entries.map(({ name }) => name);
  const { value } = select;
  const offered = value === '' || names.includes(value) ? names : [value, ...names];
  return (
    <Select
      {...select}
      options={offered.map((name) => ({ value: name, label: name }))}
      hint={entries.length === 0 ? 'Go online to load this list' : undefined}
    />
  );
}
