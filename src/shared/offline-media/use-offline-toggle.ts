import { useNavigate } from 'react-router-dom';
import { showPinResult } from './pin-result-text.ts';
import { toastOnError } from '#shared/error-text.ts';
import { pinMedium, type OfflineStatus, unpinMedium } from './use-offline-media.ts';
import { deviceWord } from '#ui/device.ts';
import { toast } from '#ui/Toast.tsx';

interface Kept {
  medium: Record<string, unknown>;
  /** For people. */
  name: string;
  status: OfflineStatus;
}

/** What keeps one medium offline, or lets it go where it is here or on its way, and says how that ended. */
export function useOfflineToggle(): (what: Kept) => void {
  const navigate = useNavigate();
  const change = async ({ medium, name, status }: Kept) => {
    if (status !== 'away') {
      await unpinMedium(medium);
      toast({ text: `${name} is no longer kept offline` });
      return;
    }
    const kept = await pinMedium(medium);
    if (kept === 'kept') toast({ text: `${name} is kept on this ${deviceWord()}` });
    showPinResult(kept, () => void navigate('/settings'));
  };
  return (what) => void toastOnError(change(what));
}
