import { LIMITS } from '#contract/limits.ts';
import type { Section } from '#contract/section.ts';
import type { Part } from '#lib/section-layout.ts';
import { ChoiceChips } from '#ui/ChoiceChips.tsx';
import { MonthYear, Select, TextArea, TextField } from '#ui/Field.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import type { FormValues } from './form-values.ts';
import { IdsField } from './IdsField.tsx';

interface SectionFieldProps {
  section: Section;
  part: Part;
  values: FormValues;
  errors: Record<string, string>;
  onChange: (changed: FormValues) => void;
}

/** More options than fit on two rows of chips become a list. */
const CHIPS_AT_MOST = 6;

const text = (value: number | null) => (value === null ? '' : String(value));
const number = (value: string | undefined) => (value ? Number(value) : null);

/** One line of a section's form, drawn from the field's definition. */
export function SectionField({ section, part, values, errors, onChange }: SectionFieldProps) {
  if (part.kind === 'pair') {
    const { month, year } = part;
    const error = errors[month] ?? errors[year];
    return (
      <MonthYear
        label={part.label}
        names={{ month, year }}
        month={number(values[month])}
        year={number(values[year])}
        onChange={(value) => onChange({ [month]: text(value.month), [year]: text(value.year) })}
        optional={!section.fields[month]?.required}
        error={error}
        wrong={errors[month] && !errors[year] ? 'month' : undefined}
        firstYear={LIMITS.yearMin}
        lastYear={new Date().getFullYear() + LIMITS.yearsAhead}
      />
    );
  }
  const { key } = part;
  const field = section.fields[key]!;
  const shared = {
    name: key,
    label: field.label,
    optional: !field.required,
    error: errors[key],
    value: values[key] ?? '',
    onChange: (value: string) => onChange({ [key]: value }),
  };
  switch (field.kind) {
    case 'text':
      return field.multiline ? (
        <TextArea {...shared} placeholder={field.placeholder} limit={field.max} />
      ) : (
        <TextField
          {...shared}
          placeholder={field.placeholder}
          kind={field.format === 'email' ? 'email' : 'text'}
          suggest={field.suggest}
        />
      );
    case 'number':
      return <TextField {...shared} kind="number" step={10 ** -field.decimals} after={field.unit} />;
    case 'flag':
      return (
        <Toggle
          label={field.label}
          checked={shared.value !== ''}
          onChange={(on) => shared.onChange(on ? 'true' : '')}
        />
      );
    case 'ids':
      return <IdsField field={field} value={shared.value} error={shared.error} onChange={shared.onChange} />;
    case 'link':
      return <TextField {...shared} kind="url" placeholder={field.placeholder} />;
    case 'choice': {
      const options = field.options.map((option) => ({ value: String(option.value), label: option.label }));
      return options.length <= CHIPS_AT_MOST ? (
        <ChoiceChips {...shared} options={options} />
      ) : (
        <Select {...shared} options={options} />
      );
    }
    case 'month':
    case 'year':
      return <TextField {...shared} kind="number" placeholder={field.placeholder} />;
  }
}
