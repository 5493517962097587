import { sql } from 'drizzle-orm';
import {
  boolean,
  check,
  date,
  doublePrecision,
  index,
  integer,
  jsonb,
  pgTable,
  primaryKey,
  smallint,
  text,
  unique,
  uniqueIndex,
  uuid,
} from 'drizzle-orm/pg-core';
import type { PendingKinds } from '#contract/pending.ts';
import type { Privacy } from '#contract/records/account.ts';
import type { PushSettingsChange } from '#contract/records/push.ts';
import type { Evidence } from '#contract/records/desk.ts';
import type { ReportReason } from '#contract/report-reasons.ts';
import type { ReportTarget } from '#contract/report-targets.ts';
import { bytea, identity, reference, timestamptz } from './columns.ts';

/** The user that a row belongs to or is about. The row is deleted with the user. */
export const userReference = (name = 'user_id') =>
  reference(name)
    .notNull()
    .references(() => users.id, { onDelete: 'cascade' });

/** A user who may have deleted their account. The row is removed some time later: see `erasures`. */
export const formerUserReference = (name: string) => reference(name).notNull();

export const profileReference = () =>
  reference('profile_id')
    .notNull()
    .references(() => profiles.id, { onDelete: 'cascade' });

export const users = pgTable(
  'users',
  {
    id: identity(),
    name: text('name').notNull(),
    email: text('email').notNull().unique(),
    /** When the person opened a link that was sent to the address; null if never. */
    emailVerifiedAt: timestamptz('email_verified_at'),
    /** Whether the account is new and its address was never confirmed: until then, nobody else sees the person or hears from them. */
    mustConfirmEmail: boolean('must_confirm_email').notNull().default(false),
    /** The address that replaces `email` once its owner has confirmed it. */
    pendingEmail: text('pending_email'),
    /** The address that mail could not be delivered to. It may be one of an earlier time: see `presentUser`. */
    unreachableEmail: text('unreachable_email'),
    /** Null if the person signs in without a password. */
    passwordHash: text('password_hash'),
    /** 32 random bytes by which authenticators know this user; null before the first passkey. */
    webauthnId: bytea('webauthn_id').unique(),
    slug: text('slug').notNull().unique(),
    createdAt: timestamptz('created_at').notNull(),
    /** Whether others see this user's read receipts. When off, the user sees none of theirs either. */
    readReceipts: boolean('read_receipts').notNull().default(true),
    /** Whether those who ask this user to audition learn that the request was seen. */
    auditionReceipts: boolean('audition_receipts').notNull().default(true),
    /** Whether this user gets a mail when a new device signs in. */
    signInMail: boolean('sign_in_mail').notNull().default(true),
    /** Whether this user gets a mail about what is new and reached none of their devices, and whether messages count too. */
    newsMail: boolean('news_mail').notNull().default(true),
    messageMail: boolean('message_mail').notNull().default(false),
    /** The date of birth as the person gave it; null if they have not said. */
    bornOn: date('born_on', { mode: 'string' }),
    /** Whether the person is protected as somebody under 18. Ends when they confirm that they have come of age: see `access/minors.ts`. */
    isMinor: boolean('is_minor').notNull().default(false),
    /** When the person and the guardian were told that the person has come of age. */
    ofAgeToldAt: timestamptz('of_age_told_at'),
    /** What people without a connection see. The default is what they saw before there was a choice. New people begin with nothing. */
    privacy: jsonb('privacy')
      .$type<Privacy>()
      .notNull()
      .default({ phone: true, email: true, day_rate: true, search_engines: true }),
    /** Who sees on which days this person is free. */
    availabilityFor: text('availability_for', { enum: ['nobody', 'connections', 'casting'] })
      .notNull()
      .default('nobody'),
    /** Which pushes this user wants, as far as they have changed it. */
    push: jsonb('push').$type<PushSettingsChange>(),
    /** What the person may do at the moderation desk. */
    role: text('role', { enum: ['person', 'moderator', 'operator'] })
      .notNull()
      .default('person'),
    /** `suspended`: may read, but reaches nobody. `removing`: cannot sign in, and is deleted some days later. Set by the desk only. */
    state: text('state', { enum: ['active', 'suspended', 'removing'] })
      .notNull()
      .default('active'),
    /** Counts the changes of this user's mirror. Incremented under the row's lock in the writing transaction. */
    syncSeq: reference('sync_seq').notNull().default(0),
    /** The highest counter that was removed from the feed: older cursors must pull everything. */
    syncForgotten: reference('sync_forgotten').notNull().default(0),
    /** The day on which old messages were last removed from the feed. */
    syncTrimmedOn: date('sync_trimmed_on', { mode: 'string' }),
  },
  (table) => [
    index('users_coming_of_age')
      .on(table.bornOn)
      .where(sql`is_minor and of_age_told_at is null`),
    index('users_at_desk')
      .on(table.role)
      .where(sql`role <> 'person'`),
  ],
);

/**
 * People whose accounts were deleted. Their rows in tables without a foreign key to `users`, conversations with their messages and the sync
 * feed, are removed in batches by `features/account/erase.ts`. The rows stay, so that a restored backup can delete these people again.
 */
