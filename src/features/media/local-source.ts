import { useCallback } from 'react';
import { fileBytes } from '#db/media-bytes.ts';
import type { MediaFile } from '#db/rows.ts';
import { useSession } from '#session/session.tsx';

/** Answers an address for the bytes of a file that is only here; null where they have left. Revoke it after use. */
export function useLocalSource(): (file: MediaFile) => Promise<string | null> {
  const db = useSession().account?.db;
  return useCallback(
    async (file) => {
      const bytes = db ? await fileBytes(db, file) : null;
      return bytes && URL.createObjectURL(bytes);
    },
    [db],
  );
}
