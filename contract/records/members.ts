import * as z from 'zod/mini';
import { idText } from '../schema.ts';

/** What colleagues may do in a project: watch tapes and read what others think of them, or also say what they think. */
export const MEMBER_ROLES = ['read', 'rate'] as const;
export type MemberRole = (typeof MEMBER_ROLES)[number];

/** Only `active` colleagues read the project. `declined` and `left` are for the owner to see. */
export const MEMBER_STATES = ['invited', 'active', 'declined', 'left'] as const;
export type MemberState = (typeof MEMBER_STATES)[number];

/** How many colleagues a project can have, with those who are invited, declined or left. */
export const MEMBERS_PER_PROJECT = 20;

const role = z.literal(MEMBER_ROLES, { error: 'Use read or rate' });

/** Invites a connection of the caller to a project. */
export const inviteBody = z.object({
  project_id: idText,
  user_id: idText,
  role,
  client_id: z.optional(z.uuid({ error: 'Send a UUID' })),
});

export const memberBody = z.object({ role });

const person = z.object({
  user_id: z.string(),
  name: z.string(),
  title: z.nullable(z.string()),
  profile_photo: z.nullable(z.string()),
  slug: z.nullable(z.string()),
  /** Forms the URL of their page together with `slug`. */
  profile_type: z.nullable(z.object({ id: z.string(), name: z.string(), slug: z.string() })),
});

/**
 * A colleague in a project. The owner reads all of them, a colleague the active ones, and a person who is invited the invitation: until they accept,
 * it is all that they learn of the project.
 */
export const memberRecord = z.object({
  id: z.string(),
  client_id: z.nullable(z.string()),
  project_id: z.string(),
  user: person,
  role: z.literal(MEMBER_ROLES),
  state: z.literal(MEMBER_STATES),
  project: z.object({ title: z.string() }),
  owner: person,
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
});
export type Member = z.infer<typeof memberRecord>;
