import type { CastingItem, PerformerCard } from '#db/casting.ts';

type Performer = Omit<PerformerCard, 'profile_id'>;

const LEFT: Performer = { name: 'Somebody who left', title: null, profile_photo: null };

/** Who is asked: as the server says, or as this device knows them until then. */
export const getPerformer = ({ body }: CastingItem<'request'>): Performer =>
  body.performer ?? (body.card as PerformerCard | undefined) ?? LEFT;

/** What a request, a draft or a shortlist keeps of a performer. */
export const toPerformerCard = ({ profile_id, name, title, profile_photo }: PerformerCard): PerformerCard => ({
  profile_id,
  name,
  title,
  profile_photo,
});
