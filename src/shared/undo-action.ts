import type { LucideIcon } from 'lucide-react';
import type { Engine } from '#sync/engine.ts';
import { toast } from '#ui/Toast.tsx';
import { toastOnError } from './error-text.ts';

/** The Undo of a toast about something that is sent after some seconds. A toast stays while somebody points at it, so it may be too late. */
export function undoAction(engine: Pick<Engine, 'undo'>, op: string, icon: LucideIcon) {
  const undo = async () => {
    if (!(await engine.undo(op))) toast({ text: 'It was already sent and can’t be undone', icon });
  };
  return { label: 'Undo', onSelect: () => void toastOnError(undo()) };
}
