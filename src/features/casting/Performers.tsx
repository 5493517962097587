import { Plus, Search, X } from 'lucide-react';
import { useState } from 'react';
import { normalizeText } from '#contract/search-words.ts';
import type { PerformerCard } from '#db/casting.ts';
import { listFoundPeople } from '#db/found-people.ts';
import { useAccount } from '#session/session.tsx';
import { useQuery } from '#shared/queries/use-query.ts';
import { Avatar } from '#ui/Avatar.tsx';
import { Button, ButtonLink } from '#ui/Button.tsx';
import { FieldError } from '#ui/FieldError.tsx';
import { TextField } from '#ui/Field.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { PersonChoice } from './PersonChoice.tsx';

interface PerformersProps {
  chosen: readonly PerformerCard[];
  onChange: (chosen: PerformerCard[]) => void;
}

/** Who is asked. */
export function Performers({
  chosen,
  error,
  onChange,
  onPick,
}: PerformersProps & { error: string | undefined; onPick: () => void }) {
  return (
    <div role="group" aria-labelledby="performers" aria-describedby={error ? 'performers-error' : undefined}>
      <div id="performers" className="mb-1.5 text-sm font-semibold">
        To
      </div>
      <ul className="flex flex-wrap gap-2">
        {chosen.map((performer) => (
          <li key={performer.profile_id} className="chip !pr-1">
            <Avatar name={performer.name} src={performer.profile_photo} size="size-7" decorative />
            <span className="max-w-48 truncate">{performer.name}</span>
            <button
              type="button"
              className="tap size-9"
              aria-label={`Remove ${performer.name}`}
              onClick={() => onChange(chosen.filter((each) => each !== performer))}
            >
              <X className="ic" aria-hidden />
            </button>
          </li>
        ))}
        <li>
          <Button look="tonal" icon={Plus} aria-invalid={error ? true : undefined} onClick={onPick}>
            {chosen.length === 0 ? 'Choose performers' : 'More'}
          </Button>
        </li>
      </ul>
      {error && <FieldError id="performers-error">{error}</FieldError>}
    </div>
  );
}

/** As many as anybody wants to scroll through; the rest is found by typing. */
const MOST_SHOWN = 60;

interface PickSheetProps extends PerformersProps {
  /** Why somebody cannot be chosen, such as that they were asked before; undefined if they can. */
  whyNot: (card: PerformerCard) => string | undefined;
  /** The search for others. */
  searchPath: string;
  onClose: () => void;
}

/** Chooses among everybody else whom this device knows. */
export function PickSheet({ chosen, whyNot, searchPath, onChange, onClose }: PickSheetProps) {
  const { user } = useAccount();
  const people = useQuery(listFoundPeople, []);
  const [text, setText] = useState('');
  const words = normalizeText(text).split(' ').filter(Boolean);
  const known = (people ?? []).filter(({ row }) => row.id !== '' && row.facts?.user_id !== user.id);
  const found = known.filter(({ names, main, places }) =>
    words.every((word) => [names, main, places].some((all) => all.includes(` ${word}`))),
  );
  const isChosen = (id: string) => chosen.some(({ profile_id }) => profile_id === id);
  return (
    <Sheet
      title="Choose performers"
      onClose={onClose}
      onSubmit={onClose}
      foot={
        <Button type="submit" className="flex-1">
          Done
        </Button>
      }
    >
      <TextField
        label="Name, skill or place"
        name="performer"
        kind="search"
        value={text}
        onChange={setText}
        hint="Everybody you saved, searched for or looked at before, also without signal"
      />
      <ul>
        {found.slice(0, MOST_SHOWN).map(({ row }) => {
          const { id, stage_name: name, title, profile_photo } = row;
          const card = { profile_id: id, user_id: row.facts?.user_id, name, title, profile_photo };
          const obstacle = whyNot(card);
          const others = chosen.filter(({ profile_id }) => profile_id !== id);
          const facts = [title ?? row.profile_type.name, row.location].filter(Boolean).join(', ');
          return (
            <PersonChoice
              key={id}
              name={name}
              photo={profile_photo}
              text={obstacle ?? facts}
              isChosen={isChosen(id)}
              isDisabled={obstacle !== undefined}
              onChange={(isOn) => onChange(isOn ? [...others, card] : others)}
            />
          );
        })}
      </ul>
      {people !== undefined && found.length === 0 && (
        <p className="text-muted">{known.length === 0 ? 'Nobody yet. Search for performers first.' : 'No matches.'}</p>
      )}
      {found.length > MOST_SHOWN && (
        <p className="text-sm text-muted">{found.length - MOST_SHOWN} more. Type to find them.</p>
      )}
      <ButtonLink look="tonal" icon={Search} to={searchPath}>
        Search all performers
      </ButtonLink>
    </Sheet>
  );
}
