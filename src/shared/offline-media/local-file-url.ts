import { useCallback } from 'react';
import { fileBytes } from '#db/media-bytes.ts';
import type { MediaFile } from '#db/rows.ts';
import { useObjectUrl } from '#ui/use-object-url.ts';
import { useSession } from '#session/session.tsx';

/**
 * Returns a function that creates an object URL for a file that is not on the server yet. Null if its bytes are gone.
 * Revoke it.
 */
export function useCreateLocalUrl(): (file: MediaFile) => Promise<string | null> {
  const db = useSession().account?.db;
  return useCallback(
    async (file) => {
      const bytes = db ? await fileBytes(db, file) : null;
      return bytes && URL.createObjectURL(bytes);
    },
    [db],
  );
}

/** An object URL for a file that is not on the server yet: undefined until it is read, null if its bytes are gone. */
export function useLocalFileUrl(file: MediaFile | undefined): string | null | undefined {
  const db = useSession().account?.db;
  return useObjectUrl(file?.id ?? null, async () => (db && file ? fileBytes(db, file) : null));
}
