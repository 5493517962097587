import { subjectOf } from '#db/describe.ts';
import { CONVERSATION } from '#db/messages.ts';
import { CONNECTION } from '#db/people.ts';
import type { WaitingItem } from '#db/views.ts';
import { shapeOf } from '#lib/record-shape.ts';
import { type Line, linesOf, plainText } from '#lib/section-layout.ts';

function linesIn({ row, mediaType }: WaitingItem, body: Record<string, unknown>): Line[] {
  return linesOf(shapeOf(subjectOf(row), { ...body, media_type: mediaType }), body);
}

/** What the person wrote, line by line, to copy somewhere else. */
export function textOf(item: WaitingItem): string {
  const { row } = item;
  if (row.kind === 'send') return String(row.patch.message);
  const text = plainText(linesIn(item, row.kind === 'delete' ? row.base : row.patch));
  return text === '' ? item.title : text;
}

/** The second line of a row: what it does, and what it says. */
export function gist(item: WaitingItem): string {
  const { row, upload } = item;
  if (row.kind === 'send') return String(row.patch.message) || 'Photo';
  if (row.type === CONVERSATION) return '';
  if (row.type === CONNECTION || row.kind === 'seen') return '';
  if (row.kind === 'delete') return 'To be deleted';
  if (row.kind === 'connect') return typeof row.patch.message === 'string' ? row.patch.message : '';
  if (row.kind === 'avatar' || row.kind === 'upload' || upload) return upload?.name ?? '';
  const words = linesIn(item, row.patch)
    .map((line) => line.words)
    .filter((word) => word !== '' && !item.title.includes(word));
  return words.join(' · ');
}
