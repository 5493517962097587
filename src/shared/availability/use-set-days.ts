import type { DaySetting } from '#sync/queue/availability.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import { toast } from '#ui/Toast.tsx';

/** Returns a function that says something about days, with a way back. It rejects if that could not be stored. */
export function useSetDays() {
  const { engine } = useAccount();
  const store = (days: readonly DaySetting[]) => engine.act({ type: 'availability', act: 'set', days });
  /** @param before what was said about these days until now @param text what is shown then: '4 days are booked' */
  return async (days: readonly DaySetting[], before: readonly DaySetting[], text: string): Promise<void> => {
    await store(days);
    toast({ text, action: { label: 'Undo', onSelect: () => void toastOnError(store(before)) } });
  };
}
