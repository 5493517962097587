import { StorageTrouble } from '#sync/storage-error.ts';
import { storageWords, type Unkept } from '#ui/storage-words.ts';
import { toast } from '#ui/Toast.tsx';

/**
 * What to tell the person whose save threw: why this device could not keep it. Anything else is a bug: it is reported, and
 * `unexpected` stands in for it.
 */
export function troubleWords(
  error: unknown,
  unexpected = 'An unexpected error occurred.',
  unkept: Unkept = {},
): string {
  if (error instanceof StorageTrouble) {
    if (error.reason === 'lost')
      void import('#session/store-loss.ts').then(({ offerReload }) => offerReload(), reportError);
    return storageWords(error.reason, unkept);
  }
  reportError(error);
  return unexpected;
}

/** Waits for a save and says so where this device could not keep it. Never rejects. */
export async function tellTrouble(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    toast({ text: troubleWords(error) });
  }
}