export const erasures = pgTable('erasures', {
  userId: reference('user_id').primaryKey(),
  erasedAt: timestamptz('erased_at').notNull(),
});

/** Changes that waited on a device when its storage was deleted. Times are ISO. */
export interface LostChanges {
  kinds: PendingKinds;
  /** The hour of the oldest. */
  since: string;
  /** When the device last said what waits. */
  heardAt: string;
}

/**
 * The devices on which a person has signed in, with what waits there to be sent, as the device said last. Says numbers, kinds and an hour,
 * never what a change is. Rows without a session are deleted if nothing waits, else after 180 days.
 */
export const devices = pgTable(
  'devices',
  {
    id: uuid('id').primaryKey().defaultRandom(),
    userId: userReference(),
    /** SHA-256 of the number that the device's cookie holds for this person, hexadecimal. */
    key: text('key').notNull(),
    name: text('name').notNull(),
    /** Where its clock or its language suggests it is, in words: 'India'. Null if neither says. */
    place: text('place'),
    createdAt: timestamptz('created_at').notNull(),
    /** The session that last said what waits. */
    heardFrom: reference('heard_from'),
    heardAt: timestamptz('heard_at').notNull(),
    /** Number of waiting changes. */
    pending: integer('pending').notNull().default(0),
    kinds: jsonb('kinds').$type<PendingKinds>(),
    /** The hour of the oldest waiting change. */
    oldestAt: timestamptz('oldest_at'),
    /** When the device last began with an empty store. */
    emptiedAt: timestamptz('emptied_at'),
    lost: jsonb('lost').$type<LostChanges>(),
    lostAt: timestamptz('lost_at'),
    /** The session that spoke for the lost changes, if another one reported the loss. If it speaks again, nothing is lost. */
    lostFrom: reference('lost_from'),
    /** When the person dismissed the notice about changes that may be lost. */
    toldAt: timestamptz('told_at'),
  },
  (table) => [unique('devices_by_key').on(table.userId, table.key), index('devices_by_heard').on(table.heardAt)],
);

/** How a person signs in. `reset` is the link for a new password. */
export type SignInMethod = 'password' | 'passkey' | 'recovery' | 'reset';

export const sessions = pgTable(
  'sessions',
  {
    id: identity(),
    userId: userReference(),
    /** SHA-256 of the token, hexadecimal. The token itself is not stored. */
    tokenHash: text('token_hash').notNull().unique(),
    /** The token before the current one, which works until the current one is first used: its answer may have been lost. */
    previousHash: text('previous_hash'),
    previousUntil: timestamptz('previous_until'),
    /** How the device was signed in, or a stronger way by which the person confirmed it since. */
    method: text('method').$type<SignInMethod>().notNull().default('password'),
    /** When the person last proved who they are; null in sessions from before this was recorded. */
    reauthAt: timestamptz('reauth_at'),
    device: text('device').notNull(),
    /** Null until the app first says what waits, if it signed in before devices were recorded. */
    deviceId: uuid('device_id').references(() => devices.id),
    createdAt: timestamptz('created_at').notNull(),
    lastSeenAt: timestamptz('last_seen_at').notNull(),
    /** Number of changes waiting on the device, from its last X-Pending header. */
    pending: integer('pending').notNull().default(0),
    /** The last X-Pending-Detail header; null if the app sends none. */
    pendingDetail: text('pending_detail'),
    /** Since when the device has had changes that wait; null if it has none. */
    pendingSince: timestamptz('pending_since'),
  },
  (table) => [
    index('sessions_by_user').on(table.userId),
    index('sessions_by_device').on(table.deviceId),
    index('sessions_unsent')
      .on(table.pendingSince)
      .where(sql`pending > 0`),
    uniqueIndex('sessions_by_previous_token')
      .on(table.previousHash)
      .where(sql`previous_hash is not null`),
  ],
);

/** Networks from which a user has signed in. Password guesses from other networks do not lock the user out there. */
export const knownNetworks = pgTable(
  'known_networks',
  {
    userId: userReference(),
    /** HMAC of the network, so that the database holds no IP addresses. */
    networkHash: text('network_hash').notNull(),
    lastUsedAt: timestamptz('last_used_at').notNull(),
  },
  (table) => [primaryKey({ columns: [table.userId, table.networkHash] })],
);

export const profileTypes = pgTable('profile_types', {
  id: identity(),
  name: text('name').notNull(),
  slug: text('slug').notNull().unique(),
});

/** Lookup lists, inserted from `lookups.ts` at every start. */
export const industries = pgTable('industries', {
  id: identity(),
  name: text('name').notNull().unique(),
  /** Name of its image under `icons/industries/`. */
  icon: text('icon').notNull(),
});

export const languages = pgTable('languages', {
  id: identity(),
  name: text('name').notNull().unique(),
  /** One or two letters of its script, shown as its icon. */
  icon: text('icon').notNull(),
});

