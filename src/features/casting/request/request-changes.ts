import { getNotices, toRequestTerms } from '#contract/casting/terms.ts';
import { type AuditionRequest, CASTING_LIMITS, changeRequestBody } from '#contract/records/casting.ts';
import { checkRules, listUnwaived, type StatedWaiver } from '#contract/rules/check.ts';
import { getPack } from '#contract/rules/index.ts';
import { toErrorMap } from '#contract/schema.ts';
import type { CastingItem } from '#db/casting.ts';
import { fromLocalInput, toLocalInput } from '#lib/deadline.ts';
import type { FormValues } from '#shared/forms/form-values.ts';

/** What the sender may change of a request, as the values of a form and as the fields that are sent. */

const DAY_MS = 86_400_000;

export interface Changes {
  /** ISO time; empty where the field holds none. */
  deadline_at: string;
  sides_text: string | null;
  instructions: string | null;
}

/** A request with the role and the project that it belongs to. */
export interface Asked {
  request: Pick<CastingItem<'request'>, 'body' | 'serverId'>;
  role: Pick<CastingItem<'role'>, 'body'>;
  project: Pick<CastingItem<'project'>, 'body'>;
}

/** The time zone of a deadline. A request that has not been sent has none of its own yet. */
export const getZone = ({ request, project }: Pick<Asked, 'request' | 'project'>): string =>
  request.serverId === null ? project.body.time_zone : request.body.time_zone;

/** The value of the deadline's field. */
export const toDeadlineValue = (deadlineAt: unknown, zone: string): string => {
  const at = Date.parse(String(deadlineAt));
  return Number.isNaN(at) ? '' : toLocalInput(at, zone);
};

/** The deadline that a field means. The field has no seconds: as long as nobody has changed it, it means the stored time. */
export function readDeadlineValue(value: string, stored: string, zone: string): string {
  if (value === toDeadlineValue(stored, zone)) return stored;
  const at = fromLocalInput(value, zone);
  return at === null ? '' : new Date(at).toISOString();
}

/** What is wrong with a new deadline; null for nothing. */
export function findDeadlineError(deadlineAt: string, stored: string, now: number): string | null {
  if (deadlineAt === stored) return null;
  const at = Date.parse(deadlineAt);
  if (Number.isNaN(at) || at <= now) return 'Choose a day and time that is to come';
  if (at < Date.parse(stored)) return 'A deadline can only move to a later time';
  const { deadlineDays } = CASTING_LIMITS;
  return at - now > deadlineDays * DAY_MS ? `Choose a time within ${deadlineDays} days` : null;
}

const orNull = (text: string | undefined): string | null => (text?.trim() ? text : null);

export const toValues = ({ deadline_at, sides_text, instructions }: Changes, zone: string): FormValues => ({
  deadline_at: toDeadlineValue(deadline_at, zone),
  sides_text: sides_text ?? '',
  instructions: instructions ?? '',
});

export const toChanges = (values: FormValues, stored: Changes, zone: string): Changes => ({
  deadline_at: readDeadlineValue(values.deadline_at ?? '', stored.deadline_at, zone),
  sides_text: orNull(values.sides_text),
  instructions: orNull(values.instructions),
});

/** The rules that changed texts would break, by the field that breaks them. */
function findBroken(changes: Changes, { request, role, project }: Asked, now: number): Record<string, string[]> {
  const { body, serverId } = request;
  const isSent = serverId !== null;
  const pack = getPack(isSent ? body.rules.pack : project.body.rule_pack);
  const waivers = (isSent ? body.rules.waivers : (body as { waivers?: StatedWaiver[] }).waivers) ?? [];
  const notices = isSent ? (body.notices as ReturnType<typeof getNotices>) : getNotices(role.body);
  const sides = (body.sides ?? []).filter(({ pages }) => typeof pages === 'number');
  const terms = toRequestTerms(
    { ...body, ...changes, sides, round: body.round ?? 'first' },
    { notices, project: project.body, askedAt: isSent ? Date.parse(body.asked_at) : now, isPerformerMinor: false },
  );
  const broken: Record<string, string[]> = {};
  for (const { rule, text } of listUnwaived(pack, checkRules(pack, terms).breaches, waivers)) {
    const kind = pack.rules.find(({ id }) => id === rule)?.kind;
    // The server counts by the days off as they were when it was sent, and a deadline only moves later: no change breaks this rule.
    if (isSent && kind === 'notice') continue;
    const field = kind === 'pages' ? 'sides_text' : 'instructions';
    broken[field] = [...(broken[field] ?? []), text];
  }
  return broken;
}

/** What is wrong with changes, by field; empty for nothing. */
export function findErrors(
  changes: Changes,
  stored: Pick<AuditionRequest, keyof Changes>,
  asked: Asked,
  now: number,
): Record<string, string[]> {
  const checked = changeRequestBody.safeParse(changes);
  const { deadline_at: _formal, ...errors } = checked.success ? {} : toErrorMap(checked.error.issues);
  const deadlineError = findDeadlineError(changes.deadline_at, stored.deadline_at, now);
  if (deadlineError !== null) errors.deadline_at = [deadlineError];
  const isSameText = changes.sides_text === stored.sides_text && changes.instructions === stored.instructions;
  return Object.keys(errors).length > 0 || isSameText ? errors : findBroken(changes, asked, now);
}
