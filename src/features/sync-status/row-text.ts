import { getEffect } from '#db/effects.ts';
import { findOperation } from '#sync/operations/index.ts';
import { getSubject } from '#sync/operations/record-words.ts';
import type { WaitingItem } from '#db/views.ts';
import { shapeOf } from '#lib/record-shape.ts';
import { type Line, plainText } from '#lib/section-layout.ts';
import { recordLines } from './record-lines.ts';

const shapeIn = ({ row, mediaType }: WaitingItem, body: Record<string, unknown>) =>
  shapeOf(getSubject(row), { ...body, media_type: mediaType });

const linesIn = (item: WaitingItem, body: Record<string, unknown>): Line[] => recordLines(shapeIn(item, body), body);

/** What the person wrote, line by line, to copy somewhere else. */
export function textOf(item: WaitingItem): string {
  const { row } = item;
  const words = findOperation(row)?.getText?.(row);
  if (words) return words;
  // A deletion has no patch; what it deletes stands in its base.
  const isEmpty = Object.keys(row.patch).length === 0;
  const text = plainText(linesIn(item, isEmpty ? row.base : row.patch));
  return text === '' ? item.title : text;
}

/** The second line of a row: what it does, and what it says. */
export function gist(item: WaitingItem): string {
  const { row, upload } = item;
  return findOperation(row)?.summarize?.(row) ?? upload?.name ?? changesText(item);
}

/** So many changes are told in full. */
const TOLD = 2;

/** What changed, by name: 'Role Tara · Start Feb 2024 and 3 more'. */
function changesText(item: WaitingItem): string {
  const { row } = item;
  // The whole record, so that a month that changed alone is told with its year.
  const whole = { ...item.under, ...row.patch };
  const shape = shapeIn(item, whole);
  const lines = recordLines(shape, whole);
  const told = lines
    .filter(({ keys }) => keys.some((key) => key in row.patch))
    .map((line) => changeText(item, line, lines.length === 1));
  // A profile's line by line view leaves these out.
  if (row.type === 'profile' && shape === undefined) {
    if (row.patch.profile_industry_id != null) told.push(`Industry ${item.industry ?? 'changed'}`);
    if (row.patch.description != null) told.push('About me changed');
  }
  const said = told.filter((words) => words !== '');
  const first = said.slice(0, TOLD).join(' · ');
  return said.length > TOLD ? `${first} and ${said.length - TOLD} more` : first;
}

/** @param isOnly the record has no other line */
function changeText({ row, title }: WaitingItem, { label, words }: Line, isOnly: boolean): string {
  const isNew = getEffect(row) === 'creates';
  if (words === '') return isNew ? '' : `${label} removed`;
  // The title says it already.
  if (title.endsWith(words)) return isNew || isOnly ? '' : `${label} changed`;
  return title === label ? words : `${label} ${words}`;
}
