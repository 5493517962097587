import { useCallback } from 'react';
import { fileBytes } from '#db/media-bytes.ts';
import type { MediaFile } from '#db/rows.ts';
import { useObjectUrl } from '#ui/use-object-url.ts';
import { useSession } from '#session/session.tsx';

/** Answers an address for the bytes of a file that is only here; null where they have left. Revoke it after use. */
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

/** An address for the bytes of a file that is only here, as long as it is shown: undefined until read, null where they have left. */
export function useLocalFileUrl(file: MediaFile | undefined): string | null | undefined {
  const db = useSession().account?.db;
  return useObjectUrl(file?.id ?? null, async () => (db && file ? fileBytes(db, file) : null));
}
