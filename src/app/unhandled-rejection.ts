import { getStorageErrorText } from '#ui/storage-error-text.ts';
import { toast } from '#ui/Toast.tsx';

/** Returns the text for an error that no screen caught. */
function toErrorText(error: unknown): string {
  const { name, reason } = (error ?? {}) as { name?: unknown; reason?: unknown };
  // By name: the engine that has the class is not here yet.
  const isStorage = name === 'StorageError' && (reason === 'full' || reason === 'refused' || reason === 'lost');
  return isStorage ? getStorageErrorText(reason) : 'An unexpected error occurred. Try again.';
}

/**
 * Shows a toast for a failed action that no screen handles, because a silent failure looks like success. Background work
 * catches its own errors and does not get here.
 * @param reason the reason of the unhandled rejection
 */
export function notifyUnhandledRejection(reason: unknown): void {
  // An AbortError means that the person closed a share dialog or a file picker.
  if (reason instanceof DOMException && reason.name === 'AbortError') return;
  toast({ text: toErrorText(reason) });
}
