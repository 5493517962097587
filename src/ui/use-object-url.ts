import { useEffect, useRef, useState } from 'react';

/**
 * An address in this page for a file that is read or fetched for it, as long as it is shown: undefined until it is there,
 * null where it cannot be had.
 * @param name of the file: another name is another file; null where none is shown
 */
export function useObjectUrl(
  name: string | null,
  make: (signal: AbortSignal) => Promise<Blob | null>,
): string | null | undefined {
  const [made, setMade] = useState<{ name: string; address: string | null }>();
  const latest = useRef(make);
  useEffect(() => {
    latest.current = make;
  });
  useEffect(() => {
    if (name === null) return;
    const leaving = new AbortController();
    let address: string | null = null;
    latest
      .current(leaving.signal)
      .then((bytes) => {
        if (leaving.signal.aborted) return;
        address = bytes && URL.createObjectURL(bytes);
        setMade({ name, address });
      })
      .catch(reportError);
    return () => {
      leaving.abort();
      if (address !== null) URL.revokeObjectURL(address);
    };
  }, [name]);
  return made && made.name === name ? made.address : undefined;
}
