import { useNavigate } from 'react-router-dom';
import { tellKeeping } from './pin-result-text.ts';
import { tellTrouble } from '#shared/storage-error-text.ts';
import { keepMedium, type KeptStanding, letMediumGo } from './use-offline-media.ts';
import { deviceWord } from '#ui/device.ts';
import { toast } from '#ui/Toast.tsx';

interface Kept {
  medium: Record<string, unknown>;
  /** For people. */
  name: string;
  standing: KeptStanding;
}

/** What keeps one medium offline, or lets it go where it is here or on its way, and says how that ended. */
export function useKeepSwitch(): (what: Kept) => void {
  const navigate = useNavigate();
  const change = async ({ medium, name, standing }: Kept) => {
    if (standing !== 'away') {
      await letMediumGo(medium);
      toast({ text: `${name} is no longer kept offline` });
      return;
    }
    const kept = await keepMedium(medium);
    if (kept === 'kept') toast({ text: `${name} is kept on this ${deviceWord()}` });
    tellKeeping(kept, () => void navigate('/settings'));
  };
  return (what) => void tellTrouble(change(what));
}
