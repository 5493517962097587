import { deviceWord } from './device.ts';

/** What to say when the device could not keep something; `reason` as StorageTrouble gives it. */
export function storageWords(reason: 'full' | 'refused' | 'lost'): string {
  switch (reason) {
    case 'full':
      return `This ${deviceWord()} is full, so it is not saved yet. Make some room, then save again. What you typed is still here.`;
    case 'refused':
      return 'This browser does not let the app keep anything, so it is not saved. Leave private browsing, or allow storage for this site. What you typed is still here.';
    case 'lost':
      return 'The app lost its storage for a moment, so it is not saved yet. Save again. What you typed is still here.';
  }
}
