import { getEffect } from '#db/effects.ts';
import { findOperation } from '#sync/operations/index.ts';
import { getSubject } from '#sync/operations/record-words.ts';
import type { WaitingItem } from '#db/views.ts';
import { shapeOf } from '#lib/record-shape.ts';
import { type Line, plainText } from '#lib/section-layout.ts';
import { getRecordLines } from './record-lines.ts';

const getShape = ({ row, mediaType }: WaitingItem, body: Record<string, unknown>) =>
  shapeOf(getSubject(row), { ...body, media_type: mediaType });

const getLines = (item: WaitingItem, body: Record<string, unknown>): Line[] =>
  getRecordLines(getShape(item, body), body);

/** What the person wrote, line by line, to copy somewhere else. */
export function getCopyText(item: WaitingItem): string {
  const { row } = item;
  const words = findOperation(row)?.getText?.(row);
  if (words) return words;
  // A deletion has no patch; what it deletes stands in its base.
  const isEmpty = Object.keys(row.patch).length === 0;
  const text = plainText(getLines(item, isEmpty ? row.base : row.patch));
  return text === '' ? item.title : text;
}

/** The second line of a row: what it does, and what it says. */
export function getSummary(item: WaitingItem): string {
  const { row, upload } = item;
  return findOperation(row)?.summarize?.(row) ?? upload?.name ?? getChangesText(item);
}

/** So many changes are told in full. */
const MAX_LISTED_CHANGES = 2;

/** What changed, by name: 'Role Tara · Start Feb 2024 and 3 more'. */
function getChangesText(item: WaitingItem): string {
  const { row } = item;
  // The whole record, so that a month that changed alone is told with its year.
  const whole = { ...item.under, ...row.patch };
  const shape = getShape(item, whole);
  const lines = getRecordLines(shape, whole);
  const told = lines
    .filter(({ keys }) => keys.some((key) => key in row.patch))
    .map((line) => getChangeText(item, line, lines.length === 1));
  // A profile's line by line view leaves these out.
  if (row.type === 'profile' && shape === undefined) {
    if (row.patch.profile_industry_id != null) told.push(`Industry ${item.industry ?? 'changed'}`);
    if (row.patch.description != null) told.push('About me changed');
  }
  const said = told.filter((words) => words !== '');
  const first = said.slice(0, MAX_LISTED_CHANGES).join(' · ');
  return said.length > MAX_LISTED_CHANGES ? `${first} and ${said.length - MAX_LISTED_CHANGES} more` : first;
}

/** @param isOnly the record has no other line */
function getChangeText({ row, title }: WaitingItem, { label, words }: Line, isOnly: boolean): string {
  const isNew = getEffect(row) === 'creates';
  if (words === '') return isNew ? '' : `${label} removed`;
  // The title says it already.
  if (title.endsWith(words)) return isNew || isOnly ? '' : `${label} changed`;
  return title === label ? words : `${label} ${words}`;
}
