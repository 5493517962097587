import type { Keeping } from './kept-media.ts';
import { deviceWord } from '#ui/device.ts';

/** What a person is told when something could not be kept; null where all of it is here. */
export function keepingWords(kept: Keeping): string | null {
  switch (kept) {
    case 'kept':
      return null;
    case 'over':
      return 'That is more than you set aside for keeping. Make more room in Settings.';
    case 'full':
      return `This ${deviceWord()} has no room left for it.`;
    case 'unreachable':
      return 'Not all of it could be fetched. Try again with signal.';
  }
}
