import { ChevronDown } from 'lucide-react';
import type { ReactNode } from 'react';
import { Segmented } from '#ui/Segmented.tsx';
import { Toggle } from '#ui/Toggle.tsx';
import {
  ACCENTS,
  type Accent,
  type Audience,
  type CvChoices,
  type HeadKey,
  type Layout,
  type PartKey,
} from './choices.ts';
import { PartList } from './PartList.tsx';

const LAYOUT_OPTIONS: readonly { value: Layout; label: string }[] = [
  { value: 'one', label: 'One page' },
  { value: 'two', label: 'Two pages' },
];
const AUDIENCE_OPTIONS: readonly { value: Audience; label: string }[] = [
  { value: 'casting', label: 'Casting' },
  { value: 'connections', label: 'Connections' },
  { value: 'public', label: 'Anyone' },
];
const ACCENT_LABELS: readonly (readonly [Accent, string])[] = [
  ['green', 'Green'],
  ['ink', 'Black'],
  ['blue', 'Blue'],
  ['plum', 'Plum'],
  ['brick', 'Brick'],
];

const AUDIENCE_TEXTS: Record<Audience, string> = {
  casting: 'Leaves out your own contact, your day rate and your date of birth, unless you add the first two here.',
  connections: 'Shows what your connections see, without addresses and your date of birth.',
  public: 'Shows what anyone sees on your page. Safe to post.',
};
const MINOR_TEXT = 'Until you are 18, your CV names no city, and no contact but your agent’s.';

interface CvOptionsProps {
  choices: CvChoices;
  onChange: (choices: CvChoices) => void;
  isMinor: boolean;
  /** Absent: the person chooses who it is for. */
  fixedAudience?: Audience | undefined;
  headKeys: readonly HeadKey[];
  partKeys: readonly PartKey[];
  /** The buttons that use the CV. */
  actions: ReactNode;
}

/** The choices for a CV. */
export function CvOptions({ choices, onChange, isMinor, fixedAudience, headKeys, partKeys, actions }: CvOptionsProps) {
  return (
    <section className="notice space-y-4 p-4" aria-label="Options">
      <h1 className="text-2xl font-bold max-md:sr-only">CV as PDF</h1>
      <Segmented
        label="Length"
        options={LAYOUT_OPTIONS}
        value={choices.layout}
        onChange={(layout) => onChange({ ...choices, layout })}
      />
      <div>
        {fixedAudience === undefined && (
          <Segmented
            label="Who it is for"
            options={AUDIENCE_OPTIONS}
            value={choices.audience}
            onChange={(audience) => onChange({ ...choices, audience })}
          />
        )}
        <p className="mt-2 text-sm text-muted">{isMinor ? MINOR_TEXT : AUDIENCE_TEXTS[choices.audience]}</p>
        {choices.audience === 'casting' && !isMinor && (
          <div className="mt-2">
            <Toggle
              label="Add my own phone and e-mail"
              checked={choices.ownContact}
              onChange={(ownContact) => onChange({ ...choices, ownContact })}
            />
            <Toggle
              label="Add my day rate"
              checked={choices.dayRate}
              onChange={(dayRate) => onChange({ ...choices, dayRate })}
            />
          </div>
        )}
      </div>
      <details className="group">
        <summary className="flex min-h-11 cursor-pointer items-center gap-1 text-sm font-semibold">
          Content and color
          <ChevronDown className="ic size-4 group-open:rotate-180" aria-hidden />
        </summary>
        <PartList {...{ choices, onChange, headKeys, partKeys }} />
        <fieldset className="mt-3">
          <legend className="mb-1.5 text-sm font-semibold">Color</legend>
          <div className="flex flex-wrap gap-2">
            {ACCENT_LABELS.map(([accent, label]) => (
              <label key={accent} className="chip">
                <input
                  type="radio"
                  className="sr-only"
                  name="cv-accent"
                  checked={choices.accent === accent}
                  onChange={() => onChange({ ...choices, accent })}
                />
                <svg viewBox="0 0 8 8" className="size-3" aria-hidden>
                  <circle cx="4" cy="4" r="3.5" fill={ACCENTS[accent]} stroke="#fff" />
                </svg>
                {label}
              </label>
            ))}
          </div>
        </fieldset>
      </details>
      {actions}
    </section>
  );
}
