import { CircleAlert } from 'lucide-react';
import { useId, type ChangeEvent, type KeyboardEvent, type ReactNode } from 'react';
import { codePoints, MONTHS } from '#lib/text.ts';
import { counterText, fit, NEAR_END } from './counter.ts';
import { FieldError } from './FieldError.tsx';

/** Props of every field: a label above, and a hint or an error message below. */
export interface FieldProps {
  label: string;
  /** Shows 'optional' beside the label. Fields are required by default and then unmarked. */
  optional?: boolean;
  /** Marks the label with an asterisk; used only for the stage name. */
  marked?: boolean;
  hint?: ReactNode;
  /** One sentence that says what to do. The caller joins several. */
  error?: string | undefined;
}

function LabelWords({ label, optional, marked }: Pick<FieldProps, 'label' | 'optional' | 'marked'>) {
  return (
    <>
      {label}
      {marked && (
        <span className="text-needs" aria-hidden>
          {' *'}
        </span>
      )}
      {optional && <span className="font-normal text-muted"> optional</span>}
    </>
  );
}

interface Wiring {
  id: string;
  'aria-invalid': boolean | undefined;
  'aria-describedby': string | undefined;
}

/** Label, control, hint and error, linked by ids. `children` receives the attributes that the control must have. */
export function Field({ children, ...props }: FieldProps & { children: (wiring: Wiring) => ReactNode }) {
  const id = useId();
  const described = [props.hint != null && `${id}-hint`, props.error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div>
      <label htmlFor={id} className="mb-1.5 block text-sm font-semibold">
        <LabelWords {...props} />
      </label>
      {children({ id, 'aria-invalid': props.error ? true : undefined, 'aria-describedby': described || undefined })}
      {props.hint != null && (
        <p id={`${id}-hint`} className="mt-1.5 text-sm text-muted">
          {props.hint}
        </p>
      )}
      {props.error && <FieldError id={`${id}-error`}>{props.error}</FieldError>}
    </div>
  );
}

const invalidClass = (error: string | undefined) => (error ? 'is-invalid' : '');

export interface TextFieldProps extends FieldProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
  /** 'number' is a text input, so that invalid input is not lost. */
  kind?: 'text' | 'url' | 'number' | 'date' | 'datetime-local' | 'email' | 'search';
  placeholder?: string | undefined;
  autoComplete?: string;
  /** Text inside the box before the input: '₹'. */
  before?: string;
  /** Text inside the box after the input: 'cm'. */
  after?: string;
  /** Amount that the arrow keys add to a number. */
  step?: number;
  /** Suggestions shown while typing. */
  suggest?: readonly string[] | undefined;
  /** Last day that can be chosen, YYYY-MM-DD; with a time of day for `datetime-local`. */
  max?: string;
  min?: string;
}

const INPUT_MODES = { url: 'url', number: 'decimal', email: 'email', search: 'search' } as const;

export function TextField({
  name,
  value,
  onChange,
  kind = 'text',
  placeholder,
  autoComplete = 'off',
  before,
  after,
  step,
  suggest,
  max,
  min,
  ...field
}: TextFieldProps) {
  const listId = useId();
  const handleStep = (event: KeyboardEvent<HTMLInputElement>) => {
    const direction = { ArrowUp: 1, ArrowDown: -1 }[event.key];
    if (step === undefined || direction === undefined) return;
    event.preventDefault();
    const next = Math.max(0, (Number(value.replace(',', '.')) || 0) + direction * step);
    onChange(String(Number(next.toFixed(3))));
  };
  const control = (wiring: Wiring, className: string) => (
    <input
      {...wiring}
      className={className}
      name={name}
      type={kind === 'number' ? 'text' : kind}
      inputMode={kind in INPUT_MODES ? INPUT_MODES[kind as keyof typeof INPUT_MODES] : undefined}
      value={value}
      required={field.marked}
      placeholder={placeholder}
      autoComplete={autoComplete}
      autoCapitalize={kind === 'email' || kind === 'url' ? 'none' : undefined}
      spellCheck={kind === 'email' || kind === 'url' ? false : undefined}
      max={max}
      min={min}
      list={suggest && listId}
      onKeyDown={step === undefined ? undefined : handleStep}
      onChange={(event) => onChange(event.target.value)}
    />
  );
  return (
    <Field {...field}>
      {(wiring) =>
        before === undefined && after === undefined ? (
          <>
            {control(wiring, `input ${invalidClass(field.error)}`)}
            {suggest && (
              <datalist id={listId}>
                {suggest.map((words) => (
                  <option key={words} value={words} />
                ))}
              </datalist>
            )}
          </>
        ) : (
          <div className={`input ${invalidClass(field.error)}`}>
            {before !== undefined && (
              <span className="text-muted" aria-hidden>
                {before}
              </span>
            )}
            {control(wiring, 'min-w-0 grow outline-none')}
            {after !== undefined && <span className="text-muted">{after}</span>}
          </div>
        )
      }
    </Field>
  );
}

export interface TextAreaProps extends FieldProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
  /** Maximum length in code points; a counter is shown below. */
  limit?: number;
  rows?: number;
  placeholder?: string | undefined;
}

