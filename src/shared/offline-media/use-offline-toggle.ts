import { useNavigate } from '#ui/router.tsx';
import { showPinResult } from './pin-result-text.ts';
import { toastOnError } from '#shared/error-text.ts';
import { pinMedium, type OfflineStatus, unpinMedium } from './use-offline-media.ts';
import { deviceWord } from '#ui/device.ts';
import { toast } from '#ui/Toast.tsx';

interface ToggledMedium {
  medium: Record<string, unknown>;
  /** Display name of the medium. */
  name: string;
  status: OfflineStatus;
}

/**
 * Returns a function that pins a medium, or unpins it if it is pinned or downloading, and shows a toast with the
 * result.
 */
export function useOfflineToggle(): (target: ToggledMedium) => void {
  const navigate = useNavigate();
  const change = async ({ medium, name, status }: ToggledMedium) => {
    if (status !== 'away') {
      await unpinMedium(medium);
      toast({ text: `${name} is no longer kept offline` });
      return;
    }
    const result = await pinMedium(medium);
    if (result === 'kept') toast({ text: `${name} is kept on this ${deviceWord()}` });
    showPinResult(result, () => navigate('/settings'));
  };
  return (target) => void toastOnError(change(target));
}
