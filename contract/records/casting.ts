import * as z from 'zod/mini';
import { PROJECT_FORM } from '../casting/project.ts';
import { ROLE_FORM } from '../casting/role.ts';
import { ANSWER_KINDS, type AnswerKind } from '../casting/state.ts';
import { LIMITS } from '../limits.ts';
import { NOTICES } from '../rules/pack.ts';
import { WAIVER_TEXT } from '../rules/check.ts';
import { boundedText, calendarDay, idText } from '../schema.ts';
import { codePoints } from '../text.ts';
import type { RecordForm } from '../section.ts';
import { verified } from './office.ts';
import { MEMBER_ROLES } from './members.ts';
import { profileType } from './profile.ts';

/** Bounds of requests. Text lengths count code points. */
export const CASTING_LIMITS = {
  openProjects: 20,
  rolesPerProject: 50,
  instructions: 4000,
  sidesText: 20_000,
  /** PDFs of one request, the name of one, and the pages that one may have. */
  sidesFiles: 6,
  sidesName: 160,
  sidesPages: 200,
  takes: 5,
  minutes: 20,
  naming: 120,
  shootDates: 60,
  liveOption: 500,
  answerText: 1000,
  /** Whoever says no after having cast somebody says why, in at least so many characters. */
  reasonAfterCast: 10,
  withdrawText: 500,
  declineText: 500,
  answersPerRequest: 20,
  /** A deadline may lie this far ahead. */
  deadlineDays: 365,
} as const;

const texts = <Form extends RecordForm>(form: Form) =>
  Object.fromEntries(Object.keys(form.fields).map((key) => [key, z.nullable(z.string())])) as Record<
    keyof Form['fields'] & string,
    z.ZodMiniNullable<z.ZodMiniString>
  >;

const kept = {
  id: z.string(),
  client_id: z.nullable(z.string()),
  version: z.int(),
  created_at: z.string(),
  updated_at: z.string(),
};

/** A production that casts, as its owner and active colleagues read it. */
export const projectRecord = z.object({
  ...kept,
  ...texts(PROJECT_FORM),
  title: z.string(),
  type: z.string(),
  time_zone: z.string(),
  rule_pack: z.string(),
  status: z.literal(['open', 'closed']),
  /** What the reader may do: everything, or what the owner lets a colleague do. Absent in what older versions of the app stored: the owner reads it. */
  my_role: z.optional(z.literal(['own', ...MEMBER_ROLES])),
});
export type Project = z.infer<typeof projectRecord>;

/** A part in a project. */
export const roleRecord = z.object({
  ...kept,
  project_id: z.string(),
  ...texts(ROLE_FORM),
  name: z.string(),
  /** `cast` and `closed` take no new requests. */
  status: z.literal(['open', 'cast', 'closed']),
  /** The columns of its shortlist, in order; null: `DEFAULT_COLUMNS`. */
  columns: z.nullable(z.array(z.object({ id: z.string(), name: z.string() }))),
});
export type Role = z.infer<typeof roleRecord>;

/** Of an update: a project or role that is closed takes no new requests, and can be opened again. */
export const openOrClosed = z.optional(z.literal(['open', 'closed'], { error: 'Use open or closed' }));

const clientId = z.optional(z.uuid({ error: 'Send a UUID' }));
const emptyToNull = (value: unknown) => (typeof value === 'string' && value.trim() === '' ? null : value);
const optionalText = (max: number) => z.optional(z.pipe(z.transform(emptyToNull), z.nullable(boundedText(max))));

/** A moment, ISO text with its offset. */
const moment = z.iso.datetime({ offset: true, error: 'Send a date and time' });

const deadline = z.pipe(
  moment,
  z.transform((value) => new Date(value).toISOString()),
);

const waiver = z.object({
  rule: z.string({ error: 'Name the rule' }).check(z.maxLength(40, { error: 'Name the rule' })),
  text: boundedText(WAIVER_TEXT.most, { missing: 'Give your reason' }).check(
    z.refine((value) => codePoints(value) >= WAIVER_TEXT.least, {
      error: `Give your reason in at least ${WAIVER_TEXT.least} characters`,
    }),
  ),
});

export const SHOTS = { close: 'Close', medium: 'Medium', full: 'Full length' } as const;
export type Shot = keyof typeof SHOTS;

/** Heights of a picture that may be demanded, in pixels; none: any. */
export const PICTURE_HEIGHTS = [480, 720, 1080] as const;

