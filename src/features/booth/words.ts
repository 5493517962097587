import type { TakeEnd } from '#db/rows.ts';
import { formatDuration } from '#lib/dates.ts';
import type { CameraProblem } from './camera.ts';

/** Why there is no picture, and what to do about it. */
export const PROBLEM_TEXTS: Record<CameraProblem, { title: string; text: string }> = {
  refused: {
    title: 'The camera is not allowed',
    text: 'Allow camera and microphone for this site in the settings of your browser, then try again.',
  },
  none: {
    title: 'No camera or no microphone',
    text: 'A take needs both. Connect what is missing, then try again.',
  },
  busy: {
    title: 'Another app is using the camera',
    text: 'End the call or close the other app, then try again.',
  },
  unsupported: {
    title: 'This browser cannot record',
    text: 'Open Callboard in an up-to-date browser, or record with the camera app and pick the video.',
  },
  unplugged: {
    title: 'The camera or microphone is gone',
    text: 'It was unplugged or taken by a call. Connect it again, then try again.',
  },
};

const END_REASONS: Record<Exclude<TakeEnd, 'person'>, string> = {
  hidden: 'because another app or tab came to the front',
  camera: 'because the camera was unplugged or taken by a call',
  microphone: 'because the microphone was unplugged or taken by a call',
  battery: 'because the battery is almost empty',
  full: 'because the storage is full',
  failed: 'because it could not be stored',
  closed: 'because Callboard was closed',
};

/** 'Stopped at 1:12 because the battery is almost empty. The take is kept.' @param seconds null if nothing was recorded */
export function formatEnd(end: Exclude<TakeEnd, 'person'>, seconds: number | null): string {
  if (seconds === null) return `Nothing was recorded, ${END_REASONS[end]}.`;
  return `Stopped at ${formatDuration(seconds)} ${END_REASONS[end]}. The take is kept.`;
}