export function TextArea({ name, value, onChange, limit, rows = 5, placeholder, ...field }: TextAreaProps) {
  const used = codePoints(value);
  const handleChange = ({ target }: ChangeEvent<HTMLTextAreaElement>) => {
    if (limit === undefined) return onChange(target.value);
    const typed = { text: target.value, caret: target.selectionEnd };
    const fitted = fit(value, typed, limit);
    // Set here because the next render would move the cursor to the end.
    if (fitted.text !== typed.text) {
      target.value = fitted.text;
      target.setSelectionRange(fitted.caret, fitted.caret);
    }
    onChange(fitted.text);
  };
  return (
    <Field {...field}>
      {(wiring) => (
        <>
          <textarea
            {...wiring}
            className={`textarea ${invalidClass(field.error)}`}
            name={name}
            rows={rows}
            value={value}
            placeholder={placeholder}
            onChange={handleChange}
          />
          {limit !== undefined && (
            <p
              className="num mt-1 text-right text-sm text-muted"
              aria-live={used >= limit - NEAR_END ? 'polite' : 'off'}
            >
              {counterText(used, limit)}
            </p>
          )}
        </>
      )}
    </Field>
  );
}

export interface Option {
  value: string;
  label: string;
}

export interface SelectProps extends FieldProps {
  name: string;
  value: string;
  onChange: (value: string) => void;
  options: readonly Option[];
  /** First option while nothing is chosen. */
  placeholder?: string;
}

export function Select({ name, value, onChange, options, placeholder = 'Choose', ...field }: SelectProps) {
  return (
    <Field {...field}>
      {(wiring) => (
        <select
          {...wiring}
          className={`select ${invalidClass(field.error)}`}
          name={name}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        >
          <option value="" disabled={!field.optional}>
            {field.optional ? 'None' : placeholder}
          </option>
          {options.map((option) => (
            <option key={option.value} value={option.value}>
              {option.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

export interface MonthYearProps {
  /** 'Start': the legend; the selects are named 'Start month' and 'Start year'. */
  label: string;
  names: { month: string; year: string };
  /** Names of the selects, if 'label month' and 'label year' do not fit. */
  selectLabels?: { month: string; year: string };
  month: number | null;
  year: number | null;
  onChange: (value: { month: number | null; year: number | null }) => void;
  optional?: boolean;
  error?: string | undefined;
  /** Which of the two is invalid; both if it is not set. */
  invalid?: 'month' | 'year';
  firstYear: number;
  lastYear: number;
}

const numberOrNull = (text: string) => (text === '' ? null : Number(text));

/** Month and year as two selects, newest year first. */
export function MonthYear(props: MonthYearProps) {
  const id = useId();
  const { label, names, month, year, onChange, optional, error, firstYear, lastYear } = props;
  const years = Array.from({ length: lastYear - firstYear + 1 }, (_, index) => lastYear - index);
  const isInvalid = (part: 'month' | 'year') => error !== undefined && (props.invalid ?? part) === part;
  const wiring = (part: 'month' | 'year') => ({
    className: `select num ${isInvalid(part) ? 'is-invalid' : ''}`,
    name: names[part],
    'aria-label': props.selectLabels?.[part] ?? `${label} ${part}`,
    'aria-invalid': isInvalid(part) || undefined,
    'aria-describedby': error ? `${id}-error` : undefined,
  });
  return (
    <fieldset>
      <legend className="mb-1.5 text-sm font-semibold">
        <LabelWords label={label} optional={optional ?? false} />
      </legend>
      <div className="grid grid-cols-2 gap-2">
        <select
          {...wiring('month')}
          value={month ?? ''}
          onChange={(event) => onChange({ month: numberOrNull(event.target.value), year })}
        >
          <option value="">Month</option>
          {MONTHS.map((name, index) => (
            <option key={name} value={index + 1}>
              {name}
            </option>
          ))}
        </select>
        <select
          {...wiring('year')}
          value={year ?? ''}
          onChange={(event) => onChange({ month, year: numberOrNull(event.target.value) })}
        >
          <option value="">Year</option>
          {years.map((each) => (
            <option key={each} value={each}>
              {each}
            </option>
          ))}
        </select>
      </div>
      {error && <FieldError id={`${id}-error`}>{error}</FieldError>}
    </fieldset>
  );
}

/** The summary at the top of a form after Save: 'Two things to fix. What you typed is safe.' Null shows nothing. */
export function FormSummary({ text }: { text: string | null }) {
  if (text === null) return null;
  return (
    <div
      role="alert"
      className="flex items-start gap-2 rounded-xl bg-needs-tint px-3.5 py-2.5 text-sm font-medium text-needs"
    >
      <CircleAlert className="ic mt-0.5" aria-hidden />
      <span>{text}</span>
    </div>
  );
}

/** Focuses the first invalid field. Call it after the errors have rendered. */
export function focusFirstInvalid(form: HTMLElement | null): void {
  const first = form?.querySelector<HTMLElement>('[aria-invalid="true"]');
  first?.focus({ preventScroll: true });
  // Centered, so that the sheet's foot does not cover the error message below the field.
  first?.scrollIntoView({ block: 'center' });
}
