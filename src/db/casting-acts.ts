import type { ShareLink } from '#contract/records/links.ts';
import type { Audition, AuditionRequest, Role } from '#contract/records/casting.ts';
import type { Member } from '#contract/records/members.ts';
import { changeColumns, type Column, getColumns, readColumnChanges } from '#contract/casting/shortlist.ts';
import { type AnswerKind, isAnsweredFinally, isDeclined } from '#contract/casting/state.ts';
import { hasEffect } from './patches.ts';
import type { FieldValues, OutboxRow } from './rows.ts';

/** What waits on this device to be done with records of casting, shown as if it were done. Pure. */

/** Facts of requests, whether somebody is in a project, and whether a link still works. */
type Facts = Partial<Audition & AuditionRequest & Pick<Member, 'state'> & Pick<ShareLink, 'revoked_at'>>;

const getText = ({ text }: FieldValues): string | null => (typeof text === 'string' && text !== '' ? text : null);

const addAnswer = (facts: Facts, kind: AnswerKind, text: string | null, at: string): Facts => ({
  answers: [...(facts.answers ?? []), { kind, text, at }],
  answered_at: facts.answered_at ?? at,
});

/** A time after another one, also where the clock of this device was set back. */
const after = (at: string, other: string | null | undefined): string =>
  other == null || at > other ? at : new Date(Date.parse(other) + 1).toISOString();

const wasSaid = ({ answers = [] }: Facts, kind: AnswerKind, text: string | null): boolean =>
  answers.some((answer) => answer.kind === kind && answer.text === text);

/** What waits to be done with a record. */
interface Doing {
  fields: FieldValues;
  /** ISO time at which the person did it, by the clock of this device. */
  at: string;
  /** Whether the server may have done it already. */
  mayBeDone: boolean;
}

/** A yes to the last change of the notices, if that is the one that was read. */
function agree(changes: Facts['notice_changes'], readAt: unknown, at: string): Facts {
  const last = changes?.at(-1);
  if (changes === undefined || last === undefined || last.confirmed_at !== null || last.at !== readAt) return {};
  const agreed = { ...last, confirmed_at: after(at, last.at) };
  return { notices: last.after, notice_changes: [...changes.slice(0, -1), agreed] };
}

/** What each act changes in its record, as the server does: a fact stays as it is once it is there. */
const CHANGES: Readonly<Record<string, (facts: Facts, doing: Doing) => Facts>> = {
  seen: ({ seen_at }, { at }) => ({ seen_at: seen_at ?? at }),
  confirm: ({ confirmed_at, declined_at, notice_changes }, { fields, at }) => ({
    ...(confirmed_at != null && !isDeclined({ confirmed_at, declined_at: declined_at ?? null })
      ? {}
      : { confirmed_at: after(at, declined_at) }),
    ...agree(notice_changes, fields.notices_at, at),
  }),
  decline: ({ confirmed_at, declined_at }, { fields, at }) =>
    declined_at != null && isDeclined({ confirmed_at: confirmed_at ?? null, declined_at })
      ? {}
      : { declined_at: after(at, confirmed_at), decline_text: getText(fields) },
  answer(facts, { fields, at, mayBeDone }) {
    const [kind, text] = [fields.kind as AnswerKind, getText(fields)];
    return mayBeDone && wasSaid(facts, kind, text) ? {} : addAnswer(facts, kind, text, at);
  },
  join: () => ({ state: 'active' }),
  refuse: () => ({ state: 'declined' }),
  leave: () => ({ state: 'left' }),
  revoke: ({ revoked_at }, { at }) => ({ revoked_at: revoked_at ?? at }),
  withdraw: ({ withdrawn_at, withdraw_text }, { fields, at }) => ({
    withdrawn_at: withdrawn_at ?? at,
    withdraw_text: withdraw_text ?? getText(fields),
  }),
};

/** The acts among these rows that may still be done, in the order in which the person did them. */
const listActs = (rows: readonly OutboxRow[]) =>
  rows
    .filter((row) => row.state !== 'attention')
    .flatMap((row) =>
      hasEffect(row, 'act')
        ? [{ ...row.patch, at: new Date(row.createdAt).toISOString(), mayBeDone: row.sentOnce }]
        : [],
    );

const applyColumns = (role: { columns?: Role['columns'] }, fields: FieldValues): Column[] =>
  changeColumns(getColumns(role), readColumnChanges(fields));

/** A record as it will be once these rows have been sent. @param rows those of the record, in `seq` order */
export function applyActs<Body extends FieldValues>(body: Body, rows: readonly OutboxRow[]): Body {
  let shown = body;
  for (const doing of listActs(rows)) {
    if (doing.act === 'cast') shown = { ...shown, status: 'cast' satisfies Role['status'] };
    if (doing.act === 'columns') shown = { ...shown, columns: applyColumns(shown, doing.fields) };
    const change = CHANGES[doing.act];
    if (change) shown = { ...shown, ...change(shown, doing) };
  }
  return shown;
}

/** Whether somebody asked for a role still waits for an answer, so that they get one when it is cast. */
export const isWaiting = (request: AuditionRequest): boolean =>
  request.withdrawn_at === null && !isDeclined(request) && !isAnsweredFinally(request.answers);

/**
 * A request of a role as it will be once the role is cast.
 * @param roleRows the rows of the role
 * @param isLeftOut whether it gets no answer: there is a request of a later round, or the performer cannot be reached
 */
export function applyCasting(
  request: AuditionRequest,
  roleRows: readonly OutboxRow[],
  isLeftOut = false,
): AuditionRequest {
  const cast = listActs(roleRows).find(({ act }) => act === 'cast');
  if (cast === undefined) return request;
  const { request_ids: chosen, cast_text: won, text } = cast.fields;
  const isChosen = Array.isArray(chosen) && chosen.includes(request.id);
  if (!isChosen && (isLeftOut || !isWaiting(request))) return request;
  const said = getText({ text: isChosen ? won : text });
  if (isChosen && cast.mayBeDone && wasSaid(request, 'cast', said)) return request;
  return { ...request, ...addAnswer(request, isChosen ? 'cast' : 'no_thank_you', said, cast.at) };
}
