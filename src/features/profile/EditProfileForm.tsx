import { CALLS } from '#contract/calls.ts';
import { LIMITS } from '#contract/limits.ts';
import { updateProfileBody } from '#contract/records/profile.ts';
import { toErrorMap } from '#contract/schema.ts';
import type { LookupEntry } from '#db/lookups.ts';
import type { Item } from '#db/views.ts';
import type { Span } from '#lib/span.ts';
import { useLookup } from '#shared/queries/use-lookup.ts';
import { usePlaces } from '#shared/queries/use-places.ts';
import { Select, TextField, type Option } from '#ui/Field.tsx';
import { RangeSlider } from '#ui/RangeSlider.tsx';
import { SuggestField } from '#ui/SuggestField.tsx';
import { FormSheet, type Checked, type OpenForm } from '#shared/forms/FormSheet.tsx';
import type { FormValues } from '#shared/forms/form-values.ts';
import { getRefusedErrors, saveEdits } from '#shared/forms/save-edits.ts';
import { toProfileRow, toProfileValues, suggestPlayingAge } from './profile-values.ts';
import { DAY_RATE_VISIBILITY_TEXT } from './visibility-text.ts';

const AGES = { min: LIMITS.ageMin, max: LIMITS.ageMax, gap: LIMITS.ageRangeMin };

function check(values: FormValues): Checked {
  const row = toProfileRow(values);
  const checked = updateProfileBody.safeParse(row);
  return checked.success ? { row: checked.data } : { errors: toErrorMap(checked.error.issues) };
}

/** Offline the list may be missing; an industry chosen earlier must still be selectable. */
function industryOptions(industries: LookupEntry[], chosen: string): Option[] {
  const options = industries.map(({ id, name }) => ({ value: id, label: name }));
  if (chosen === '' || options.some((option) => option.value === chosen)) return options;
  return [{ value: chosen, label: 'As before' }, ...options];
}

/** The Edit Profile form. A profile that the server refused opens with its errors. */
export function EditProfileForm({ item, onClose }: { item: Item; onClose: () => void }) {
  const places = usePlaces();
  const industries = useLookup('industries', CALLS.industries);
  return (
    <FormSheet
      title="Edit Profile"
      draftKey={`profile:${item.id}`}
      stored={item.body}
      toValues={toProfileValues}
      toRow={toProfileRow}
      refused={getRefusedErrors(item)}
      check={check}
      save={(actions, _row, edits) => saveEdits(actions, { type: 'profile', id: item.id, item }, edits)}
      onClose={onClose}
    >
      {({ values, errors, change }) => {
        const field = (name: string) => ({
          name,
          value: values[name] ?? '',
          error: errors[name],
          onChange: (value: string) => change({ [name]: value }),
        });
        return (
          <>
            <TextField {...field('stage_name')} label="Stage name" marked autoComplete="nickname" />
            <div className="grid grid-cols-1 gap-x-3 gap-y-4 min-[22.5rem]:grid-cols-2">
              <TextField {...field('title')} label="Title" optional />
              <SuggestField {...field('location')} label="City" optional known={places} />
              <TextField
                {...field('per_day')}
                label="Day rate"
                kind="number"
                before="₹"
                hint={`Per day. ${DAY_RATE_VISIBILITY_TEXT}`}
                placeholder="18,000"
                optional
              />
              <TextField
                {...field('dob')}
                label="Date of birth"
                kind="date"
                hint="Only you see this"
                min="1900-01-01"
                max={new Date().toISOString().slice(0, 10)}
                autoComplete="bday"
                optional
              />
            </div>
            <Select
              {...field('profile_industry_id')}
              label="Industry"
              optional
              options={industryOptions(industries, values['profile_industry_id'] ?? '')}
              hint={industries.length === 0 ? 'Go online to load this list' : undefined}
            />
            <PlayingAge values={values} errors={errors} change={change} />
          </>
        );
      }}
    </FormSheet>
  );
}

/** The playing age, empty until the person sets it: casting filters by it, so it must not be a guess. */
function PlayingAge({ values, errors, change }: OpenForm) {
  const { min_age_range: low = '', max_age_range: high = '', dob = '' } = values;
  const isEmpty = low === '' && high === '';
  const set = (ages: Span) => change({ min_age_range: String(ages.low), max_age_range: String(ages.high) });
  const suggested = isEmpty ? suggestPlayingAge(dob, new Date().toISOString().slice(0, 10)) : null;
  const ages = suggested && `${suggested.low} to ${suggested.high}`;
  const clear = () => change({ min_age_range: '', max_age_range: '' });
  return (
    <div>
      <RangeSlider
        label="Playing age"
        names={{ low: 'Youngest', high: 'Oldest' }}
        value={{
          low: low === '' ? LIMITS.ageDefault.min : Number(low),
          high: high === '' ? LIMITS.ageDefault.max : Number(high),
        }}
        isEmpty={isEmpty}
        limits={AGES}
        onChange={set}
        onClear={clear}
        hint={`Casting sees this, never your date of birth. At least ${AGES.gap} years apart.`}
        error={errors['min_age_range'] ?? errors['max_age_range']}
      />
      {suggested && (
        <p className="flex flex-wrap items-center gap-x-2 px-1 text-sm text-muted">
          Suggested from your date of birth:
          <button type="button" className="tap font-semibold text-primary" onClick={() => set(suggested)}>
            Use {ages}
          </button>
        </p>
      )}
      {!isEmpty && (
        <button type="button" className="tap px-1 text-sm font-semibold text-primary" onClick={clear}>
          Clear playing age
        </button>
      )}
    </div>
  );
}
