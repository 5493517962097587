import type { ProfileType } from '#contract/records/profile.ts';
import { copyParts } from '#db/copying.ts';
import type { Item } from '#db/views.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { Select } from '#ui/Field.tsx';
import { getProfileTypeName } from './profile-type-name.ts';

interface CopyStepProps {
  profiles: readonly Item[];
  /** Type of the profile that is being created. */
  typeSlug: string;
  /** Id of the profile to copy from; '' for none. */
  from: string;
  /** Keys of the chosen parts. */
  chosen: ReadonlySet<string>;
  onChange: (from: string, chosen: ReadonlySet<string>) => void;
}

const getName = (item: Item) =>
  getProfileTypeName(item.body) || String((item.body['profile_type'] as ProfileType | undefined)?.slug ?? 'Profile');

/** The last step for a person who already has a profile: which parts of it to copy. */
export function CopyStep({ profiles, typeSlug, from, chosen, onChange }: CopyStepProps) {
  const parts = useQuery(async (db) => (from === '' ? [] : copyParts(db, from, typeSlug)), [from, typeSlug]);
  const toggle = (key: string, isChecked: boolean) => {
    const next = new Set(chosen);
    if (isChecked) next.add(key);
    else next.delete(key);
    onChange(from, next);
  };
  return (
    <div className="mt-4 space-y-5">
      <Select
        label="Copy from"
        name="copy_from"
        optional
        value={from}
        options={profiles.map((item) => ({ value: item.id, label: getName(item) }))}
        onChange={(id) => onChange(id, new Set())}
      />
      {from !== '' && parts?.length === 0 && (
        <p className="text-muted">There is nothing to copy in this profile yet.</p>
      )}
      {parts !== undefined && parts.length > 0 && (
        <fieldset>
          <legend className="mb-1.5 text-sm font-semibold">What to copy</legend>
          <div className="rounded-2xl border border-base-300 bg-base-100 px-3.5">
            {parts.map((part) => (
              <label
                key={part.key}
                className="flex min-h-12 cursor-pointer items-center gap-3 border-t border-base-300 first:border-t-0"
              >
                <input
                  type="checkbox"
                  className="checkbox checkbox-primary"
                  checked={chosen.has(part.key)}
                  onChange={(event) => toggle(part.key, event.target.checked)}
                />
                <span className="grow py-2 font-[550] break-words">{part.title}</span>
                {part.count > 1 && <span className="num text-sm text-muted">{part.count}</span>}
              </label>
            ))}
          </div>
          <p className="mt-1.5 text-sm text-muted">
            After that, each profile is edited separately. Photos are not copied.
          </p>
        </fieldset>
      )}
    </div>
  );
}
