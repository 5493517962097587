import { getEffect } from '#db/effects.ts';
import type { MediaFile, OutboxRow } from '#db/rows.ts';
import { fileSize } from '#lib/amounts.ts';
import { count } from '#lib/text.ts';
import type { LeftOut } from '#sync/sealed/contents.ts';
import type { SealedRefusal } from '#sync/sealed/format.ts';

/** Why a file is not opened, from the file, its account or the typed words. */
export type OpenRefusal = SealedRefusal | 'foreign';

/** One sentence that says what to do. Nothing was changed. */
export const REFUSAL_TEXTS: Readonly<Record<OpenRefusal, string>> = {
  'not sealed': 'This is not a sealed file. Choose the file whose name ends in .sealed.',
  newer: 'Update the app to open this file.',
  cut: 'Part of this file is missing. Copy it once more from where you saved it.',
  changed: 'This file was damaged on its way. Copy it once more from where you saved it.',
  code: 'This code does not open the file. Check each word.',
  foreign: 'This file belongs to another account. Sign in with that account to open it.',
};

/** 'callboard-22-nov.sealed' */
export function getSealedName(at: Date): string {
  const month = at.toLocaleDateString('en-GB', { month: 'short' }).toLowerCase();
  return `callboard-${at.getDate()}-${month}.sealed`;
}

/** Number of changes as the person counts them: a file and what attaches it are one. */
export const countChanges = (rows: readonly OutboxRow[]): number =>
  rows.filter((row) => getEffect(row) !== 'upload').length;

/** '5 changes, 1 of them a photo, 3.4 MB' */
export function getContentText(rows: readonly OutboxRow[], media: readonly MediaFile[]): string {
  const changes = count(countChanges(rows), 'change');
  if (media.length === 0) return changes;
  const noun = media.every(({ type }) => type.startsWith('image/')) ? 'photo' : 'file';
  const files = media.length === 1 ? `1 of them a ${noun}` : `${media.length} of them ${noun}s`;
  return `${changes}, ${files}, ${fileSize(media.reduce((sum, { size }) => sum + size, 0))}`;
}

/** What does not fit, in two lines; null if everything does. @param device 'phone', 'tablet' or 'computer' */
export function getLeftOutText({ rows, files }: LeftOut, device: string): { title: string; detail: string } | null {
  if (rows === 0) return null;
  // The rows of a file are its bytes and the change that attaches them.
  const others = rows - 2 * files.length;
  const size = files.reduce((sum, file) => sum + file.size, 0);
  if (files.length === 0) {
    return { title: `${count(others, 'change')} ${stay(others)} on this ${device}`, detail: 'It cannot be sealed' };
  }
  const also = others > 0 ? `, with ${count(others, 'change')} that ${others === 1 ? 'belongs' : 'belong'} to it` : '';
  return {
    title: `${count(files.length, 'file')} ${stay(files.length)} on this ${device}`,
    detail: `${fileSize(size)} is too big for the sealed file${also}`,
  };
}

const stay = (n: number) => (n === 1 ? 'stays' : 'stay');

const DAY_MS = 24 * 3_600_000;

/** Whether the oldest change has waited for more than a day, so that a second copy is worth offering. */
export const hasWaitedLong = (rows: readonly Pick<OutboxRow, 'createdAt'>[], now: number): boolean =>
  rows.some(({ createdAt }) => now - createdAt > DAY_MS);
