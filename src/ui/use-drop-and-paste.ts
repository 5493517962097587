import { useEffect, useRef, useState } from 'react';

/**
 * Takes files that are dropped anywhere on the page or pasted, for as long as the sheet is open: beside it, a browser would
 * leave the page to show the file. Answers whether some are held over it.
 */
export function useDropAndPaste(onPick: (files: File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const latest = useRef(onPick);
  useEffect(() => {
    latest.current = onPick;
  });
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
    const take = (event: Event, given: DataTransfer | null) => {
      const files = [...(given?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      latest.current(files);
    };
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false;
    document.addEventListener(
      'dragover',
      (event) => {
        if (!hasFiles(event)) return;
        event.preventDefault();
        setIsOver(true);
      },
      { signal },
    );
    document.addEventListener(
      'dragleave',
      // Over to another element of the page: still here.
      (event) => event.relatedTarget === null && setIsOver(false),
      { signal },
    );
    document.addEventListener(
      'drop',
      (event) => {
        setIsOver(false);
        take(event, event.dataTransfer);
      },
      { signal },
    );
    document.addEventListener('paste', (event) => take(event, event.clipboardData), { signal });
    return () => listening.abort();
  }, []);
  return isOver;
}
