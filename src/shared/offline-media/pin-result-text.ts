import type { PinResult } from '#shared/offline-media/offline-cache.ts';
import { CloudOff, Settings } from 'lucide-react';
import { deviceWord } from '#ui/device.ts';
import { toast } from '#ui/Toast.tsx';

/** The message for the user if something could not be pinned; null on success or cancellation. */
function getPinResultText(result: PinResult): string | null {
  switch (result) {
    case 'kept':
    case 'stopped':
      return null;
    case 'over':
      return 'This is more than the space you set for offline media. Change it in Settings.';
    case 'full':
      return `This ${deviceWord()} is full. Free some space and try again.`;
    case 'unreachable':
      return 'Some of it could not be downloaded. Try again when you’re online.';
  }
}

/** Shows a toast if something could not be pinned. If space is missing, the toast links to Settings. */
export function showPinResult(result: PinResult, openSettings: () => void): void {
  const text = getPinResultText(result);
  if (text === null) return;
  const needsSpace = result === 'over' || result === 'full';
  toast(
    needsSpace
      ? { text, icon: Settings, action: { label: 'Settings', onSelect: openSettings } }
      : { text, icon: CloudOff },
  );
}
