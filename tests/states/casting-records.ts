import { PROJECT_FORM } from '#contract/casting/project.ts';
import { ROLE_FORM } from '#contract/casting/role.ts';
import type { DayRecord } from '#contract/records/availability.ts';
import type { Audition, AuditionRequest, Project, Role } from '#contract/records/casting.ts';
import type { ShareLink } from '#contract/records/links.ts';
import type { Mark, Tape } from '#contract/records/tapes.ts';
import type { MirrorRecord } from '#db/rows.ts';
import { getPortraitPath, LONG_NAME, RIGHT_TO_LEFT } from './records.ts';

/** Sample projects, roles, requests, auditions and tapes as the server sends them. */

const HOUR_MS = 3_600_000;
const now = Date.now();
/** A time so many hours from now, as the server writes times. */
export const inHours = (hours: number): string => new Date(now + hours * HOUR_MS).toISOString();

const base = (id: string) => ({
  id,
  client_id: null,
  version: 1,
  created_at: inHours(-100),
  updated_at: inHours(-100),
});

const toRecord = (type: string, parent: string | null, body: { id: string; version: number }): MirrorRecord => ({
  type,
  id: body.id,
  parent,
  body: { ...body },
  version: body.version,
});

/** A day of the performer's calendar, so many days from today. */
export const dayRecord = (days: number, given: Partial<DayRecord>): MirrorRecord => {
  const date = inHours(days * 24).slice(0, 10);
  const id = date.replaceAll('-', '');
  const said = { state: null, note: null, request_id: null, expires_at: null, other: null };
  return toRecord('availability', null, { ...base(id), date, ...said, ...given });
};

export const PROJECT_ID = 'p1';
export const ROLE_ID = 'r1';

const projectBody = (given: Partial<Project> = {}): Project =>
  ({ ...base(PROJECT_ID), ...PROJECT_FORM.example, status: 'open', ...given }) as Project;
export const projectRecord = (given: Partial<Project> = {}): MirrorRecord =>
  toRecord('project', null, projectBody(given));

const roleBody = (given: Partial<Role> = {}): Role =>
  ({ ...base(ROLE_ID), ...ROLE_FORM.example, project_id: PROJECT_ID, status: 'open', ...given }) as Role;
export const roleRecord = (given: Partial<Role> = {}): MirrorRecord => toRecord('role', PROJECT_ID, roleBody(given));

/** What both sides see of a request to which nothing has happened yet. */
const terms = {
  round: 'first',
  previous_id: null,
  instructions: 'Play it as if nobody listened.',
  sides_text: 'NASEEM\nYou came.\n\nILA\nI said I would.',
  takes: 2,
  slate: true,
  full_length: false,
  shot: 'medium',
  max_minutes: 5,
  max_height: 720,
  deadline_at: inHours(70),
  time_zone: 'Asia/Kolkata',
  naming: 'Role_Name_Take',
  memorize: false,
  live_option: null,
  notices: { nudity: 'None', intimacy: 'A kiss, clothed.', stunts: null, minors: null, other: null },
  rules: { pack: 'plain-courtesy', pack_version: 1, breaches: [], waivers: [] },
  asked_at: inHours(-48),
  seen_at: null,
  confirmed_at: null,
  declined_at: null,
  decline_text: null,
  answers: [],
  answered_at: null,
  withdrawn_at: null,
  withdraw_text: null,
  announced_at: null,
  arrived_at: null,
  watched_at: null,
} satisfies Partial<AuditionRequest>;

const PEOPLE = [
  { name: 'Meera Kulkarni', photo: getPortraitPath('bun-8') },
  { name: LONG_NAME, photo: null },
  { name: RIGHT_TO_LEFT.name, photo: getPortraitPath('long-9') },
  { name: 'Arjun Nair', photo: getPortraitPath('curly-7') },
];

const personAt = (at: number) => {
  const { name, photo } = PEOPLE[at % PEOPLE.length]!;
  return {
    user_id: `u${at}`,
    name,
    title: 'Actor',
    profile_photo: photo,
    slug: `person-${at}`,
    profile_type: { id: '1', name: 'Actor / Performer', slug: 'actor-performer' },
    verified: null,
  };
};

export const requestRecord = (at: number, given: Partial<AuditionRequest> = {}): MirrorRecord =>
  toRecord('request', ROLE_ID, {
    ...base(`q${at}`),
    role_id: ROLE_ID,
    ...terms,
    performer: { ...personAt(at), profile_id: `f${at}` },
    ...given,
  } as AuditionRequest);

export const ARRIVED = { announced_at: inHours(-3), arrived_at: inHours(-2) };

export const tapeRecord = (requestId: string, given: Partial<Tape> = {}): MirrorRecord => {
  const id = `t-${requestId}`;
  const take = {
    id: `${id}-1`,
    name: 'Naseem_MeeraKulkarni_Take1.mp4',
    label: 'Take 1',
    duration: 108,
    width: 1280,
    height: 720,
    size: 38_200_000,
    // What has not come, or was refused, cannot be played.
    path: given.arrived_at === null ? null : `/storage/takes/${id}.mp4`,
    poster_path: getPortraitPath('bob-11'),
    strip_path: null,
  };
  const body: Tape = {
    ...base(id),
    request_id: requestId,
    number: 1,
    takes: [take, { ...take, id: `${id}-2`, label: 'Take 2' }],
    note: 'The second take is quieter.',
    no_links: false,
    finished_at: inHours(-3),
    finished_by: 'checked',
    announced_at: inHours(-3),
    arrived_at: inHours(-2),
    state: 'arrived',
    reason: null,
    ...given,
  };
  return toRecord('tape', requestId, body);
};

export const markRecord = (requestId: string, grade: Mark['grade'], text: string | null = null): MirrorRecord =>
  toRecord('mark', `t-${requestId}`, {
    ...base(`m-${requestId}`),
    tape_id: `t-${requestId}`,
    request_id: requestId,
    grade,
    text,
  } as Mark);

export const auditionRecord = (id: string, given: Partial<Audition> = {}): MirrorRecord =>
  toRecord('audition', null, {
    ...base(id),
    ...terms,
    profile_id: '10',
    casting: { ...personAt(3), name: 'Farah Irani', title: 'Casting director' },
    project: projectBody(),
    role: roleBody(),
    ...given,
  } as Audition);

/** A link of the role, which shows every tape. */
export const linkRecord = (id: string, given: Partial<ShareLink> = {}): MirrorRecord => {
  const body: ShareLink = {
    ...base(id),
    client_id: id,
    role_id: ROLE_ID,
    name: 'Anand Rege',
    tape_ids: null,
    expires_at: inHours(100),
    token_hash: 'ab'.repeat(32),
    has_code: false,
    watermark: 'Anand Rege',
    opened: 0,
    openings: [],
    closed_until: null,
    revoked_at: null,
    revoked_by: null,
    ...given,
  };
  return toRecord('link', ROLE_ID, body);
};
