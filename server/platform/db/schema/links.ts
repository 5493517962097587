import { doublePrecision, index, integer, jsonb, pgTable, primaryKey, text, unique, uuid } from 'drizzle-orm/pg-core';
import { auditionTapes, castingRoles } from './casting.ts';
import { identity, reference, timestamptz } from './columns.ts';
import { userReference } from './people.ts';

/**
 * Links by which people without an account watch tapes of a role. Like marks, they are private to the side that casts: no table that
 * performers read refers to them.
 */
export const castingLinks = pgTable(
  'casting_links',
  {
    id: identity(),
    /** The owner of the role. */
    userId: userReference(),
    roleId: reference('role_id')
      .notNull()
      .references(() => castingRoles.id, { onDelete: 'cascade' }),
    /** The name of the link in its address. */
    clientId: uuid('client_id').notNull(),
    name: text('name').notNull(),
    /** The tapes that it shows, as on the wire; null: all that have arrived. */
    tapeIds: jsonb('tape_ids').$type<string[]>(),
    expiresAt: timestamptz('expires_at').notNull(),
    /** SHA-256 of the token, hexadecimal. Only who has the address knows the token. */
    tokenHash: text('token_hash').notNull(),
    /** SHA-256 of the token with the code: a copy of this table is not enough to guess a short code. */
    codeHash: text('code_hash'),
    watermark: text('watermark').notNull(),
    /** Wrong codes since the link was last closed for them, and how often it was. */
    wrongCodes: integer('wrong_codes').notNull().default(0),
    closings: integer('closings').notNull().default(0),
    closedUntil: timestamptz('closed_until'),
    opened: integer('opened').notNull().default(0),
    revokedAt: timestamptz('revoked_at'),
    revokedBy: text('revoked_by', { enum: ['owner', 'wrong codes', 'restore'] }),
    version: integer('version').notNull().default(1),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    unique('casting_links_client_id').on(table.userId, table.clientId),
    index('casting_links_by_address').on(table.clientId),
    index('casting_links_of_role').on(table.roleId, table.id),
  ],
);

/** Each time that somebody opened a link. While it lasts, the page that did may watch. */
export const castingLinkOpenings = pgTable(
  'casting_link_openings',
  {
    id: identity(),
    linkId: reference('link_id')
      .notNull()
      .references(() => castingLinks.id, { onDelete: 'cascade' }),
    /** SHA-256 of the session that the page holds in memory, hexadecimal. */
    sessionHash: text('session_hash').notNull().unique(),
    openedAt: timestamptz('opened_at').notNull(),
    expiresAt: timestamptz('expires_at').notNull(),
    /** How long somebody watched. */
    seconds: doublePrecision('seconds').notNull().default(0),
  },
  (table) => [index('casting_link_openings_of_link').on(table.linkId, table.id)],
);

/** How long a tape was watched by a link. */
export const castingLinkViewings = pgTable(
  'casting_link_viewings',
  {
    linkId: reference('link_id')
      .notNull()
      .references(() => castingLinks.id, { onDelete: 'cascade' }),
    tapeId: reference('tape_id')
      .notNull()
      .references(() => auditionTapes.id, { onDelete: 'cascade' }),
    seconds: doublePrecision('seconds').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.linkId, table.tapeId] }),
    index('casting_link_viewings_of_tape').on(table.tapeId),
  ],
);
