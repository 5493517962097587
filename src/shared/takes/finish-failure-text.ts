import type { DeviceWord } from '#lib/device.ts';
import type { FinishFailure } from '#lib/take-messages.ts';

/** Why no MP4 could be made. The recording itself is untouched in every case. */
export function formatFinishFailure(reason: FinishFailure, device: DeviceWord): string {
  switch (reason) {
    case 'no picture':
      return 'This take has no picture, so no MP4 can be made of it.';
    case 'unsupported':
      return 'This browser cannot make an MP4 of this take.';
    case 'full':
      return `There is not enough room on this ${device} for a second copy.`;
    case 'not loaded':
      return 'Go online once to load what makes MP4 files. After that it works without signal.';
    case 'unproven':
    case 'failed':
      return 'The MP4 could not be made.';
  }
}
