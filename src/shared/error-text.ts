import { StorageError } from '#sync/storage-error.ts';
import { getStorageErrorText, type StorageErrorContext } from '#ui/storage-error-text.ts';
import { toast } from '#ui/Toast.tsx';

/**
 * What to tell the person whose save threw: why this device could not keep it. Anything else is a bug: it is reported, and
 * `unexpected` stands in for it.
 */
export function toErrorText(
  error: unknown,
  unexpected = 'An unexpected error occurred.',
  unkept: StorageErrorContext = {},
): string {
  if (error instanceof StorageError) {
    if (error.reason === 'lost')
      void import('#session/store-loss.ts').then(({ offerReload }) => offerReload(), reportError);
    return getStorageErrorText(error.reason, unkept);
  }
  reportError(error);
  return unexpected;
}

/** Waits for a save and says so where this device could not keep it. Never rejects. */
export async function toastOnError(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    toast({ text: toErrorText(error) });
  }
}
