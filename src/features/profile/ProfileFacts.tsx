import type { ReactNode } from 'react';
import type { Profile } from '#contract/records/profile.ts';
import type { Item } from '#db/views.ts';
import { money, range } from '#lib/amounts.ts';
import { dayText } from '#lib/dates.ts';
import { Skeleton } from '#ui/Skeleton.tsx';
import { toEditorParam } from './editor.ts';
import { NamedLanguages } from './NamedLanguages.tsx';
import type { Sections } from './use-own-profile.ts';

interface Fact {
  label: string;
  /** '' if the fact is missing. */
  value: ReactNode;
  /** Text below the value. */
  note?: string;
  /** Label of the Add button of a missing fact, for screen readers. */
  addLabel: string;
  /** Section whose form has the fact; without one, Edit Profile has it. */
  section?: string;
}

function getFacts(profile: Profile, height: unknown, languages: ReactNode): Fact[] {
  return [
    { label: 'City', value: profile.location ?? '', addLabel: 'Add your city' },
    {
      label: 'Playing age',
      value: range(profile.min_age_range, profile.max_age_range),
      addLabel: 'Add your playing age',
    },
    {
      label: 'Height',
      value: typeof height === 'string' ? `${height} cm` : '',
      addLabel: 'Add your height',
      section: 'attribute',
    },
    { label: 'Languages', value: languages, addLabel: 'Add your languages', section: 'language' },
    {
      label: 'Day rate',
      value: profile.per_day == null ? '' : money(profile.per_day),
      addLabel: 'Add your day rate',
    },
    {
      label: 'Date of birth',
      value: profile.dob == null ? '' : dayText(profile.dob),
      note: 'Only you see it',
      addLabel: 'Add your date of birth',
    },
  ];
}

interface ProfileFactsProps {
  item: Item;
  profile: Profile;
  sections: Sections;
  /** The sections have been loaded: what they lack does not exist. */
  isLoaded: boolean;
  /** Takes what `?edit=` holds. */
  onEdit: (editor: string) => void;
}

/** The owner's facts below the portrait, in two columns. Each missing fact has an Add button. */
export function ProfileFacts({ item, profile, sections, isLoaded, onEdit }: ProfileFactsProps) {
  const getBody = (key: string) => sections.get(key)?.[0]?.body;
  const languageBody = getBody('language');
  const languages = Array.isArray(languageBody?.languages) && languageBody.languages.length > 0 && (
    <NamedLanguages body={languageBody}>
      {(entries) => entries.flatMap(({ name }) => name || []).join(', ')}
    </NamedLanguages>
  );
  const isLoading = (fact: Fact) => fact.value === '' && fact.section !== undefined && !isLoaded;
  const renderCell = (fact: Fact): ReactNode => {
    if (isLoading(fact)) return <Skeleton className="mt-1.5 h-4 w-16" />;
    if (fact.value === '') {
      return (
        <button
          type="button"
          className="-mt-2.5 -mb-3 inline-flex min-h-11 min-w-11 items-center font-semibold text-primary"
          aria-label={fact.addLabel}
          onClick={() => onEdit(toEditorParam(fact.section ?? 'profile', item.id))}
        >
          Add
        </button>
      );
    }
    return (
      <>
        <div className="num mt-0.5 leading-snug font-semibold break-words">{fact.value}</div>
        {fact.note && <div className="text-xs text-muted">{fact.note}</div>}
      </>
    );
  };
  return (
    <dl className="grid grid-cols-2">
      {getFacts(profile, getBody('attribute')?.Height, languages || '').map((fact) => (
        <div key={fact.label} className="min-w-0 border-t border-base-300 px-3.5 py-2.5 even:border-l">
          <dt className="lab">{fact.label}</dt>
          <dd aria-busy={isLoading(fact)}>{renderCell(fact)}</dd>
        </div>
      ))}
    </dl>
  );
}
