import type { users } from '#server/platform/db/schema.ts';

/** What decides whether an address counts as confirmed. */
export type AddressState = Pick<typeof users.$inferSelect, 'email' | 'emailVerifiedAt' | 'unreachableEmail'>;

/** Whether the person has opened a link that was sent to the address, and mail has reached it since. */
export const isAddressConfirmed = ({ email, emailVerifiedAt, unreachableEmail }: AddressState): boolean =>
  emailVerifiedAt !== null && unreachableEmail !== email;
