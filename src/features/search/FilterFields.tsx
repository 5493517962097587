import { X } from 'lucide-react';
import { LIMITS } from '#contract/limits.ts';
import { attribute } from '#contract/sections/attribute.ts';
import { SKILL_LEVELS } from '#contract/sections/skill.ts';
import { type FilterName, splitList } from '#lib/search-filters.ts';
import { Field, Select, TextField } from '#ui/Field.tsx';
import { RangeSlider } from '#ui/RangeSlider.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import type { FilterState } from './use-filters.ts';
import { useDebouncedText } from './use-filters.ts';
import type { FilterOptions } from './use-filter-options.ts';

interface FilterFieldsProps extends Pick<FilterState, 'filters' | 'change'> {
  options: FilterOptions;
}

const AGES = { min: LIMITS.ageMin, max: LIMITS.ageMax, gap: 0 };
const toOptions = (values: readonly string[] | undefined) =>
  (values ?? []).map((word) => ({ value: word, label: word }));
/** Returns the values that the attributes form suggests for a field. */
const getOffered = (key: string) => {
  const field = attribute.fields[key];
  return toOptions(field?.kind === 'text' ? field.suggest : []);
};
const HAIR = getOffered('Hair');
const EYES = getOffered('Eyes');
const LEVELS = SKILL_LEVELS.map(({ value, label }) => ({
  value: String(value),
  label: value === 3 ? label : `${label} or better`,
}));

/** All filters besides the search text. A change takes effect at once. */
export function FilterFields({ filters, change, options }: FilterFieldsProps) {
  const state = { filters, change };
  return (
    <>
      <PlayingAge {...state} />
      <TypedFilter {...state} name="location" label="City" hint="Separate several with commas" />
      <ListFilter {...state} name="language" label="Languages" options={options.language} />
      <TypedFilter {...state} name="skill" label="Skill" />
      {filters.skill !== undefined && (
        <Select
          name="level"
          label="Level"
          optional
          value={filters.level ?? ''}
          options={LEVELS}
          onChange={(level) => change({ level })}
        />
      )}
      <ListFilter {...state} name="type" label="Profile type" options={options.type} />
      <ListFilter {...state} name="industry" label="Industry" options={options.industry} />
      <Height {...state} />
      <SingleFilter {...state} name="hair" label="Hair" options={HAIR} />
      <SingleFilter {...state} name="eyes" label="Eyes" options={EYES} />
      <ListFilter {...state} name="accent" label="Accent in a reel" options={options.accent} />
      <ListFilter {...state} name="voice_language" label="Language of a reel" options={options.voice_language} />
      <div>
        <FlagFilter {...state} name="reel" label="Has a reel" />
        <FlagFilter {...state} name="active" label="Active lately" />
      </div>
    </>
  );
}

type FilterProps = Pick<FilterState, 'filters' | 'change'>;
interface NamedFilterProps extends FilterProps {
  name: FilterName;
  label: string;
}

const parseAges = (text: string) => {
  const [low, high] = text.split(' ').map(Number);
  return { low: low ?? AGES.min, high: high ?? AGES.max };
};

/** An end at its limit sets no filter. The URL follows when the handle rests, is let go or left. */
function PlayingAge({ filters, change }: FilterProps) {
  const toAge = (text: string | undefined, fallback: number) => (/^\d{1,3}$/.test(text ?? '') ? text : fallback);
  const low = toAge(filters.min_age ?? filters.age, AGES.min);
  const high = toAge(filters.max_age ?? filters.age, AGES.max);
  const typed = useDebouncedText(`${low} ${high}`, (text) => {
    const next = parseAges(text);
    const ages = {
      min_age: next.low === AGES.min ? undefined : String(next.low),
      max_age: next.high === AGES.max ? undefined : String(next.high),
    };
    change({ age: undefined, ...ages }, 'typing');
  });
  return (
    <div onBlur={typed.flush} onPointerUp={typed.flush}>
      <RangeSlider
        label="Playing age"
        names={{ low: 'Youngest', high: 'Oldest' }}
        limits={AGES}
        isNarrow
        value={parseAges(typed.value)}
        onChange={(next) => typed.onChange(`${next.low} ${next.high}`)}
      />
    </div>
  );
}

