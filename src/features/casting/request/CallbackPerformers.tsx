import type { RequestView } from '#db/casting-role.ts';
import type { PerformerCard } from '#db/casting.ts';
import { FieldError } from '#ui/FieldError.tsx';
import { toPerformerCard } from '../performer.ts';
import { PersonChoice } from '../PersonChoice.tsx';
import { isCalledBack } from './callbacks.ts';

interface CallbackPerformersProps {
  requests: readonly RequestView[];
  chosen: readonly PerformerCard[];
  error: string | undefined;
  onChange: (chosen: PerformerCard[]) => void;
}

/** Who is asked for a callback: those who were told that there is one. */
export function CallbackPerformers({ requests, chosen, error, onChange }: CallbackPerformersProps) {
  const people = requests
    .filter(isCalledBack)
    .flatMap(({ body: { performer } }) => (performer === null ? [] : [toPerformerCard(performer)]));
  return (
    <fieldset aria-describedby={error ? 'performers-error' : undefined}>
      <legend className="mb-1.5 text-sm font-semibold">To</legend>
      {people.length === 0 && (
        <p className="text-muted">Nobody waits for a callback. Answer somebody with “Callback” first.</p>
      )}
      <ul>
        {people.map((card) => {
          const others = chosen.filter(({ profile_id }) => profile_id !== card.profile_id);
          return (
            <PersonChoice
              key={card.profile_id}
              name={card.name}
              photo={card.profile_photo}
              text={card.title}
              isChosen={others.length < chosen.length}
              onChange={(isOn) => onChange(isOn ? [...others, card] : others)}
            />
          );
        })}
      </ul>
      {error && <FieldError id="performers-error">{error}</FieldError>}
    </fieldset>
  );
}
