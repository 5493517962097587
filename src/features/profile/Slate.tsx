import type { ReactNode } from 'react';
import type { Profile } from '#contract/records/profile.ts';
import type { Item } from '#db/views.ts';
import { money, range } from '#lib/amounts.ts';
import { dayText } from '#lib/dates.ts';
import { Skeleton } from '#ui/Skeleton.tsx';
import { editorValue } from './editor.ts';
import { NamedLanguages } from './NamedLanguages.tsx';
import type { Sections } from './use-board.ts';

interface Fact {
  label: string;
  /** '' where there is none yet. */
  value: ReactNode;
  /** Said under the value. */
  note?: string;
  /** What the button of a fact that is not there yet says to readers. */
  add: string;
  /** Section whose form has it; Edit Profile's own where absent. */
  section?: string;
}

function factsOf(profile: Profile, height: unknown, languages: ReactNode): Fact[] {
  return [
    { label: 'City', value: profile.location ?? '', add: 'Add your city' },
    {
      label: 'Playing age',
      value: range(profile.min_age_range, profile.max_age_range),
      add: 'Add your playing age',
    },
    {
      label: 'Height',
      value: typeof height === 'string' ? `${height} cm` : '',
      add: 'Add your height',
      section: 'attribute',
    },
    { label: 'Languages', value: languages, add: 'Add your languages', section: 'language' },
    {
      label: 'Day rate',
      value: profile.per_day == null ? '' : money(profile.per_day),
      add: 'Add your day rate',
    },
    {
      label: 'Date of birth',
      value: profile.dob == null ? '' : dayText(profile.dob),
      note: 'Only you see it',
      add: 'Add your date of birth',
    },
  ];
}

interface SlateProps {
  item: Item;
  profile: Profile;
  sections: Sections;
  /** The sections are known: what they lack is not there. */
  isHeard: boolean;
  /** Takes what `?edit=` holds. */
  onEdit: (editor: string) => void;
}

/** The owner's facts under the portrait, two columns with hairlines; what is missing is one tap away. */
export function Slate({ item, profile, sections, isHeard, onEdit }: SlateProps) {
  const bodyOf = (key: string) => sections.get(key)?.[0]?.body;
  const spoken = bodyOf('language');
  const languages = Array.isArray(spoken?.languages) && spoken.languages.length > 0 && (
    <NamedLanguages body={spoken}>{(entries) => entries.flatMap(({ name }) => name || []).join(', ')}</NamedLanguages>
  );
  const isComing = (fact: Fact) => fact.value === '' && fact.section !== undefined && !isHeard;
  const cell = (fact: Fact): ReactNode => {
    if (isComing(fact)) return <Skeleton className="mt-1.5 h-4 w-16" />;
    if (fact.value === '') {
      return (
        <button
          type="button"
          className="-mt-2.5 -mb-3 inline-flex min-h-11 min-w-11 items-center font-semibold text-primary"
          aria-label={fact.add}
          onClick={() => onEdit(editorValue(fact.section ?? 'profile', item.id))}
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
      {factsOf(profile, bodyOf('attribute')?.Height, languages || '').map((fact) => (
        <div key={fact.label} className="min-w-0 border-t border-base-300 px-3.5 py-2.5 even:border-l">
          <dt className="lab">{fact.label}</dt>
          <dd aria-busy={isComing(fact)}>{cell(fact)}</dd>
        </div>
      ))}
    </dl>
  );
}
