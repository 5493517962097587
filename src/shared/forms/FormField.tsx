import { LIMITS } from '#contract/limits.ts';
import type { Fields } from '#contract/section.ts';
import type { LayoutPart } from '#lib/section-layout.ts';
import { ChoiceChips } from '#ui/ChoiceChips.tsx';
import { MonthYear, Select, TextArea, TextField } from '#ui/Field.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import type { FormValues } from './form-values.ts';
import { IdsField } from './IdsField.tsx';
import { LookupField } from './LookupField.tsx';

interface FormFieldProps {
  fields: Fields;
  part: LayoutPart;
  values: FormValues;
  errors: Record<string, string>;
  onChange: (changed: FormValues) => void;
}

/** Up to this many options are shown as chips; more become a select. */
const MAX_CHIPS = 6;

const text = (value: number | null) => (value === null ? '' : String(value));
const number = (value: string | undefined) => (value ? Number(value) : null);

const getYearRange = () => ({ firstYear: LIMITS.yearMin, lastYear: new Date().getFullYear() + LIMITS.yearsAhead });

/** One line of a form, rendered from the field's definition. */
export function FormField({ fields, part, values, errors, onChange }: FormFieldProps) {
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
        optional={!fields[month]?.required}
        error={error}
        invalid={errors[month] && !errors[year] ? 'month' : undefined}
        {...getYearRange()}
      />
    );
  }
  const { key } = part;
  const field = fields[key]!;
  const shared = {
    name: key,
    label: field.label,
    optional: !field.required,
    error: errors[key],
    hint: field.hint,
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
    case 'lookup':
      return <LookupField {...shared} field={field} />;
    case 'yearMonth':
      return <YearMonth {...shared} />;
    case 'date':
      return <TextField {...shared} kind="date" />;
    case 'link':
      return <TextField {...shared} kind="url" placeholder={field.placeholder} />;
    case 'choice': {
      const options = field.options.map((option) => ({ value: String(option.value), label: option.label }));
      return options.length <= MAX_CHIPS ? (
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

interface YearMonthProps {
  name: string;
  label: string;
  optional: boolean;
  error: string | undefined;
  /** '2025-05'; a half-filled value keeps its half: '2025-', '-05'. */
  value: string;
  onChange: (value: string) => void;
}

function YearMonth({ name, value, onChange, ...field }: YearMonthProps) {
  const [year = '', month = ''] = value.split('-');
  const invalid = month === '' ? 'month' : year === '' ? 'year' : undefined;
  return (
    <MonthYear
      {...field}
      names={{ month: `${name}_month`, year: `${name}_year` }}
      selectLabels={{ month: 'Month', year: 'Year' }}
      month={number(month)}
      year={number(year)}
      onChange={(chosen) => {
        const digits = chosen.month === null ? '' : String(chosen.month).padStart(2, '0');
        const both = `${text(chosen.year)}-${digits}`;
        onChange(both === '-' ? '' : both);
      }}
      invalid={invalid}
      {...getYearRange()}
    />
  );
}
