import { getEffect } from '#db/effects.ts';
import { findOperation } from '#sync/operations/index.ts';
import { getSubject } from '#sync/operations/record-words.ts';
import type { WaitingItem } from '#db/views.ts';
import { type Line, plainText } from '#lib/section-layout.ts';
import { getRecordLines, INDUSTRY_NAME } from './record-lines.ts';
import { getRecordShape } from './record-shape.ts';

const getShape = ({ row, mediaType }: WaitingItem, body: Record<string, unknown>) =>
  getRecordShape(getSubject(row), { ...body, media_type: mediaType });

const getLines = (item: WaitingItem, body: Record<string, unknown>): Line[] =>
  getRecordLines(getShape(item, body), { ...body, [INDUSTRY_NAME]: item.industry });

/** The title of a change as a sentence. What somebody wrote, such as feedback, may end like one already. */
export const toSentence = (title: string): string => (/[.!?…]$/.test(title) ? title : `${title}.`);

/** Returns what the user wrote, line by line, for Copy text. */
export function getCopyText(item: WaitingItem): string {
  const { row } = item;
  const words = findOperation(row)?.getText?.(row);
  if (words) return words;
  // A delete has no patch: the record is in its base.
  const isEmpty = Object.keys(row.patch).length === 0;
  const text = plainText(getLines(item, isEmpty ? row.base : row.patch));
  return text === '' ? item.title : text;
}

/** Returns the second line of a row: what the change does. */
export function getSummary(item: WaitingItem): string {
  const { row, upload } = item;
  return findOperation(row)?.summarize?.(row) ?? upload?.name ?? getChangesText(item);
}

/** Changes that are listed by name; the others are counted. */
const MAX_LISTED_CHANGES = 2;

/** Lists the changed fields: 'Role Tara · Start Feb 2024 and 3 more'. */
function getChangesText(item: WaitingItem): string {
  const { row } = item;
  // Includes unchanged fields, so that a changed month is shown with its year.
  const record = { ...item.under, ...row.patch };
  const lines = getLines(item, record);
  const changes = lines
    .filter(({ keys }) => keys.some((key) => key in row.patch))
    .map((line) => getChangeText(item, line, lines.length === 1));
  const texts = changes.filter((text) => text !== '');
  const first = texts.slice(0, MAX_LISTED_CHANGES).join(' · ');
  return texts.length > MAX_LISTED_CHANGES ? `${first} and ${texts.length - MAX_LISTED_CHANGES} more` : first;
}

/** @param isOnly whether the record has no other line */
function getChangeText({ row, title, industry }: WaitingItem, { keys, label, words }: Line, isOnly: boolean): string {
  const isNew = getEffect(row) === 'create';
  if (words === '') return isNew ? '' : `${label} removed`;
  // The list of industries is not on this device.
  if (keys.includes('profile_industry_id') && industry === undefined) return `${label} changed`;
  // The title already contains the value.
  if (title.endsWith(words)) return isNew || isOnly ? '' : `${label} changed`;
  return title === label ? words : `${label} ${words}`;
}
