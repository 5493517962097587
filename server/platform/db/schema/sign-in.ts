import { bigint, boolean, index, pgTable, primaryKey, text, uuid } from 'drizzle-orm/pg-core';
import { bytea, reference, timestamptz } from './columns.ts';
import { sessions, userReference, users } from './people.ts';

/** Passkeys: public keys whose private half never leaves the person's authenticators. */
export const passkeys = pgTable(
  'passkeys',
  {
    /** The credential id, base64url. */
    id: text('id').primaryKey(),
    userId: userReference(),
    /** In COSE format. */
    publicKey: bytea('public_key').notNull(),
    /** How often the authenticator has signed, as far as it counts. */
    counter: bigint('counter', { mode: 'number' }).notNull(),
    /** How the browser reaches the authenticator. */
    transports: text('transports').array().notNull(),
    /** The model of the authenticator; all zeros if it does not say. */
    aaguid: uuid('aaguid').notNull(),
    /** Whether the authenticator may copy it to the person's other devices. Others keep it to themselves. */
    isSynced: boolean('is_synced').notNull(),
    name: text('name').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    lastUsedAt: timestamptz('last_used_at'),
  },
  (table) => [index('passkeys_of_user').on(table.userId)],
);

/** What an authenticator has been asked to sign. Each is used once: whoever takes one deletes it. */
export const challenges = pgTable(
  'challenges',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    purpose: text('purpose').$type<'add' | 'sign-in' | 'reauth'>().notNull(),
    /** Null before a sign-in: the passkey says who it is. */
    userId: reference('user_id').references(() => users.id, { onDelete: 'cascade' }),
    sessionId: reference('session_id').references(() => sessions.id, { onDelete: 'cascade' }),
    challenge: text('challenge').notNull(),
    expiresAt: timestamptz('expires_at').notNull(),
  },
  (table) => [
    index('challenges_by_end').on(table.expiresAt),
    index('challenges_of_user').on(table.userId),
    index('challenges_of_session').on(table.sessionId),
  ],
);

/** Codes to sign in without password and passkey. Each works once. */
export const recoveryCodes = pgTable(
  'recovery_codes',
  {
    userId: userReference(),
    /** argon2id. The codes of one person share a salt, so that one computation checks all of them. */
    hash: text('hash').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    usedAt: timestamptz('used_at'),
  },
  (table) => [primaryKey({ columns: [table.userId, table.hash] })],
);
