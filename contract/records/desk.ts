import * as z from 'zod/mini';
import { DESK_ACT_NAMES, DESK_TARGETS } from '../desk-acts.ts';
import { REPORT_REASONS, type ReportReason } from '../report-reasons.ts';
import { REPORT_TARGETS } from '../report-targets.ts';
import { boundedText, idText } from '../schema.ts';
import { email } from './account.ts';
import { GUARDIAN_STATES } from './consent.ts';

/** Limits of the desk. Not among the others, which every page loads. Lengths are in code points. */
export const DESK_LIMITS = { words: 2000, appeal: 2000, days: 365, name: 200 } as const;

const REASONS = Object.keys(REPORT_REASONS) as [ReportReason, ...ReportReason[]];
const reason = z.literal(REASONS, { error: 'Choose one from the list' });
const chosen = { error: 'Choose one from the list' };

/** What was reported, as it was at that moment. It stays when the original is changed or deleted. */
export const evidence = z.object({
  /** Name of the reported person. */
  name: z.string(),
  words: z.nullable(z.string()),
  /** A file by its key and digest. The file itself is not copied. */
  file: z.nullable(z.object({ path: z.string(), media_type: z.string(), sha256: z.nullable(z.string()) })),
  /** With a message: up to five before it, oldest first. */
  before: z.array(z.object({ is_by_reported: z.boolean(), words: z.string(), at: z.string() })),
});
export type Evidence = z.infer<typeof evidence>;

const personName = z.object({ id: z.string(), name: z.string() });

/** A person as the desk sees them. */
export const deskPerson = z.object({
  ...personName.shape,
  title: z.nullable(z.string()),
  profile_photo: z.nullable(z.string()),
  /** Parts of the address of their page; null without a page that others see. */
  slug: z.nullable(z.string()),
  profile_type_slug: z.nullable(z.string()),
  joined_at: z.string(),
  email_verified: z.boolean(),
  role: z.literal(['person', 'moderator', 'operator']),
  state: z.literal(['active', 'suspended', 'removing']),
  /** How many requests to connect they sent that are waiting or accepted, and how many reports there were about them. */
  requests_sent: z.int(),
  reports: z.int(),
  /** The verified casting office that this account is, if it is one. */
  office: z.nullable(z.object({ id: z.string(), name: z.string(), domain: z.nullable(z.string()), since: z.string() })),
  /** Verified offices of others whose names the name or a stage name of this person would be taken for. */
  looks_like: z.array(z.string()),
});
export type DeskPerson = z.infer<typeof deskPerson>;

export const deskReport = z.object({
  id: z.string(),
  state: z.literal(['open', 'closed']),
  reason,
  text: z.nullable(z.string()),
  created_at: z.string(),
  is_about_child: z.boolean(),
  target_type: z.literal(REPORT_TARGETS),
  /** Empty if the report is about the caller. */
  target_id: z.string(),
  /** Whom it is about. The name is that of today, or of the report if the account is gone. */
  person: z.object({ ...personName.shape, profile_photo: z.nullable(z.string()), is_gone: z.boolean() }),
  /** Whether it is about the caller, so that somebody else decides it. */
  is_about_caller: z.boolean(),
  /** Null if the account is gone, or the report is about the caller. */
  reporter: z.nullable(personName),
  /** How many open reports there are about the person. */
  open_count: z.int(),
  /** Whether a name of the person looks like that of a verified office. */
  is_lookalike: z.boolean(),
});
export type DeskReport = z.infer<typeof deskReport>;

export const deskReportList = z.object({
  data: z.array(deskReport),
  next_cursor: z.nullable(z.string()),
  /** How many there are in all. */
  counts: z.object({ open: z.int(), children: z.int(), closed: z.int(), appeals: z.int(), age_requests: z.int() }),
});
export type DeskReportList = z.infer<typeof deskReportList>;

/** An entry of the log. */
export const auditRecord = z.object({
  id: z.string(),
  at: z.string(),
  actor: z.string(),
  act: z.string(),
  target_type: z.string(),
  target_id: z.string(),
  target_user_id: z.nullable(z.string()),
  report_id: z.nullable(z.string()),
  reason: z.string(),
  words: z.nullable(z.string()),
  /** The act that this one undid. */
  undoes: z.nullable(z.string()),
  /** The act that undid this one. */
  undone_by: z.nullable(z.string()),
  /** Whether the caller may undo it now. */
  can_undo: z.boolean(),
});
export type AuditRecord = z.infer<typeof auditRecord>;
export const auditList = z.object({ data: z.array(auditRecord), next_cursor: z.nullable(z.string()) });

