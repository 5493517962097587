import { sql } from 'drizzle-orm';
import {
  type AnyPgColumn,
  boolean,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { Column } from '#contract/casting/shortlist.ts';
import type { Notices } from '#contract/casting/terms.ts';
import type { Answer, AuditionRequest, NoticeChange, Sides } from '#contract/records/casting.ts';
import { MEMBER_ROLES, MEMBER_STATES } from '#contract/records/members.ts';
import { GRADES, TAPE_STATES, type Tape } from '#contract/records/tapes.ts';
import { identity, reference, timestamptz } from './columns.ts';
import { profiles, userReference, users } from './people.ts';

/** Productions that cast. The form in `contract/casting/project.ts` determines the body. */
export const castingProjects = pgTable(
  'casting_projects',
  {
    id: identity(),
    /** The owner. */
    userId: userReference(),
    body: jsonb('body').$type<Record<string, unknown>>().notNull(),
    status: text('status', { enum: ['open', 'closed'] })
      .notNull()
      .default('open'),
    version: integer('version').notNull().default(1),
    clientId: uuid('client_id'),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [unique('casting_projects_client_id').on(table.userId, table.clientId)],
);

/**
 * Colleagues whom owners invited to their projects. The owner has no row. A row stays after a no or after somebody left, so that the owner learns of it,
 * and goes when the owner removes it.
 */
export const castingMembers = pgTable(
  'casting_members',
  {
    id: identity(),
    projectId: reference('project_id')
      .notNull()
      .references(() => castingProjects.id, { onDelete: 'cascade' }),
    /** The colleague. */
    userId: userReference(),
    role: text('role', { enum: MEMBER_ROLES }).notNull(),
    state: text('state', { enum: MEMBER_STATES }).notNull().default('invited'),
    version: integer('version').notNull().default(1),
    clientId: uuid('client_id'),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    unique('casting_members_once').on(table.projectId, table.userId),
    index('casting_members_of_user').on(table.userId, table.projectId),
  ],
);

/** Parts in projects. The form in `contract/casting/role.ts` determines the body. */
export const castingRoles = pgTable(
  'casting_roles',
  {
    id: identity(),
    /** The owner of the project. */
    userId: userReference(),
    projectId: reference('project_id')
      .notNull()
      .references(() => castingProjects.id, { onDelete: 'cascade' }),
    body: jsonb('body').$type<Record<string, unknown>>().notNull(),
    status: text('status', { enum: ['open', 'cast', 'closed'] })
      .notNull()
      .default('open'),
    /** Since when it is not open; null while it is. */
    endedAt: timestamptz('ended_at'),
    /** The columns of its shortlist; null: `DEFAULT_COLUMNS`. Only the side that casts reads them. */
    columns: jsonb('columns').$type<Column[]>(),
    /** What those who still waited were told when it was cast, for those whose tape arrives later. */
    othersText: text('others_text'),
    version: integer('version').notNull().default(1),
    clientId: uuid('client_id'),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    unique('casting_roles_client_id').on(table.userId, table.clientId),
    index('casting_roles_of_project').on(table.projectId, table.id),
  ],
);

/**
 * Who is on the shortlist of a role, by one of their profiles. Like marks, candidates are private to the side that casts: the tables that performers read
 * do not refer to them.
 */
export const castingCandidates = pgTable(
  'casting_candidates',
  {
    id: identity(),
    roleId: reference('role_id')
      .notNull()
      .references(() => castingRoles.id, { onDelete: 'cascade' }),
    profileId: reference('profile_id')
      .notNull()
      .references(() => profiles.id, { onDelete: 'cascade' }),
    /** The id of a column. */
    column: text('column').notNull(),
    /** Orders the cards of a column, see `contract/casting/position.ts`. */
    position: text('position').notNull(),
    version: integer('version').notNull().default(1),
    clientId: uuid('client_id'),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    unique('casting_candidates_once').on(table.roleId, table.profileId),
    index('casting_candidates_of_profile').on(table.profileId),
  ],
);

/** What a request asks for, under the names of the wire. */
export type StoredTerms = Pick<
  AuditionRequest,
  | 'instructions'
  | 'sides_text'
  | 'takes'
  | 'slate'
  | 'full_length'
  | 'shot'
  | 'max_minutes'
  | 'max_height'
  | 'naming'
  | 'memorize'
  | 'live_option'
  | 'shoot_dates'
>;

/** A PDF of a request, as it is stored with it. */
export interface StoredSides extends Omit<Sides, 'path'> {
  file_key: string;
}

/**
 * PDFs of the pages to read, each once however many requests of its sender name it. A request has a copy of what is here, since a PDF never changes.
 * One that no request names any more is deleted.
 */
export const castingSides = pgTable(
  'casting_sides',
  {
    id: identity(),
    /** The sender. */
    userId: userReference(),
    /** The upload that brought it, by which the requests name it. */
    uploadId: uuid('upload_id').notNull(),
    fileKey: text('file_key').notNull(),
    pages: integer('pages').notNull(),
    sizeBytes: reference('size_bytes').notNull(),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [unique('casting_sides_upload').on(table.userId, table.uploadId)],
);

/**
 * Requests to audition. The casting side reads them as `request`, the performer as `audition`. Each fact is a time that is set once, see
 * `contract/casting/state.ts`. A request goes with the account of either person.
 */
export const auditionRequests = pgTable(
  'audition_requests',
  {
    id: identity(),
    roleId: reference('role_id')
      .notNull()
      .references(() => castingRoles.id, { onDelete: 'cascade' }),
    /** The owner of the role. */
    userId: userReference(),
    /** Who is asked, by which profile. Null once one of the two has blocked the other: the request is then the owner's alone. */
    performerId: reference('performer_id').references(() => users.id, { onDelete: 'cascade' }),
    profileId: reference('profile_id').references(() => profiles.id, { onDelete: 'cascade' }),
    round: text('round', { enum: ['first', 'callback'] }).notNull(),
    /** The request of the round before. */
    previousId: reference('previous_id').references((): AnyPgColumn => auditionRequests.id, { onDelete: 'set null' }),
    terms: jsonb('terms').$type<StoredTerms>().notNull(),
    /** The PDFs among the pages to read, in the sender's order. */
    sides: jsonb('sides').$type<StoredSides[]>().notNull().default([]),
    deadlineAt: timestamptz('deadline_at').notNull(),
    /** The deadline before it was last moved; null if it never was. */
    deadlineBefore: timestamptz('deadline_before'),
    /** The time zone and region of the project, its rules and the notices of the role, as they were when the server accepted the request. */
    timeZone: text('time_zone').notNull(),
    region: text('region'),
    /** Days that count like public holidays, as the project's form holds them. */
    extraHolidays: text('extra_holidays'),
    notices: jsonb('notices').$type<Notices>().notNull(),
    /** What the notices of the role became afterwards, oldest first. Those that the performer has agreed to are in `notices`. */
    noticeChanges: jsonb('notice_changes').$type<NoticeChange[]>().notNull().default([]),
    rules: jsonb('rules').$type<AuditionRequest['rules']>().notNull(),
    askedAt: timestamptz('asked_at').notNull(),
    seenAt: timestamptz('seen_at'),
    confirmedAt: timestamptz('confirmed_at'),
    declinedAt: timestamptz('declined_at'),
    declineText: text('decline_text'),
    /** Only ever grows. */
    answers: jsonb('answers').$type<Answer[]>().notNull().default([]),
    answeredAt: timestamptz('answered_at'),
    withdrawnAt: timestamptz('withdrawn_at'),
    withdrawText: text('withdraw_text'),
    /** When a tape was announced, when one had arrived whole, and when somebody first watched one. */
    announcedAt: timestamptz('announced_at'),
    arrivedAt: timestamptz('arrived_at'),
    watchedAt: timestamptz('watched_at'),
    /** Reminders that were due until then were sent or are not wanted any more; null if there was none. No fact: neither side reads it. */
    remindedUntil: timestamptz('reminded_until'),
    version: integer('version').notNull().default(1),
    clientId: uuid('client_id'),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    unique('audition_requests_client_id').on(table.userId, table.clientId),
    uniqueIndex('audition_requests_once')
      .on(table.roleId, table.performerId, table.round)
      .where(sql`withdrawn_at is null`),
    index('audition_requests_of_role').on(table.roleId, table.id),
    index('audition_requests_by_deadline').on(table.deadlineAt),
    index('audition_requests_of_performer').on(table.performerId, table.userId),
    index('audition_requests_of_profile').on(table.profileId),
    index('audition_requests_of_previous').on(table.previousId),
  ],
);

/** A take as it is stored: as on the wire, with the upload that brings its bytes and the file that has them. */
export interface StoredTake extends Omit<Tape['takes'][number], 'path' | 'poster_path' | 'strip_path'> {
  upload_id: string;
  /** Null until the tape has arrived, and again after a newer one has. */
  file_key: string | null;
  /** The small picture that came with the announcement. */
  poster_key?: string | null;
  /** Some of its frames in one picture, which came with the announcement, too. */
  strip_key?: string | null;
}

/** The CV of a tape as it is stored: as on the wire, with the upload that brings its bytes and the file that has them. */
export interface StoredCv extends Omit<NonNullable<Tape['cv']>, 'path'> {
  upload_id: string;
  /** Null until the tape has arrived, and again after a newer one has. */
  file_key: string | null;
  /** It is why the tape was refused. */
  is_refused?: true;
}

/** What performers sent for requests. A tape goes with its request. */
export const auditionTapes = pgTable(
  'audition_tapes',
  {
    id: identity(),
    requestId: reference('request_id')
      .notNull()
      .references(() => auditionRequests.id, { onDelete: 'cascade' }),
    /** The performer. */
    userId: userReference(),
    number: integer('number').notNull(),
    takes: jsonb('takes').$type<StoredTake[]>().notNull(),
    /** Null: none goes with it. */
    cv: jsonb('cv').$type<StoredCv>(),
    note: text('note'),
    /** The performer does not want it shown by share links. */
    noLinks: boolean('no_links').notNull().default(false),
    finishedAt: timestamptz('finished_at').notNull(),
    finishedBy: text('finished_by', { enum: ['checked', 'phone clock'] }).notNull(),
    announcedAt: timestamptz('announced_at').notNull(),
    arrivedAt: timestamptz('arrived_at'),
    state: text('state', { enum: TAPE_STATES }).notNull().default('announced'),
    reason: text('reason'),
    version: integer('version').notNull().default(1),
    clientId: uuid('client_id'),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    unique('audition_tapes_client_id').on(table.userId, table.clientId),
    unique('audition_tapes_number').on(table.requestId, table.number),
  ],
);

/**
 * How long somebody of the casting side has watched a tape. Like marks, viewings are private to that side: the tables that performers read refer to
 * neither.
 */
export const tapeViewings = pgTable(
  'tape_viewings',
  {
    tapeId: reference('tape_id')
      .notNull()
      .references(() => auditionTapes.id, { onDelete: 'cascade' }),
    /** Who watched. */
    userId: userReference(),
    firstAt: timestamptz('first_at').notNull(),
    seconds: doublePrecision('seconds').notNull(),
  },
  (table) => [primaryKey({ columns: [table.tapeId, table.userId] }), index('tape_viewings_of_user').on(table.userId)],
);

/** What somebody of the casting side thinks of a tape. */
export const tapeMarks = pgTable(
  'tape_marks',
  {
    id: identity(),
    tapeId: reference('tape_id')
      .notNull()
      .references(() => auditionTapes.id, { onDelete: 'cascade' }),
    /** The author. Null once their account is deleted: what they thought stays with the project. */
    userId: reference('user_id').references(() => users.id, { onDelete: 'set null' }),
    grade: text('grade', { enum: GRADES }),
    text: text('text'),
    version: integer('version').notNull().default(1),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [unique('tape_marks_once').on(table.tapeId, table.userId), index('tape_marks_of_user').on(table.userId)],
);
