import { listDays } from '#contract/casting/availability.ts';
import { toRequestTerms, type Notices } from '#contract/casting/terms.ts';
import {
  type AskBody,
  type AuditionRequest,
  CASTING_LIMITS,
  PICTURE_HEIGHTS,
  SHOTS,
  type Shot,
} from '#contract/records/casting.ts';
import { type Breach, checkRules, type Doubt, listUnwaived, type StatedWaiver } from '#contract/rules/check.ts';
import type { RulePack } from '#contract/rules/pack.ts';
import { calendarDay } from '#contract/schema.ts';
import { isCard } from '#db/casting-role.ts';
import type { PerformerCard } from '#db/casting.ts';
import type { FieldValues } from '#db/rows.ts';
import { fromLocalInput, toLocalInput } from '#lib/deadline.ts';
import type { FormValues } from '#shared/forms/form-values.ts';

/** The values of the form that asks performers, as text, and what follows from them. */

const HOUR_MS = 3_600_000;
/** A deadline that the usual rules allow, whatever day it is. */
const FIRST_GUESS_MS = 7 * 24 * HOUR_MS;

/** Keeps every rule about time. */
const FAR_AHEAD_MS = 365 * 24 * HOUR_MS;

const WAIVER = 'waiver:';

export const shotOptions = (Object.keys(SHOTS) as Shot[]).map((value) => ({ value, label: SHOTS[value] }));
export const heightOptions = [
  { value: '', label: 'Any' },
  ...PICTURE_HEIGHTS.map((height) => ({ value: String(height), label: `${height}p` })),
];

export type Round = AuditionRequest['round'];

/** Where a round of a role is asked for, and the key of the draft that waits there. */
export const getAskPath = (roleId: string, round: Round): string =>
  `/casting/roles/${roleId}/ask${round === 'callback' ? '?round=callback' : ''}`;
export const getAskKey = (roleId: string, round: Round): string =>
  round === 'callback' ? `ask:${roleId}:callback` : `ask:${roleId}`;

/** What the form begins with. @param timeZone of the project */
export function getStart(pack: RulePack, timeZone: string, now: number): FormValues {
  const hour = Math.ceil((now + FIRST_GUESS_MS) / HOUR_MS) * HOUR_MS;
  return {
    to: '[]',
    deadline: toLocalInput(hour, timeZone),
    sides_text: '',
    instructions: '',
    takes: '2',
    slate: 'true',
    full_length: '',
    shot: 'medium',
    max_minutes: '5',
    max_height: '',
    naming: '',
    memorize: '',
    live_option: '',
    shoot_from: '',
    shoot_to: '',
    ...Object.fromEntries(pack.rules.map(({ id }) => [`${WAIVER}${id}`, ''])),
  };
}

export const getWaiverKey = (rule: string): string => `${WAIVER}${rule}`;

/** The chosen performers. A draft may hold anything. */
export function readPerformers(values: FormValues): PerformerCard[] {
  try {
    const found: unknown = JSON.parse(values.to ?? '');
    return Array.isArray(found) ? found.filter(isCard) : [];
  } catch {
    return [];
  }
}

/** The deadline in milliseconds since 1970; null while there is none. */
export const readDeadline = (values: FormValues, timeZone: string): number | null =>
  fromLocalInput(values.deadline ?? '', timeZone);

const isDay = (value: string): boolean => calendarDay.safeParse(value).success;

/** The first and the last day on which the role is shot. One of them alone is both. */
const readShoot = ({ shoot_from = '', shoot_to = '' }: FormValues) => ({
  from: shoot_from || shoot_to,
  to: shoot_to || shoot_from,
});

/** What is wrong with the days of the shoot, by field. */
export function getShootErrors(values: FormValues): Record<string, string[]> {
  const { from, to } = readShoot(values);
  if (from === '') return {};
  if (!isDay(from)) return { shoot_from: ['Enter a real date'] };
  if (!isDay(to)) return { shoot_to: ['Enter a real date'] };
  if (to < from) return { shoot_to: ['The end comes before the start'] };
  const { shootDates } = CASTING_LIMITS;
  const isLong = listDays(from, to, shootDates + 1).length > shootDates;
  return isLong ? { shoot_to: [`Choose ${shootDates} days or fewer`] } : {};
}

function readShootDates(values: FormValues): string[] {
  const { from, to } = readShoot(values);
  return isDay(from) && isDay(to) ? listDays(from, to, CASTING_LIMITS.shootDates) : [];
}

