import { useState } from 'react';
import type { MemberRole } from '#contract/records/members.ts';
import { type CastingItem, isIn, type ProjectView } from '#db/casting.ts';
import { readNetwork } from '#db/network.ts';
import { count } from '#lib/text.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { useQuery } from '#shared/queries/use-query.ts';
import { Button, ButtonLink } from '#ui/Button.tsx';
import { ChoiceChips } from '#ui/ChoiceChips.tsx';
import { FieldError } from '#ui/FieldError.tsx';
import { Sheet } from '#ui/Sheet.tsx';
import { toast } from '#ui/Toast.tsx';
import { getColleague, RIGHT_WORDS } from './member-words.ts';
import { PersonChoice } from './PersonChoice.tsx';

const RIGHTS = [
  { value: 'rate', label: RIGHT_WORDS.rate },
  { value: 'read', label: RIGHT_WORDS.read },
];

const RIGHT_HINTS: Record<MemberRole, string> = {
  rate: 'They watch tapes, give grades and write notes, which all of you read.',
  read: 'They watch tapes and read the notes and grades of all of you.',
};

interface InviteSheetProps {
  project: CastingItem<'project'>;
  members: ProjectView['members'];
  /** The accounts of those who were asked to tape for the project. They must not read what is said of tapes. */
  performerIds: ProjectView['performerIds'];
  onClose: () => void;
}

/** Invites connections to a project. */
export function InviteSheet({ project, members, performerIds, onClose }: InviteSheetProps) {
  const { engine } = useAccount();
  const network = useQuery(readNetwork, []);
  const [right, setRight] = useState<MemberRole>('rate');
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const [error, setError] = useState<string>();
  const there = new Set(members.filter(isIn).map((member) => getColleague(member).user_id));
  const people = (network?.connections ?? [])
    .filter(({ value, userId }) => value === 'connected' && !there.has(userId))
    .toSorted((one, other) => one.name.localeCompare(other.name));

  const toggle = (userId: string, isOn: boolean) => {
    setError(undefined);
    setChosen(isOn ? [...chosen, userId] : chosen.filter((each) => each !== userId));
  };
  const invite = async () => {
    const invited = people.filter(({ userId }) => chosen.includes(userId));
    if (invited.length === 0) return setError('Choose at least one person');
    await engine.createAll(
      'project_member',
      project.id,
      invited.map(({ userId, name, profile_photo }) => ({ user_id: userId, role: right, name, profile_photo })),
    );
    toast({ text: `${count(invited.length, 'invitation')} on the way` });
    onClose();
  };
  return (
    <Sheet
      title="Invite colleagues"
      dirty={chosen.length > 0}
      onClose={onClose}
      onSubmit={() => void toastOnError(invite())}
      foot={
        people.length > 0 && (
          <Button type="submit" className="flex-1">
            Invite
          </Button>
        )
      }
    >
      <div className="space-y-4">
        <ChoiceChips
          label="What they may do"
          name="right"
          options={RIGHTS}
          value={right}
          onChange={(value) => setRight(value === 'read' ? 'read' : 'rate')}
        />
        <p className="text-sm text-muted">
          {RIGHT_HINTS[right]} Only you ask, answer and cast. Performers never learn who else watches.
        </p>
        <fieldset aria-describedby={error ? 'colleagues-error' : undefined}>
          <legend className="mb-1.5 text-sm font-semibold">Your connections</legend>
          <ul>
            {people.map((person) => (
              <PersonChoice
                key={person.userId}
                name={person.name}
                photo={person.profile_photo}
                text={performerIds.has(person.userId) ? 'Asked to tape for this project' : person.title}
                isDisabled={performerIds.has(person.userId)}
                isChosen={chosen.includes(person.userId)}
                onChange={(isOn) => toggle(person.userId, isOn)}
              />
            ))}
          </ul>
          {error && <FieldError id="colleagues-error">{error}</FieldError>}
        </fieldset>
        {network !== undefined && people.length === 0 && (
          <>
            <p className="text-muted">
              {there.size > 0
                ? 'Everybody you are connected with is in this project or invited.'
                : 'You can invite people you are connected with. Connect with your colleagues first.'}
            </p>
            <ButtonLink look="tonal" to="/connections">
              Connections
            </ButtonLink>
          </>
        )}
      </div>
    </Sheet>
  );
}
