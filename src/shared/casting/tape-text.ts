import type { Tape } from '#contract/records/tapes.ts';
import type { CastingItem } from '#db/casting.ts';
import { fileSize } from '#lib/amounts.ts';
import { lowerFirst, momentText, spanText } from '#lib/deadline.ts';

/** When a tape was finished: by the server's word, or until then by that of this device. Milliseconds since 1970. */
export function getFinished({ body }: CastingItem<'tape'>): number {
  const known: unknown = body.finished_at ?? body.finished_device;
  return Date.parse(String(known));
}

/** '12 min late'; empty if it was in time. */
export function lateText(finishedAt: number, deadline: string): string {
  const late = finishedAt - Date.parse(deadline);
  return late < 60_000 ? '' : `${spanText(late)} late`;
}

/** 'Finished 16:59, arrived 18:20, in time', as both sides read it. */
export function tapeTimesText(tape: CastingItem<'tape'>, deadline: string, now: number): string {
  const finished = getFinished(tape);
  const { arrived_at: arrived, finished_by: by } = tape.body;
  return [
    `Finished ${lowerFirst(momentText(finished, now))}${by === 'phone clock' ? ' by the phone’s clock' : ''}`,
    arrived === null ? 'not arrived yet' : `arrived ${lowerFirst(momentText(Date.parse(arrived), now))}`,
    lateText(finished, deadline) || 'in time',
  ].join(', ');
}

/** '1:48' */
export const lengthText = (seconds: number): string =>
  `${Math.floor(seconds / 60)}:${String(Math.floor(seconds % 60)).padStart(2, '0')}`;

type Take = Tape['takes'][number];

/** '1:48, 38.2 MB' */
export const takeText = ({ duration, size }: Pick<Take, 'duration' | 'size'>): string =>
  [duration === null ? '' : lengthText(duration), fileSize(size)].filter(Boolean).join(', ');