const numberOrText = (text = ''): number | string | null => (text.trim() === '' ? null : Number(text) || text);

/** The fields of each request as they are sent, but for the performer. Not validated. */
export function toFields(values: FormValues, timeZone: string, waivers: readonly StatedWaiver[]) {
  const deadline = readDeadline(values, timeZone);
  return {
    instructions: values.instructions ?? '',
    sides_text: values.sides_text ?? '',
    takes: numberOrText(values.takes),
    slate: values.slate !== '',
    full_length: values.full_length !== '',
    shot: values.shot,
    max_minutes: numberOrText(values.max_minutes),
    max_height: numberOrText(values.max_height),
    deadline_at: deadline === null ? '' : new Date(deadline).toISOString(),
    naming: values.naming ?? '',
    memorize: values.memorize !== '',
    live_option: values.live_option ?? '',
    shoot_dates: readShootDates(values),
    waivers,
  };
}

const flagText = (value: unknown): string => (value === true ? 'true' : '');
const plainText = (value: unknown): string =>
  typeof value === 'string' || typeof value === 'number' ? String(value) : '';

/** The PDFs of a request that could not be sent, as the draft of the form has them. @param draft what waits in the form */
export function getSidesDraft(body: FieldValues, draft: FieldValues): { files: string[]; titles: FieldValues } {
  const sides = Array.isArray(body.sides) ? (body.sides as AskBody['sides']) : [];
  const waiting = Array.isArray(draft.files) ? draft.files.filter((id) => typeof id === 'string') : [];
  const titles = typeof draft.titles === 'object' ? draft.titles : {};
  return {
    files: [...new Set([...waiting, ...sides.map(({ upload_id }) => upload_id)])],
    titles: { ...titles, ...Object.fromEntries(sides.map(({ upload_id, name }) => [upload_id, name])) },
  };
}

/** The values of the form for a request that could not be sent, to change it. @param performers who is asked */
export function fromFields(body: FieldValues, timeZone: string, performers: readonly PerformerCard[]): FormValues {
  const texts = ['sides_text', 'instructions', 'takes', 'shot', 'max_minutes', 'max_height', 'naming', 'live_option'];
  const [shoot_from, ...laterDays] = Array.isArray(body.shoot_dates) ? body.shoot_dates.map(plainText).sort() : [];
  const waivers = Array.isArray(body.waivers) ? (body.waivers as readonly StatedWaiver[]) : [];
  return {
    ...Object.fromEntries(texts.map((key) => [key, plainText(body[key])])),
    ...Object.fromEntries(['slate', 'full_length', 'memorize'].map((key) => [key, flagText(body[key])])),
    ...Object.fromEntries(waivers.map(({ rule, text }) => [getWaiverKey(rule), text])),
    deadline: toLocalInput(Date.parse(String(body.deadline_at)), timeZone),
    shoot_from: shoot_from ?? '',
    shoot_to: laterDays.at(-1) ?? '',
    to: JSON.stringify(performers),
  };
}

export interface Findings {
  breaches: Breach[];
  doubts: Doubt[];
  /** The reasons that the sender has typed for breaches. */
  waivers: StatedWaiver[];
  /** The breaches that keep the request from leaving. */
  unwaived: Breach[];
}

interface Circumstances {
  pack: RulePack;
  project: { time_zone: string; region: string | null };
  notices: Notices;
  /** The PDFs among the sides. */
  sides?: readonly { pages: number }[];
  round?: Round;
  now: number;
}

/** Compares what is asked with the rules of the project. */
export function check(values: FormValues, circumstances: Circumstances): Findings {
  const { pack, project, notices, sides = [], round = 'first', now } = circumstances;
  const fields = toFields(values, project.time_zone, []);
  const terms = toRequestTerms(
    { ...fields, sides, round, max_height: typeof fields.max_height === 'number' ? fields.max_height : null },
    {
      notices,
      project,
      askedAt: now,
      isPerformerMinor: readPerformers(values).some(({ for_minors: isForMinors }) => isForMinors),
    },
  );
  // Without a deadline there is nothing to count; its field says so.
  const { breaches, doubts } = checkRules(pack, { ...terms, deadlineAt: terms.deadlineAt || now + FAR_AHEAD_MS });
  const waivers = breaches.flatMap(({ rule }) => {
    const text = (values[getWaiverKey(rule)] ?? '').trim();
    return text === '' ? [] : [{ rule, text }];
  });
  return { breaches, doubts, waivers, unwaived: listUnwaived(pack, breaches, waivers) };
}
