import { getAsked, type RequestView } from '#db/casting-role.ts';
import type { CastingItem, PerformerCard } from '#db/casting.ts';

type Performer = Omit<PerformerCard, 'profile_id'>;

const LEFT: Performer = { name: 'Somebody who left', title: null, profile_photo: null };

/** Who is asked: as the server says, or as this device knows them until then. */
export const getPerformer = (request: CastingItem<'request'>): Performer =>
  request.body.performer ?? getAsked(request) ?? LEFT;

/** What a request, a draft or a shortlist keeps of a performer. */
export const toPerformerCard = ({ profile_id, user_id, name, title, profile_photo }: PerformerCard): PerformerCard => ({
  profile_id,
  user_id,
  name,
  title,
  profile_photo,
});

/** Whether these are profiles of one person, as far as this device knows. */
export const isSamePerson = (one: PerformerCard, other: PerformerCard): boolean =>
  one.profile_id === other.profile_id || (one.user_id !== undefined && one.user_id === other.user_id);

/** Whether a person was asked in this round already, also by another profile or by a request that waits on this device. */
export const wasAsked = (requests: readonly RequestView[], round: RequestView['body']['round'], card: PerformerCard) =>
  requests.some((request) => {
    const asked = getAsked(request);
    return (
      request.body.round === round &&
      request.body.withdrawn_at === null &&
      asked !== undefined &&
      isSamePerson(asked, card)
    );
  });

/** Why these performers cannot be asked; undefined if they can. Somebody is asked once in a round. */
export function getPerformersProblem(
  requests: readonly RequestView[],
  round: RequestView['body']['round'],
  chosen: readonly PerformerCard[],
): string | undefined {
  if (chosen.length === 0) return 'Choose at least one performer';
  const asked = chosen.find((card) => wasAsked(requests, round, card));
  if (asked) return `${asked.name} was asked already. Remove them here`;
  const twice = chosen.find((card, n) => chosen.slice(0, n).some((other) => isSamePerson(other, card)));
  return twice && `${twice.name} is here with two profiles. Remove one of them`;
}
