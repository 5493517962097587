import type { PerformerCard } from '#db/casting.ts';
import type { AccountDb } from '#db/database.ts';
import type { FieldValues } from '#db/rows.ts';
import { loadDraft, saveDraft } from '#shared/forms/drafts.ts';
import type { FormValues } from '#shared/forms/form-values.ts';
import { getAskKey, getAskPath, readPerformers, type Round } from './ask-values.ts';

interface Form {
  roleId: string;
  round: Round;
}

/** What the form begins with. @param draft what waits in it @param performers everybody in it from now on */
type Fill = (draft: FieldValues, performers: readonly PerformerCard[]) => FieldValues;

const keepRest: Fill = (draft, performers) => ({ ...draft, to: JSON.stringify(performers) });

/** What is in the form beside its performers and PDFs. */
export const getWritten = ({ to: _to, files: _files, titles: _titles, ...written }: FieldValues): FieldValues =>
  written;

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
