import type { Member, MemberRole } from '#contract/records/members.ts';
import type { CastingItem } from '#db/casting.ts';

/** What a colleague may do, in words. */
export const RIGHT_WORDS: Record<MemberRole, string> = { read: 'Can watch', rate: 'Can rate' };

type Person = Pick<Member['user'], 'name' | 'profile_photo'>;

/** Who a colleague is: as the server says, or as this device knows them until then. */
export function getColleague({ body }: CastingItem<'project_member'>): Person & { user_id: string } {
  const known: Partial<Member> = body;
  if (known.user) return known.user;
  const photo = body.profile_photo;
  return {
    user_id: String(body.user_id),
    name: String(body.name),
    profile_photo: typeof photo === 'string' ? photo : null,
  };
}
