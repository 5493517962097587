import { StorageError } from '#sync/storage-error.ts';
import { getStorageErrorText, type StorageErrorContext } from '#ui/storage-error-text.ts';
import { toast } from '#ui/Toast.tsx';

/**
 * Returns the message for the user after a save threw. A StorageError becomes the reason why the device could not store
 * the change. Any other error is a bug: it is reported, and the message is `unexpected`.
 */
export function toErrorText(
  error: unknown,
  unexpected = 'An unexpected error occurred.',
  context: StorageErrorContext = {},
): string {
  if (error instanceof StorageError) {
    if (error.reason === 'lost')
      void import('#open-store/store-loss.ts').then(({ offerReload }) => offerReload(), reportError);
    return getStorageErrorText(error.reason, { ...context, room: error.room });
  }
  reportError(error);
  return unexpected;
}

/** Waits for a save and shows a toast if it failed. Never rejects. */
export async function toastOnError(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    toast({ text: toErrorText(error) });
  }
}
