import { LIMITS } from '#contract/limits.ts';
import type { Profile } from '#contract/records/profile.ts';
import type { AnyRow } from '#contract/section.ts';
import { getPublicFacts } from './public-facts.ts';

const AGE_SPAN_YEARS = LIMITS.ageMax - LIMITS.ageMin;

/** The facts that casting asks for first, in two columns. An odd last one takes the full width. */
export function PublicFacts({ profile, rows }: { profile: Profile; rows: Record<string, AnyRow[]> }) {
  const facts = getPublicFacts(profile, rows);
  const { min_age_range: low, max_age_range: high } = profile;
  if (facts.length === 0) return null;
  return (
    <dl className="grid grid-cols-2">
      {facts.map((fact) => (
        <div
          key={fact.label}
          className="min-w-0 border-t border-base-300 px-3.5 py-2.5 last:odd:col-span-2 even:border-l"
        >
          <dt className="lab">{fact.label}</dt>
          <dd className="num mt-0.5 leading-snug font-semibold break-words">{fact.value}</dd>
          {fact.label === 'Playing age' && low !== null && high !== null && (
            <dd className="band mt-1.5 !h-1.5" aria-hidden>
              <i
                style={{ left: `${(low / AGE_SPAN_YEARS) * 100}%`, right: `${100 - (high / AGE_SPAN_YEARS) * 100}%` }}
              />
            </dd>
          )}
        </div>
      ))}
    </dl>
  );
}