const yesOrNo = z.boolean({ error: 'Use true or false' });
const whole = (min: number, max: number) =>
  z
    .int({ error: 'Enter a whole number' })
    .check(
      z.minimum(min, { error: `Enter a number from ${min} to ${max}` }),
      z.maximum(max, { error: `Enter a number from ${min} to ${max}` }),
    );

/** A PDF of the pages to read. Several requests of the same sender may name the same upload. */
const sidesFile = z.object({
  upload_id: z.uuid({ error: 'Send a UUID' }),
  name: boundedText(CASTING_LIMITS.sidesName, { missing: 'Name the pages' }),
});

const sidesFiles = z.array(sidesFile, { error: 'Send a list' }).check(
  z.maxLength(CASTING_LIMITS.sidesFiles, { error: `Send ${CASTING_LIMITS.sidesFiles} files or fewer` }),
  z.refine((list) => new Set(list.map(({ upload_id }) => upload_id)).size === list.length, {
    error: 'Send each file once',
  }),
);

/** What a request asks for, as its sender writes it. */
const termsShape = {
  instructions: optionalText(CASTING_LIMITS.instructions),
  /** The pages to read, as text. */
  sides_text: optionalText(CASTING_LIMITS.sidesText),
  takes: z._default(whole(1, CASTING_LIMITS.takes), 2),
  slate: z._default(yesOrNo, false),
  full_length: z._default(yesOrNo, false),
  shot: z._default(z.literal(Object.keys(SHOTS) as Shot[], { error: 'Choose one from the list' }), 'medium'),
  max_minutes: z._default(whole(1, CASTING_LIMITS.minutes), 5),
  max_height: z.optional(z.nullable(z.literal(PICTURE_HEIGHTS, { error: 'Choose one from the list' }))),
  deadline_at: deadline,
  naming: optionalText(CASTING_LIMITS.naming),
  memorize: z._default(yesOrNo, false),
  live_option: optionalText(CASTING_LIMITS.liveOption),
  /** The days on which the role is shot, where they are known better than the project's first and last. */
  shoot_dates: z._default(
    z.array(calendarDay, { error: 'Send a list of days' }).check(
      z.maxLength(CASTING_LIMITS.shootDates, { error: `Send ${CASTING_LIMITS.shootDates} days or fewer` }),
      z.refine((days) => new Set(days).size === days.length, { error: 'Send each day once' }),
    ),
    [],
  ),
  waivers: z._default(
    z.array(waiver, { error: 'Send a list' }).check(z.maxLength(20, { error: 'Send 20 or fewer' })),
    [],
  ),
};

/** Asks one performer, by one of their profiles, to tape for a role. */
export const askBody = z.object({
  role_id: idText,
  profile_id: idText,
  client_id: clientId,
  round: z._default(z.literal(['first', 'callback'], { error: 'Use first or callback' }), 'first'),
  /** The request of the round before. */
  previous_id: z.optional(z.nullable(idText)),
  /** The pages to read, as PDFs. */
  sides: z._default(sidesFiles, []),
  ...termsShape,
});
export type AskBody = z.output<typeof askBody>;

/** Changes a request. The deadline can only move to a later time. What is absent stays. */
export const changeRequestBody = z.object({
  instructions: termsShape.instructions,
  sides_text: termsShape.sides_text,
  deadline_at: z.optional(deadline),
});

const breach = z.object({ rule: z.string(), text: z.string() });
const answer = z.object({
  kind: z.literal(Object.keys(ANSWER_KINDS) as AnswerKind[]),
  text: z.nullable(z.string()),
  at: z.string(),
});
export type Answer = z.infer<typeof answer>;

const time = z.nullable(z.string());

const sides = z.object({
  id: z.string(),
  name: z.string(),
  pages: z.int(),
  /** Bytes. */
  size: z.int(),
  /** Where the PDF is, for the two sides of the request alone. */
  path: z.string(),
});
export type Sides = z.infer<typeof sides>;

/** What a role says before a yes: text by kind, null where nothing was said. */
const notices = z.record(z.enum([...NOTICES, 'minors', 'other']), z.nullable(z.string()));

/** The notices of a role changed after somebody was asked. */
const noticeChange = z.object({
  at: z.string(),
  before: notices,
  after: notices,
  /** When the performer agreed to them; null until then. */
  confirmed_at: time,
});
export type NoticeChange = z.infer<typeof noticeChange>;

