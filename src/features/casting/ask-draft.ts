import type { Breach } from '#contract/rules/check.ts';
import { isCard } from '#db/casting-role.ts';
import type { PerformerCard } from '#db/casting.ts';
import type { AccountDb } from '#db/database.ts';
import type { FieldValues } from '#db/rows.ts';
import { loadDraft, saveDraft } from '#shared/forms/drafts.ts';
import { isDirty, type FormValues } from '#shared/forms/form-values.ts';
import { fromFields, getAskKey, getAskPath, getSidesDraft, readPerformers, type Round } from './ask-values.ts';

interface Form {
  roleId: string;
  round: Round;
}

/** What the form begins with. @param draft what waits in it @param performers everybody in it from now on */
type Fill = (draft: FieldValues, performers: readonly PerformerCard[]) => FieldValues;

const keepRest: Fill = (draft, performers) => ({ ...draft, to: JSON.stringify(performers) });

const toRecord = (value: unknown): FieldValues =>
  typeof value === 'object' && value !== null ? (value as FieldValues) : {};

/** What somebody wrote in the form, beside its performers and PDFs. A field in which they saw the same is not written. */
export function getWritten({ to: _to, files: _files, titles: _titles, ...rest }: FieldValues): FieldValues {
  const seen = toRecord(rest.seen);
  return Object.fromEntries(Object.entries(rest).filter(([key, value]) => !(key in seen) || seen[key] !== value));
}

/** Where a draft has the words of a refused request that is being corrected in it. */
const REFUSED = 'refused';

/** Whether something else was written in the form than a refused request says. Its words would be lost there. */
function holdsOther(draft: FieldValues, words: FormValues): boolean {
  // Of several that were refused together, the first may have been corrected there.
  if (draft[REFUSED] !== undefined && !isDirty(toRecord(draft[REFUSED]) as FormValues, words)) return false;
  const written = getWritten(draft);
  return Object.entries(words).some(([key, text]) => text !== '' && (written[key] ?? text) !== text);
}

/**
 * Puts performers into the form that asks, beside those who wait there.
 * @param fill what else is in the form afterwards; what is there already, if it is absent
 * @returns the address of the form
 */
export async function putIntoAskForm(
  db: AccountDb,
  { roleId, round }: Form,
  cards: readonly PerformerCard[],
  fill = keepRest,
): Promise<string> {
  const key = getAskKey(roleId, round);
  const draft = (await loadDraft(db, key)) ?? {};
  const waiting = readPerformers(draft as FormValues);
  const added = cards.filter((card) => waiting.every(({ profile_id }) => profile_id !== card.profile_id));
  saveDraft(db, key, fill(draft, [...waiting, ...added]), Date.now());
  return getAskPath(roleId, round);
}

interface Refused {
  body: FieldValues;
  /** The rules that it breaks, as the server found them. */
  breaches: unknown;
}

const countsForMinors = (breaches: unknown): boolean =>
  Array.isArray(breaches) && (breaches as Breach[]).some(({ for_minors }) => for_minors);

/** Who was asked, with what only the server knows of them: the form would find all rules kept, and take no reason. */
const toCards = ({ body: { card }, breaches }: Refused): PerformerCard[] =>
  isCard(card) ? [countsForMinors(breaches) ? { ...card, for_minors: true } : card] : [];

/**
 * Puts a request that was refused back into the form, beside others that wait there.
 * @returns false if the form holds another request. Nothing is changed then.
 */
export async function putRefusedIntoAskForm(
  db: AccountDb,
  form: Form,
  refused: Refused,
  timeZone: string,
): Promise<boolean> {
  const { body } = refused;
  const { to: _to, ...words } = fromFields(body, timeZone, []);
  if (holdsOther((await loadDraft(db, getAskKey(form.roleId, form.round))) ?? {}, words)) return false;
  await putIntoAskForm(db, form, toCards(refused), (draft, performers) => ({
    [REFUSED]: words,
    ...words,
    ...getWritten(draft),
    ...getSidesDraft(body, draft),
    to: JSON.stringify(performers),
  }));
  return true;
}
