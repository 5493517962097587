import { LINK_LIMITS } from '#contract/records/links.ts';
import type { OpenForm } from '#shared/forms/FormSheet.tsx';
import { ChoiceChips } from '#ui/ChoiceChips.tsx';
import { TextField } from '#ui/Field.tsx';
import { FieldError } from '#ui/FieldError.tsx';
import { getPerformer } from '../performer.ts';
import type { Taped } from '../taped.ts';
import { LASTING, NO_TAPES } from './link-values.ts';

interface LinkFieldsProps extends OpenForm {
  tapes: readonly Taped[];
  /** Of a link that was sent, some things stay as they are. */
  isNew: boolean;
}

/** The fields of a share link. */
export function LinkFields({ values, errors, change, tapes, isNew }: LinkFieldsProps) {
  const handleName = (name: string) =>
    // What runs over the picture follows the name until somebody writes something else.
    change({ name, ...(isNew && values.watermark === values.name && { watermark: name }) });
  return (
    <>
      <TextField
        label="For whom"
        hint="Only you see this"
        name="name"
        value={values.name ?? ''}
        error={errors.name}
        onChange={handleName}
      />
      <TapeChoice
        tapes={tapes}
        value={values.tape_ids ?? ''}
        error={errors.tape_ids}
        onChange={(ids) => change({ tape_ids: ids })}
      />
      <ChoiceChips
        label={isNew ? 'Works for' : 'From now on, works for'}
        name="expires_at"
        options={isNew ? LASTING : [{ value: '', label: 'As before' }, ...LASTING]}
        value={values.expires_at ?? ''}
        error={errors.expires_at}
        onChange={(days) => change({ expires_at: days })}
      />
      {isNew && (
        <>
          <TextField
            label="Code"
            optional
            hint="Whoever opens the link has to enter it. Tell them in another way than the link"
            name="code"
            value={values.code ?? ''}
            error={errors.code}
            onChange={(code) => change({ code })}
          />
          <TextField
            label="Over the picture"
            hint="Runs over the videos with the date. It deters people from passing them on; it can’t prevent it"
            name="watermark"
            value={values.watermark ?? ''}
            error={errors.watermark}
            onChange={(watermark) => change({ watermark })}
          />
        </>
      )}
    </>
  );
}

interface TapeChoiceProps {
  tapes: readonly Taped[];
  /** Ids with commas between them; '' for all, `NO_TAPES` for none yet. */
  value: string;
  error: string | undefined;
  onChange: (ids: string) => void;
}

/** Which tapes a link shows: all that have arrived, or some of them. */
function TapeChoice({ tapes, value, error, onChange }: TapeChoiceProps) {
  const arrived = tapes.filter(({ tape }) => tape.body.arrived_at !== null && tape.serverId !== null);
  const getId = ({ tape }: Taped) => tape.serverId ?? tape.id;
  const shareable = arrived.filter(({ tape }) => !tape.body.no_links);
  const isAll = value === '';
  const chosen = isAll || value === NO_TAPES ? [] : value.split(',');
  const toggle = (id: string, isOn: boolean) =>
    onChange([...chosen.filter((each) => each !== id), ...(isOn ? [id] : [])].join(',') || NO_TAPES);
  return (
    <>
      <ChoiceChips
        label="Which tapes"
        name="tape_ids"
        options={[
          { value: 'all', label: 'All that arrive' },
          ...(shareable.length > 0 || !isAll ? [{ value: 'some', label: 'Only some' }] : []),
        ]}
        value={isAll ? 'all' : 'some'}
        onChange={(which) =>
          onChange(which === 'all' ? '' : shareable.slice(0, LINK_LIMITS.tapes).map(getId).join(','))
        }
      />
      {!isAll && (
        <fieldset>
          <legend className="sr-only">Tapes that the link shows</legend>
          <ul>
            {arrived.map((request) => {
              const refuses = request.tape.body.no_links;
              return (
                <li key={request.key} className="border-t border-base-300 first:border-t-0">
                  <label className={`flex min-h-12 items-center gap-3 py-1 ${refuses ? '' : 'cursor-pointer'}`}>
                    <input
                      type="checkbox"
                      className="checkbox checkbox-primary"
                      disabled={refuses}
                      checked={!refuses && chosen.includes(getId(request))}
                      onChange={(event) => toggle(getId(request), event.target.checked)}
                    />
                    <span className="min-w-0">
                      <span className="block font-semibold break-words">{getPerformer(request).name}</span>
                      {refuses && <span className="block text-sm text-muted">Does not want it shared by link</span>}
                    </span>
                  </label>
                </li>
              );
            })}
          </ul>
        </fieldset>
      )}
      {error && <FieldError>{error}</FieldError>}
      <p className="text-sm text-muted">
        Links never show tapes of people under 18, nor of those who do not want it. A tape that is replaced leaves every
        link at once.
      </p>
    </>
  );
}
