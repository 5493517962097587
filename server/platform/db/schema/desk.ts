import { sql } from 'drizzle-orm';
import { index, jsonb, pgTable, text, uniqueIndex } from 'drizzle-orm/pg-core';
import type { ReportReason } from '#contract/report-reasons.ts';
import { identity, reference, timestamptz } from './columns.ts';
import { userReference } from './people.ts';

/**
 * The log of the desk. Rows are only ever added: a trigger of the migration refuses everything else. Each holds the digest of the row
 * before it, so that a changed or missing row shows: see `features/desk/audit.ts`. It refers to no other table, because it outlives what
 * it is about.
 */
export const audit = pgTable(
  'audit',
  {
    /** 1, 2, 3 … without gaps. */
    id: reference('id').primaryKey(),
    at: timestamptz('at').notNull(),
    /** Null for a command of the operator's machine. */
    actorId: reference('actor_id'),
    actorName: text('actor_name').notNull(),
    act: text('act').notNull(),
    targetType: text('target_type').notNull(),
    targetId: reference('target_id').notNull(),
    /** The person whom it concerns. */
    targetUserId: reference('target_user_id'),
    reportId: reference('report_id'),
    reason: text('reason').notNull(),
    /** What the person was told. */
    words: text('words'),
    /** What undoing it restores. */
    before: jsonb('before').$type<Record<string, unknown>>(),
    /** The act that this one undid. */
    undoes: reference('undoes'),
    requestId: text('request_id'),
    /** SHA-256, hexadecimal. */
    previousHash: text('previous_hash').notNull(),
    hash: text('hash').notNull(),
  },
  (table) => [
    uniqueIndex('audit_undone_once')
      .on(table.undoes)
      .where(sql`undoes is not null`),
    index('audit_of_user').on(table.targetUserId, table.id),
    index('audit_of_report').on(table.reportId, table.id),
  ],
);

/** What the desk keeps a person from doing, or from being seen. */
export const restrictions = pgTable(
  'restrictions',
  {
    id: identity(),
    userId: userReference(),
    kind: text('kind').$type<'suspended' | 'hidden'>().notNull(),
    targetType: text('target_type').notNull(),
    targetId: reference('target_id').notNull(),
    reason: text('reason').$type<ReportReason>().notNull(),
    words: text('words').notNull(),
    /** When a suspension ends by itself; null: never. */
    until: timestamptz('until'),
    actId: reference('act_id').notNull(),
    createdAt: timestamptz('created_at').notNull(),
    liftedAt: timestamptz('lifted_at'),
    /** What was hidden and comes back when it is shown. */
    hidden: jsonb('hidden').$type<Record<string, unknown>>(),
    /** Keys of stored files that only their owner may fetch meanwhile. */
    fileKeys: text('file_keys')
      .array()
      .notNull()
      .default(sql`'{}'`),
  },
  (table) => [
    index('restrictions_of_user').on(table.userId),
    uniqueIndex('restrictions_in_force')
      .on(table.targetType, table.targetId)
      .where(sql`lifted_at is null`),
    index('restrictions_of_files')
      .using('gin', table.fileKeys)
      .where(sql`lifted_at is null`),
  ],
);

/** What people say against a restriction. One at a time. */
export const appeals = pgTable(
  'appeals',
  {
    id: identity(),
    restrictionId: reference('restriction_id')
      .notNull()
      .references(() => restrictions.id, { onDelete: 'cascade' }),
    text: text('text').notNull(),
    at: timestamptz('at').notNull(),
    answeredAt: timestamptz('answered_at'),
    answer: text('answer'),
  },
  (table) => [
    uniqueIndex('appeals_open')
      .on(table.restrictionId)
      .where(sql`answered_at is null`),
    index('appeals_of_restriction').on(table.restrictionId),
  ],
);
