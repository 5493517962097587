import { sectionOf } from '#contract/sections/index.ts';
import { subjectOf } from '#db/describe.ts';
import type { WaitingItem } from '#db/views.ts';
import { linesOf, plainText } from '#lib/section-layout.ts';

/** What the person wrote, line by line, to copy somewhere else. */
export function textOf(item: WaitingItem): string {
  const { row } = item;
  const subject = subjectOf(row);
  const text = plainText(linesOf(subject, sectionOf(subject), row.kind === 'delete' ? row.base : row.patch));
  return text === '' ? item.title : text;
}

/** The second line of a row: what it does, and what it says. */
export function gist(item: WaitingItem): string {
  const { row } = item;
  if (row.kind === 'delete') return 'Deletes it';
  if (row.kind === 'connect') return typeof row.patch.message === 'string' ? row.patch.message : '';
  if (row.kind === 'avatar' || row.type === 'media') return item.upload?.name ?? '';
  const subject = subjectOf(row);
  const words = linesOf(subject, sectionOf(subject), row.patch)
    .map((line) => line.words)
    .filter((word) => word !== '' && !item.title.includes(word));
  return words.join(' · ');
}