/** A report with all that a decision needs. */
export const deskReportDetail = z.object({
  ...deskReport.shape,
  evidence,
  /** Whether others see what was reported now. `hidden`: the desk hides it. `gone`: its owner has deleted it. */
  target_state: z.literal(['shown', 'hidden', 'gone']),
  /** The act that hides it; undoing it shows it again. */
  hidden_by: z.nullable(z.string()),
  /** The person today; null if the account is gone. */
  context: z.nullable(deskPerson),
  /** Other open reports about the same person, newest first. */
  others: z.array(deskReport),
  /** Acts that concern the report or the person, newest first. */
  log: z.array(auditRecord),
});
export type DeskReportDetail = z.infer<typeof deskReportDetail>;

export const deskPersonDetail = z.object({ person: deskPerson, log: z.array(auditRecord) });
export type DeskPersonDetail = z.infer<typeof deskPersonDetail>;

/** Whom an operator looks for. In the body: an address does not belong into a log of requests. */
export const findPersonBody = z.object({ email });
export const foundPerson = z.object({ id: z.string() });

/** A verified office. */
export const deskOffice = z.object({
  id: z.string(),
  name: z.string(),
  domain: z.nullable(z.string()),
  since: z.string(),
  /** Null if the account was deleted: the name stays reserved. */
  person: z.nullable(personName),
});
export type DeskOffice = z.infer<typeof deskOffice>;
export const deskOfficeList = z.object({ data: z.array(deskOffice), next_cursor: z.nullable(z.string()) });
export type DeskOfficeList = z.infer<typeof deskOfficeList>;

/** A request to correct a date of birth that waits for a decision. Dates are YYYY-MM-DD. */
export const deskAgeRequest = z.object({
  id: z.string(),
  person: z.object({
    ...personName.shape,
    profile_photo: z.nullable(z.string()),
    /** Parts of the address of their page; null without a page that others see. */
    slug: z.nullable(z.string()),
    profile_type_slug: z.nullable(z.string()),
  }),
  /** The date now, and the one that the person asks for. */
  born_on: z.string(),
  wanted: z.string(),
  /** Whether the person counts as an adult with it. */
  makes_adult: z.boolean(),
  reason: z.nullable(z.string()),
  asked_at: z.string(),
  /** What the guardian has said; null if the person has named none. */
  guardian: z.nullable(z.literal(GUARDIAN_STATES)),
  /** How many requests of the person were declined before. */
  declined_before: z.int(),
});
export type DeskAgeRequest = z.infer<typeof deskAgeRequest>;
export const deskAgeRequestList = z.object({ data: z.array(deskAgeRequest), next_cursor: z.nullable(z.string()) });
export type DeskAgeRequestList = z.infer<typeof deskAgeRequestList>;

const HOST = /^(?=.{1,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z0-9-]{2,63}$/;
const hostName = z
  .string({ error: 'Enter a host, such as example.com' })
  .check(z.trim(), z.toLowerCase(), z.regex(HOST, { error: 'Enter a host, such as example.com' }));

export const actBody = z.object({
  act: z.enum(DESK_ACT_NAMES, chosen),
  target_type: z.enum(DESK_TARGETS, chosen),
  target_id: idText,
  report_id: z.optional(z.nullable(idText)),
  reason,
  /** What the person concerned reads. */
  words: z.optional(z.nullable(boundedText(DESK_LIMITS.words))),
  /** When a suspension ends. Absent: never by itself. */
  until: z.optional(z.nullable(z.iso.datetime({ error: 'Choose a time' }))),
  /** The name that an act asks for: that of the person, to be sure, or that of an office. */
  name: z.optional(boundedText(DESK_LIMITS.name)),
  /** Host of the website of an office. */
  domain: z.optional(z.nullable(hostName)),
});
export type ActBody = z.infer<typeof actBody>;

/** Something that the desk restricts, as the person concerned sees it. */
export const restrictionRecord = z.object({
  id: z.string(),
  kind: z.literal(['suspended', 'hidden']),
  target_type: z.string(),
  target_id: z.string(),
  reason,
  words: z.string(),
  since: z.string(),
  until: z.nullable(z.string()),
  /** The newest appeal, if there is one. */
  appeal: z.nullable(
    z.object({ text: z.string(), at: z.string(), answer: z.nullable(z.string()), answered_at: z.nullable(z.string()) }),
  ),
});
export type RestrictionRecord = z.infer<typeof restrictionRecord>;

export const appealBody = z.object({
  text: boundedText(DESK_LIMITS.appeal, { missing: 'Write what happened' }),
  /** By default the suspension. */
  restriction_id: z.optional(idText),
});

export const deskAppeal = z.object({
  id: z.string(),
  text: z.string(),
  at: z.string(),
  person: personName,
  restriction: restrictionRecord,
  /** Whether the caller may answer: not who restricted, where others could. */
  can_answer: z.boolean(),
});
export type DeskAppeal = z.infer<typeof deskAppeal>;

/** A background job that failed. */
export const deskJob = z.object({
  id: z.string(),
  name: z.string(),
  added_at: z.string(),
  tries: z.int(),
  max_tries: z.int(),
  next_at: z.nullable(z.string()),
  failure: z.string(),
});
export type DeskJob = z.infer<typeof deskJob>;
