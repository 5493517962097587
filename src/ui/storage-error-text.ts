import { deviceWord } from './device.ts';

/** What could not be kept, for the sentence that says so. */
export interface StorageErrorContext {
  /** 'the photo'; 'this' when left out. */
  noun?: string;
  /** A form still holds what was typed. */
  isTyped?: boolean;
}

/** What to say when the device could not keep something; `reason` as StorageError gives it. */
export function getStorageErrorText(
  reason: 'full' | 'refused' | 'lost',
  { noun = 'this', isTyped }: StorageErrorContext = {},
): string {
  const typed = isTyped ? ' What you typed is still here.' : '';
  switch (reason) {
    case 'full':
      return `This ${deviceWord()} is full, so ${noun} was not saved. Free some space and try again.${typed}`;
    case 'refused':
      return `Your browser does not let the app store anything, so ${noun} was not saved. Leave private browsing, or allow storage for this site.${typed}`;
    case 'lost':
      return `The app lost its storage, so ${noun} was not saved. Reload to go on.${isTyped ? ' Your text is kept.' : ''}`;
  }
}
