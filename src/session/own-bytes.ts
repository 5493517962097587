import { useCallback, useEffect, useRef, useState } from 'react';
import { fileBytes } from '#db/media-bytes.ts';
import type { MediaFile } from '#db/rows.ts';
import { useSession } from './session.tsx';

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

/** An address for the bytes of a file that is only here, as long as it is shown: undefined until read, null where they have left. */
export function useOwnBytes(file: MediaFile | undefined): string | null | undefined {
  const localSource = useLocalSource();
  const [own, setOwn] = useState<string | null>();
  const fileId = file?.id;
  const read = useRef(() => Promise.resolve<string | null>(null));
  useEffect(() => {
    read.current = () => (file ? localSource(file) : Promise.resolve(null));
  });
  useEffect(() => {
    if (fileId === undefined) return;
    let isCurrent = true;
    let made: string | null = null;
    read
      .current()
      .then((source) => {
        made = source;
        if (isCurrent) setOwn(source);
        else if (source) URL.revokeObjectURL(source);
      })
      .catch(reportError);
    return () => {
      isCurrent = false;
      if (made) URL.revokeObjectURL(made);
    };
  }, [fileId]);
  return fileId === undefined ? undefined : own;
}