function TypedFilter({ filters, change, name, label, hint }: NamedFilterProps & { hint?: string }) {
  const typed = useDebouncedText(filters[name] ?? '', (value) => change({ [name]: value }, 'typing'));
  return (
    <div
      onBlur={typed.flush}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) typed.flush();
      }}
    >
      <TextField name={name} label={label} hint={hint} value={typed.value} onChange={typed.onChange} />
    </div>
  );
}

function Height({ filters, change }: FilterProps) {
  const renderField = (name: 'min_height' | 'max_height', label: string) => (
    <HeightField {...{ filters, change, name, label }} />
  );
  return (
    <fieldset className="grid grid-cols-2 gap-2">
      <legend className="sr-only">Height</legend>
      {renderField('min_height', 'Height from')}
      {renderField('max_height', 'Height to')}
    </fieldset>
  );
}

/** Only a number that the server accepts is written to the URL. */
function HeightField({ filters, change, name, label }: NamedFilterProps) {
  const applyHeight = (text: string) => {
    const value = text.replace(',', '.');
    if (value === '' || /^\d{1,3}(\.\d)?$/.test(value)) change({ [name]: value }, 'typing');
  };
  const typed = useDebouncedText(filters[name] ?? '', applyHeight);
  const isInvalid = typed.value.trim() !== '' && !(Number(typed.value.replace(',', '.')) <= 300);
  return (
    <div onBlur={typed.flush}>
      <TextField
        name={name}
        label={label}
        kind="number"
        after="cm"
        value={typed.value}
        onChange={typed.onChange}
        error={isInvalid ? 'Up to 300' : undefined}
      />
    </div>
  );
}

interface ListFilterProps extends NamedFilterProps {
  options: readonly { id: string; name: string }[];
}

/** A filter with several values, each shown as a chip. The list adds another one. */
function ListFilter({ filters, change, name, label, options }: ListFilterProps) {
  const chosen = splitList(filters[name]);
  const set = (ids: readonly string[]) => change({ [name]: ids.join(',') });
  const getName = (id: string) => options.find((each) => each.id === id)?.name ?? '…';
  return (
    <Field label={label}>
      {(wiring) => (
        <>
          {chosen.length > 0 && (
            <ul className="mb-2 flex flex-wrap gap-2" aria-label={label}>
              {chosen.map((id) => (
                <li key={id}>
                  <button
                    type="button"
                    className="chip"
                    aria-label={`Remove ${getName(id)}`}
                    onClick={() => set(chosen.filter((each) => each !== id))}
                  >
                    {getName(id)}
                    <X className="ic size-4" aria-hidden />
                  </button>
                </li>
              ))}
            </ul>
          )}
          <select
            {...wiring}
            className="select"
            name={name}
            value=""
            onChange={({ target }) => target.value && set([...chosen, target.value])}
          >
            <option value="">{chosen.length === 0 ? 'Any' : 'Add another'}</option>
            {options
              .filter(({ id }) => !chosen.includes(id))
              .map((each) => (
                <option key={each.id} value={each.id}>
                  {each.name}
                </option>
              ))}
          </select>
        </>
      )}
    </Field>
  );
}

function SingleFilter({
  filters,
  change,
  name,
  label,
  options,
}: NamedFilterProps & { options: ReturnType<typeof toOptions> }) {
  const value = filters[name] ?? '';
  const isListed = value === '' || options.some((each) => each.value === value);
  return (
    <Field label={label}>
      {(wiring) => (
        <select
          {...wiring}
          className="select"
          name={name}
          value={value}
          onChange={({ target }) => change({ [name]: target.value })}
        >
          <option value="">Any</option>
          {[...(isListed ? [] : [{ value, label: value }]), ...options].map((each) => (
            <option key={each.value} value={each.value}>
              {each.label}
            </option>
          ))}
        </select>
      )}
    </Field>
  );
}

function FlagFilter({ filters, change, name, label }: NamedFilterProps) {
  return (
    <Toggle label={label} checked={filters[name] === '1'} onChange={(on) => change({ [name]: on ? '1' : undefined })} />
  );
}
