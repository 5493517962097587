import type { PinResult } from '#shared/offline-media/offline-cache.ts';
import { CloudOff, Settings } from 'lucide-react';
import { deviceWord } from '#ui/device.ts';
import { toast } from '#ui/Toast.tsx';

/** What a person is told when something could not be kept; null where all of it is here, or they stopped it. */
function getPinResultText(kept: PinResult): string | null {
  switch (kept) {
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

/** Says why something could not be kept. Where room is what lacks, Settings are the way out. */
export function showPinResult(kept: PinResult, openSettings: () => void): void {
  const text = getPinResultText(kept);
  if (text === null) return;
  const needsRoom = kept === 'over' || kept === 'full';
  toast(
    needsRoom
      ? { text, icon: Settings, action: { label: 'Settings', onSelect: openSettings } }
      : { text, icon: CloudOff },
  );
}
