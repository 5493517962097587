import { X } from 'lucide-react';
import { LIMITS } from '#contract/limits.ts';
import { attribute } from '#contract/sections/attribute.ts';
import { SKILL_LEVELS } from '#contract/sections/skill.ts';
import { type FilterName, listOf } from '#lib/search-filters.ts';
import { Field, Select, TextField } from '#ui/Field.tsx';
import { RangeSlider } from '#ui/RangeSlider.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import type { FilterState } from './use-filters.ts';
import { useDebouncedText } from './use-filters.ts';
import type { FilterOptions } from './use-filter-options.ts';

interface FilterFieldsProps extends Pick<FilterState, 'filters' | 'change'> {
  lists: FilterOptions;
}

const AGES = { min: LIMITS.ageMin, max: LIMITS.ageMax, gap: 0 };
const toOptions = (words: readonly string[] | undefined) => (words ?? []).map((word) => ({ value: word, label: word }));
/** What the form of the attributes offers. */
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

/** Everything one can ask for beside words. It takes effect at once. */
export function FilterFields({ filters, change, lists }: FilterFieldsProps) {
  const state = { filters, change };
  return (
    <>
      <PlayingAge {...state} />
      <TypedFilter {...state} name="location" label="City" hint="Separate several with commas" />
      <ListFilter {...state} name="language" label="Languages" options={lists.language} />
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
      <ListFilter {...state} name="type" label="Profile type" options={lists.type} />
      <ListFilter {...state} name="industry" label="Industry" options={lists.industry} />
      <Height {...state} />
      <SingleFilter {...state} name="hair" label="Hair" options={HAIR} />
      <SingleFilter {...state} name="eyes" label="Eyes" options={EYES} />
      <ListFilter {...state} name="accent" label="Accent in a reel" options={lists.accent} />
      <ListFilter {...state} name="voice_language" label="Language of a reel" options={lists.voice_language} />
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

/** Both ends at their limits ask for nothing. The address follows when the handle rests. */
function PlayingAge({ filters, change }: FilterProps) {
  const end = (text: string | undefined, otherwise: number) => (/^\d{1,3}$/.test(text ?? '') ? text : otherwise);
  const low = end(filters.min_age ?? filters.age, AGES.min);
  const high = end(filters.max_age ?? filters.age, AGES.max);
  const typed = useDebouncedText(`${low} ${high}`, (text) => {
    const next = parseAges(text);
    const ages = {
      min_age: next.low === AGES.min ? undefined : String(next.low),
      max_age: next.high === AGES.max ? undefined : String(next.high),
    };
    change({ age: undefined, ...ages }, 'typing');
  });
  return (
    <RangeSlider
      label="Playing age"
      names={{ low: 'Youngest', high: 'Oldest' }}
      limits={AGES}
      isNarrow
      value={parseAges(typed.value)}
      onChange={(next) => typed.onChange(`${next.low} ${next.high}`)}
    />
  );
}

function TypedFilter({ filters, change, name, label, hint }: NamedFilterProps & { hint?: string }) {
  const typed = useDebouncedText(filters[name] ?? '', (value) => change({ [name]: value }, 'typing'));
  return (
    <div
      onBlur={typed.settle}
      onKeyDown={(event) => {
        if (event.key === 'Enter' && !event.nativeEvent.isComposing) typed.settle();
      }}
    >
      <TextField name={name} label={label} hint={hint} value={typed.value} onChange={typed.onChange} />
    </div>
  );
}

function Height({ filters, change }: FilterProps) {
  const bound = (name: 'min_height' | 'max_height', words: string) => (
    <HeightField {...{ filters, change, name, label: words }} />
  );
  return (
    <fieldset className="grid grid-cols-2 gap-2">
      <legend className="sr-only">Height</legend>
      {bound('min_height', 'Height from')}
      {bound('max_height', 'Height to')}
    </fieldset>
  );
}

/** Only a number the server takes goes into the address. */
function HeightField({ filters, change, name, label }: NamedFilterProps) {
  const settle = (text: string) => {
    const value = text.replace(',', '.');
    if (value === '' || /^\d{1,3}(\.\d)?$/.test(value)) change({ [name]: value }, 'typing');
  };
  const typed = useDebouncedText(filters[name] ?? '', settle);
  const isInvalid = typed.value.trim() !== '' && !(Number(typed.value.replace(',', '.')) <= 300);
  return (
    <div onBlur={typed.settle}>
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

/** What is chosen stands as chips; the list adds to them. */
function ListFilter({ filters, change, name, label, options }: ListFilterProps) {
  const chosen = listOf(filters[name]);
  const set = (ids: readonly string[]) => change({ [name]: ids.join(',') });
  const nameOf = (id: string) => options.find((each) => each.id === id)?.name ?? '…';
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
                    aria-label={`Remove ${nameOf(id)}`}
                    onClick={() => set(chosen.filter((each) => each !== id))}
                  >
                    {nameOf(id)}
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
