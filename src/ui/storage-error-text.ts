import { fileSize } from '#lib/amounts.ts';
import { deviceWord } from './device.ts';

/** Describes what could not be stored. */
export interface StorageErrorContext {
  /** 'the photo'; 'this' by default. */
  noun?: string;
  /** True if a form still holds the typed text. */
  isTyped?: boolean;
  /** The size of a file that does not fit, and how much the app may still store. */
  room?: { neededBytes: number; freeBytes: number } | undefined;
}

/** The message for the user when the device could not store something. `reason` is that of the StorageError. */
export function getStorageErrorText(
  reason: 'full' | 'refused' | 'lost',
  { noun = 'this', isTyped, room }: StorageErrorContext = {},
): string {
  const typed = isTyped ? ' What you typed is still here.' : '';
  switch (reason) {
    case 'full':
      if (room) {
        const sizes = `It needs ${fileSize(room.neededBytes)}, and there are ${fileSize(room.freeBytes)} left for Callboard.`;
        const wayOut = 'Free some space, or remove offline media in Settings, and try again.';
        return `There is no room for ${noun} on this ${deviceWord()}. ${sizes} ${wayOut}${typed}`;
      }
      return `This ${deviceWord()} is full, so ${noun} was not saved. Free some space and try again.${typed}`;
    case 'refused':
      return `Your browser does not let the app store anything, so ${noun} was not saved. Leave private browsing, or allow storage for this site.${typed}`;
    case 'lost':
      return `The app lost its storage, so ${noun} was not saved. Reload to go on.${isTyped ? ' Your text is kept.' : ''}`;
  }
}
