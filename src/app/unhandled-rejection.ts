import { storageWords } from '#ui/storage-words.ts';
import { toast } from '#ui/Toast.tsx';

/** The words for an error that no screen caught. */
function toErrorText(error: unknown): string {
  const { name, reason } = (error ?? {}) as { name?: unknown; reason?: unknown };
  // By name: the engine that has the class is not here yet.
  const isStorage = name === 'StorageTrouble' && (reason === 'full' || reason === 'refused' || reason === 'lost');
  return isStorage ? storageWords(reason) : 'An unexpected error occurred. Try again.';
}

/**
 * Tells the person that an action of theirs failed where no screen says so itself: an action that does nothing and says
 * nothing looks as if it had worked. Background work catches its own failures.
 * @param reason of the rejection that nothing caught
 */
export function notifyUnhandledRejection(reason: unknown): void {
  // The person closed a share sheet or a file picker.
  if (reason instanceof DOMException && reason.name === 'AbortError') return;
  toast({ text: toErrorText(reason) });
}