/** What both sides read. */
const sharedShape = {
  ...kept,
  round: z.literal(['first', 'callback']),
  previous_id: z.nullable(z.string()),
  instructions: z.nullable(z.string()),
  sides_text: z.nullable(z.string()),
  /** The pages to read, as PDFs. Devices have records from before there were any. */
  sides: z.optional(z.array(sides)),
  takes: z.int(),
  slate: z.boolean(),
  full_length: z.boolean(),
  shot: z.literal(Object.keys(SHOTS) as Shot[]),
  max_minutes: z.int(),
  max_height: z.nullable(z.int()),
  deadline_at: z.string(),
  /** The deadline before its sender moved it last; null if it never moved. */
  deadline_before: time,
  /** IANA name: of the project when the request was accepted. */
  time_zone: z.string(),
  naming: z.nullable(z.string()),
  memorize: z.boolean(),
  live_option: z.nullable(z.string()),
  /** Absent in requests from before there were any, and on servers without them. */
  shoot_dates: z.optional(z.array(z.string())),
  /** What the role said when the request was accepted, or when the performer last agreed to new words. */
  notices,
  /** What it became since, oldest first, with both versions. Only the last one can be without a `confirmed_at`. */
  notice_changes: z.array(noticeChange),
  /** The rules that the sender follows, those that this request breaks, and why. */
  rules: z.object({
    pack: z.string(),
    pack_version: z.int(),
    breaches: z.array(breach),
    waivers: z.array(z.object({ rule: z.string(), text: z.string() })),
  }),
  asked_at: z.string(),
  seen_at: time,
  confirmed_at: time,
  declined_at: time,
  decline_text: z.nullable(z.string()),
  answers: z.array(answer),
  answered_at: time,
  withdrawn_at: time,
  withdraw_text: z.nullable(z.string()),
  /** When a tape was announced, when one had arrived whole, and when somebody first watched one. */
  announced_at: time,
  arrived_at: time,
  watched_at: time,
};

const person = z.object({
  user_id: z.string(),
  name: z.string(),
  title: z.nullable(z.string()),
  profile_photo: z.nullable(z.string()),
  slug: z.nullable(z.string()),
  profile_type: z.nullable(profileType),
  verified,
});

/** A performer, with the profile by which they are asked. */
export const performerRecord = z.object({ ...person.shape, profile_id: z.string() });

/** A request as the casting side sees it. */
export const requestRecord = z.object({
  ...sharedShape,
  role_id: z.string(),
  /** Who is asked. Null once one of the two has blocked the other. The request is deleted with the performer's account. */
  performer: z.nullable(performerRecord),
});
export type AuditionRequest = z.infer<typeof requestRecord>;

/** The same request as the performer sees it, under the same id. */
export const auditionRecord = z.object({
  ...z.omit(requestRecord, { performer: true, role_id: true, client_id: true }).shape,
  /** The profile that was asked. */
  profile_id: z.string(),
  casting: person,
  project: z.pick(projectRecord, {
    id: true,
    title: true,
    type: true,
    company: true,
    synopsis: true,
    shoot_from: true,
    shoot_to: true,
  }),
  role: z.pick(roleRecord, {
    id: true,
    name: true,
    description: true,
    age_min: true,
    age_max: true,
    skills: true,
    location: true,
    pay: true,
    status: true,
  }),
});
export type Audition = z.infer<typeof auditionRecord>;

export const answerBody = z.object({
  kind: z.literal(Object.keys(ANSWER_KINDS) as AnswerKind[], { error: 'Choose one from the list' }),
  text: optionalText(CASTING_LIMITS.answerText),
});
export const withdrawBody = z.object({ text: optionalText(CASTING_LIMITS.withdrawText) });
/** The role is cast: these requests win it, and everybody who still waits is told. */
export const castBody = z.object({
  request_ids: z._default(
    z.array(idText, { error: 'Send a list of ids' }).check(z.maxLength(50, { error: 'Send 50 or fewer' })),
    [],
  ),
  /** To those who are cast. */
  cast_text: optionalText(CASTING_LIMITS.answerText),
  /** To everybody who still waits. */
  text: optionalText(CASTING_LIMITS.answerText),
});
/** The role with every request of it that was answered by this. */
export const castResponse = z.object({ message: z.string(), data: roleRecord, requests: z.array(requestRecord) });
/** When the performer did it, by the clock of their device. The server never takes a time that is to come. */
const at = z.optional(moment);
export const seenBody = z.object({ at });
/** `notices_at`: which change of the notices the performer has read. Without it, a yes does not agree to changed notices. */
export const confirmBody = z.object({ at, notices_at: z.optional(moment) });
/** A question of the performer, which opens a conversation with the one who asked. */
export const questionBody = z.object({
  text: boundedText(LIMITS.messageText, { missing: 'Write a question' }),
  client_id: clientId,
});
export const declineBody = z.object({ at, text: optionalText(CASTING_LIMITS.declineText) });