export const profiles = pgTable(
  'profiles',
  {
    id: identity(),
    userId: userReference(),
    profileTypeId: reference('profile_type_id')
      .notNull()
      .references(() => profileTypes.id),
    /** Chosen by the owner. */
    status: text('status', { enum: ['active', 'inactive'] }).notNull(),
    /** Why others do not see the profile although it is active; set by `access/withholding.ts`. */
    withheld: text('withheld', { enum: ['email', 'guardian', 'consent', 'suspended', 'hidden'] }),
    /** Whether other people can see the profile. */
    isShown: boolean('is_shown')
      .notNull()
      .generatedAlwaysAs(sql`status = 'active' and withheld is null`),
    stageName: text('stage_name').notNull(),
    title: text('title'),
    location: text('location'),
    perDay: doublePrecision('per_day'),
    dob: date('dob', { mode: 'string' }),
    minAge: smallint('min_age'),
    maxAge: smallint('max_age'),
    industryId: reference('industry_id').references(() => industries.id),
    /** Key in the file store. */
    photoKey: text('photo_key'),
    /** The text of About me. */
    description: text('description'),
    version: integer('version').notNull().default(1),
    clientId: uuid('client_id'),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    unique('profiles_one_of_each_type').on(table.userId, table.profileTypeId),
    unique('profiles_client_id').on(table.userId, table.clientId),
    index('profiles_shown')
      .on(table.id)
      .where(sql`is_shown`),
    index('profiles_of_industry')
      .on(table.industryId, table.userId)
      .where(sql`is_shown`),
    index('profiles_by_birth')
      .on(table.dob)
      .where(sql`dob is not null`),
    check('profiles_status', sql`${table.status} in ('active', 'inactive')`),
  ],
);

/** Connection requests and accepted connections. One row per pair of users; declined and ended ones are deleted. */
export const connections = pgTable(
  'connections',
  {
    id: identity(),
    senderId: userReference('sender_id'),
    receiverId: userReference('receiver_id'),
    status: text('status', { enum: ['pending', 'accepted'] }).notNull(),
    /** The sender's message with the request. */
    message: text('message'),
    clientId: uuid('client_id'),
    createdAt: timestamptz('created_at').notNull(),
    updatedAt: timestamptz('updated_at').notNull(),
  },
  (table) => [
    uniqueIndex('connections_of_two').on(
      sql`least(${table.senderId}, ${table.receiverId})`,
      sql`greatest(${table.senderId}, ${table.receiverId})`,
    ),
    unique('connections_client_id').on(table.senderId, table.clientId),
    index('connections_of_sender').on(table.senderId, table.status, table.updatedAt),
    index('connections_of_receiver').on(table.receiverId, table.status, table.updatedAt),
    check('connections_status', sql`${table.status} in ('pending', 'accepted')`),
    check('connections_not_self', sql`${table.senderId} <> ${table.receiverId}`),
  ],
);

/** Blocks between users. A block hides each of the two from the other. */
export const blocks = pgTable(
  'blocks',
  {
    blockerId: userReference('blocker_id'),
    blockedId: userReference('blocked_id'),
    /** Whether the blocker may know the other's name. Ids can be guessed; a list of blocks must not tell whose they are. */
    isNamed: boolean('is_named').notNull().default(true),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [
    primaryKey({ columns: [table.blockerId, table.blockedId] }),
    index('blocks_of_blocked').on(table.blockedId),
  ],
);

/** Profiles that users saved. */
export const savedProfiles = pgTable(
  'saved_profiles',
  {
    id: identity(),
    userId: userReference(),
    profileId: profileReference(),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [
    unique('saved_profiles_once').on(table.userId, table.profileId),
    index('saved_profiles_of_profile').on(table.profileId),
  ],
);

/** Evidence as it is stored: a file by its key. */
export type StoredEvidence = Omit<Evidence, 'file'> & {
  file: { key: string; media_type: string; sha256: string | null } | null;
};

/**
 * Reports about users, for the desk. A report and its evidence outlive both accounts, without the id of who reported: see
 * `features/desk/reports.ts`.
 */
export const reports = pgTable(
  'reports',
  {
    id: identity(),
    reporterId: reference('reporter_id').references(() => users.id, { onDelete: 'set null' }),
    reportedId: formerUserReference('reported_id'),
    reason: text('reason').$type<ReportReason>().notNull(),
    text: text('text'),
    /** What it is about, and its id. */
    targetType: text('target_type').$type<ReportTarget>().notNull().default('user'),
    targetId: reference('target_id'),
    /** What was reported as it was then; null in reports from before this was recorded. */
    evidence: jsonb('evidence').$type<StoredEvidence>(),
    /** Whether the person counted as a minor then, or a profile of theirs said so. */
    isAboutChild: boolean('is_about_child').notNull().default(false),
    state: text('state', { enum: ['open', 'closed'] })
      .notNull()
      .default('open'),
    closedBy: reference('closed_by'),
    closedAt: timestamptz('closed_at'),
    createdAt: timestamptz('created_at').notNull(),
  },
  (table) => [
    index('reports_of_reporter').on(table.reporterId),
    index('reports_of_reported').on(table.reportedId),
    index('reports_in_order').on(table.state, table.isAboutChild, table.createdAt, table.id),
  ],
);
