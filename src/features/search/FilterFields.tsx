import { X } from 'lucide-react';
import { LIMITS } from '#contract/limits.ts';
import { attribute } from '#contract/sections/attribute.ts';
import { SKILL_LEVELS } from '#contract/sections/skill.ts';
import { type FilterName, listOf } from '#lib/search-filters.ts';
import { Field, Select, TextField } from '#ui/Field.tsx';
import { RangeSlider } from '#ui/RangeSlider.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import type { FilterState } from './use-filters.ts';
import { useTyped } from './use-filters.ts';
import type { Lists } from './use-lists.ts';

interface FilterFieldsProps extends Pick<FilterState, 'filters' | 'change'> {
  lists: Lists;
}

const AGES = { min: LIMITS.ageMin, max: LIMITS.ageMax, gap: 0 };
const optionsOf = (words: readonly string[] | undefined) => (words ?? []).map((word) => ({ value: word, label: word }));
/** What the form of the attributes offers. */
const offered = (key: string) => {
  const field = attribute.fields[key];
  return optionsOf(field?.kind === 'text' ? field.suggest : []);
};
const HAIR = offered('Hair');
const EYES = offered('Eyes');
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
      <OneFilter {...state} name="hair" label="Hair" options={HAIR} />
      <OneFilter {...state} name="eyes" label="Eyes" options={EYES} />
      <ListFilter {...state} name="accent" label="Accent in a reel" options={lists.accent} />
      <ListFilter {...state} name="voice_language" label="Language of a reel" options={lists.voice_language} />
      <div>
        <FlagFilter {...state} name="reel" label="Has a reel" />
        <FlagFilter {...state} name="active" label="Active lately" />
      </div>
    </>
  );
}

type State = Pick<FilterState, 'filters' | 'change'>;
interface Named extends State {
  name: FilterName;
  label: string;
}

const agesOf = (text: string) => {
  const [low, high] = text.split(' ').map(Number);
  return { low: low ?? AGES.min, high: high ?? AGES.max };
};

/** Both ends at their limits ask for nothing. The address follows when the handle rests. */
function PlayingAge({ filters, change }: State) {
  const end = (text: string | undefined, otherwise: number) => (/^\d{1,3}$/.test(text ?? '') ? text : otherwise);
  const low = end(filters.min_age ?? filters.age, AGES.min);
  const high = end(filters.max_age ?? filters.age, AGES.max);
  const typed = useTyped(`${low} ${high}`, (text) => {
    const next = agesOf(text);
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
      value={agesOf(typed.value)}
      onChange={(next) => typed.onChange(`${next.low} ${next.high}`)}
    />
  );
}

function TypedFilter({ filters, change, name, label, hint }: Named & { hint?: string }) {
  const typed = useTyped(filters[name] ?? '', (value) => change({ [name]: value }, 'typing'));
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

function Height({ filters, change }: State) {
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
function HeightField({ filters, change, name, label }: Named) {
  const settle = (text: string) => {
    const value = text.replace(',', '.');
    if (value === '' || /^\d{1,3}(\.\d)?$/.test(value)) change({ [name]: value }, 'typing');
  };
  const typed = useTyped(filters[name] ?? '', settle);
  const isWrong = typed.value.trim() !== '' && !(Number(typed.value.replace(',', '.')) <= 300);
  return (
    <div onBlur={typed.settle}>
      <TextField
        name={name}
        label={label}
        kind="number"
        after="cm"
        value={typed.value}
        onChange={typed.onChange}
        error={isWrong ? 'Up to 300' : undefined}
      />
    </div>
  );
}

interface Choices extends Named {
  options: readonly { id: string; name: string }[];
}

/** What is chosen stands as chips; the list adds to them. */
function ListFilter({ filters, change, name, label, options }: Choices) {
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

function OneFilter({ filters, change, name, label, options }: Named & { options: ReturnType<typeof optionsOf> }) {
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

function FlagFilter({ filters, change, name, label }: Named) {
  return (
    <Toggle label={label} checked={filters[name] === '1'} onChange={(on) => change({ [name]: on ? '1' : undefined })} />
  );
}
