import { useEffect, useEffectEvent, useState } from 'react';

const REVOKE_DELAY_MS = 5000;

/**
 * Returns an object URL for a file that `make` reads or fetches, and revokes it soon after the component no longer
 * shows the file. Undefined until the file is loaded, null if it cannot be loaded.
 * @param name identifies the file; null if none is shown
 */
export function useObjectUrl(
  name: string | null,
  make: (signal: AbortSignal) => Promise<Blob | null>,
): string | null | undefined {
  const [made, setMade] = useState<{ name: string; address: string | null }>();
  const read = useEffectEvent(make);
  useEffect(() => {
    if (name === null) return;
    const leaving = new AbortController();
    let address: string | null = null;
    read(leaving.signal)
      .then((bytes) => {
        if (leaving.signal.aborted) return;
        address = bytes && URL.createObjectURL(bytes);
        setMade({ name, address });
      })
      .catch(reportError);
    return () => {
      leaving.abort();
      const left = address;
      // The element that showed it may still be loading, and Chromium logs an error if the address is gone by then.
      if (left !== null) setTimeout(() => URL.revokeObjectURL(left), REVOKE_DELAY_MS);
    };
  }, [name]);
  return made && made.name === name ? made.address : undefined;
}
