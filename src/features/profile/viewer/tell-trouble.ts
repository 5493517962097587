import { StorageTrouble } from '#sync/trouble.ts';
import { storageWords } from '#ui/storage-words.ts';
import { toast } from '#ui/Toast.tsx';

/** Waits for a save and says so where this device could not keep it. */
export async function tellTrouble(work: Promise<unknown>): Promise<void> {
  try {
    await work;
  } catch (error) {
    if (error instanceof StorageTrouble) toast({ text: storageWords(error.reason) });
    else {
      toast({ text: 'An unexpected error occurred.' });
      reportError(error);
    }
  }
}
