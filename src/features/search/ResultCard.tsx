import { Bookmark } from 'lucide-react';
import { use } from 'react';
import { Link } from '#ui/router.tsx';
import { LIMITS } from '#contract/limits.ts';
import type { SearchRow } from '#contract/records/search.ts';
import type { Pending } from '#db/saved-and-connected.ts';
import { range } from '#lib/amounts.ts';
import { initials } from '#lib/text.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { SearchRowContext } from '#shared/casting/search-row-context.ts';
import { RemoteImage } from '#ui/RemoteImage.tsx';
import { VerifiedMark } from '#ui/verified-mark.ts';
import { stateWord } from '#ui/StatePill.tsx';

const AGE_SPAN = LIMITS.ageMax - LIMITS.ageMin;
/** Skills and languages shown on a card. */
const MAX_SKILLS = 4;

interface ResultCardProps {
  row: SearchRow;
  /** Whether the profile is saved. Undefined if it cannot be saved: for visitors, and for the user's own profile. */
  saved?: Pending<boolean> | undefined;
  onOpen: () => void;
}

/** A person in the results: photo, name, title, city, playing age and skills. */
export function ResultCard({ row, saved, onOpen }: ResultCardProps) {
  const { stage_name: name, title, location, profile_type, facts } = row;
  const renderAction = use(SearchRowContext);
  const skills = [...(facts?.skills ?? []), ...(facts?.languages ?? [])].map((each) => each.name).slice(0, MAX_SKILLS);
  return (
    <li className="notice relative flex overflow-hidden md:block">
      <div className="w-[104px] shrink-0 bg-secondary text-secondary-content md:aspect-[5/4] md:w-full">
        <Picture name={name} src={row.profile_photo} />
      </div>
      <div className="min-w-0 grow p-3">
        <div className="flex items-start">
          <div className="min-w-0 grow">
            <Link
              to={`/profile/${row.slug}/${profile_type.slug}`}
              className="block truncate text-[1.0625rem] leading-tight font-bold after:absolute after:inset-0"
              onClick={onOpen}
            >
              {name}
              {row.verified && <VerifiedMark office={row.verified.name} />}
            </Link>
            <div className="truncate text-sm text-muted">
              {[title || profile_type.name, location].filter(Boolean).join(', ')}
            </div>
          </div>
          {saved && <SaveButton row={row} saved={saved} />}
        </div>
        {facts && <PlayingAge low={facts.min_age_range} high={facts.max_age_range} />}
        {skills.length > 0 && <div className="mt-1.5 truncate text-sm text-muted">{skills.join(', ')}</div>}
        {renderAction?.(row)}
      </div>
    </li>
  );
}

function Picture({ name, src }: { name: string; src: string | null }) {
  const letters = (
    <span className="grid size-full min-h-24 place-items-center text-3xl font-bold" aria-hidden>
      {initials(name)}
    </span>
  );
  if (!src) return letters;
  return (
    <RemoteImage className="size-full object-cover object-top" src={src} alt="" loading="lazy" fallback={letters} />
  );
}

function PlayingAge({ low, high }: { low: number | null; high: number | null }) {
  const ages = range(low, high);
  if (ages === '') return null;
  const [from, to] = [low ?? high ?? 0, high ?? low ?? 0];
  return (
    <div className="mt-1 flex items-center gap-2 text-sm">
      <span className="lab">Plays</span>
      <span className="num font-semibold">{ages}</span>
      <span className="grow" aria-hidden>
        <span className="band block !h-1.5">
          <i style={{ left: `${(from / AGE_SPAN) * 100}%`, right: `${100 - (to / AGE_SPAN) * 100}%` }} />
        </span>
      </span>
    </div>
  );
}

/** The save button. It changes at once, also offline. */
function SaveButton({ row, saved }: { row: SearchRow; saved: Pending<boolean> }) {
  const { engine } = useAccount();
  const { facts: _, ...card } = row;
  const stateText = saved.syncState === 'saved' ? '' : `, ${stateWord(saved.syncState).toLowerCase()}`;
  return (
    <button
      type="button"
      aria-label={`Save ${row.stage_name}${stateText}`}
      title={`${saved.value ? 'Saved' : 'Save'}${stateText}`}
      aria-pressed={saved.value}
      className={`tap relative -mt-2 -mr-2 text-primary ${saved.value ? '[&_.ic]:fill-current' : ''}`}
      onClick={() => void toastOnError(engine.setSaved('saved_profile', card, !saved.value))}
    >
      <Bookmark className="ic" aria-hidden />
    </button>
  );
}
