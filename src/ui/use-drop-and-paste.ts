import { useEffect, useEffectEvent, useState } from 'react';

/**
 * Accepts files that are pasted or dropped anywhere on the page while the component is mounted. Without this, the
 * browser would navigate to a file that is dropped beside the sheet. Returns whether files are being dragged over the
 * page.
 */
export function useDropAndPaste(onPick: (files: File[]) => void): boolean {
  const [isOver, setIsOver] = useState(false);
  const take = useEffectEvent((event: Event, given: DataTransfer | null) => {
    const files = [...(given?.files ?? [])];
    if (files.length === 0) return;
    event.preventDefault();
    onPick(files);
  });
  useEffect(() => {
    const listening = new AbortController();
    const { signal } = listening;
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
      // Ignores a move to another element of the page.
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
