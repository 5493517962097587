import { X } from 'lucide-react';
import { useEffect, useEffectEvent, useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { IconButton } from './Button.tsx';
import { isPageCovered } from './is-page-covered.ts';

interface PaneProps {
  title: string;
  /** What it shows. When that changes by something outside of the pane, the pane takes the focus. */
  subject: string;
  children: ReactNode;
  onClose: () => void;
}

/**
 * What a sheet shows, but beside the page instead of over it, and both can be used: for wide screens. It has the focus while it is new. Escape
 * closes it, unless something lies over the page.
 */
export function Pane({ title, subject, children, onClose }: PaneProps) {
  const id = useId();
  const pane = useRef<HTMLDialogElement>(null);
  useLayoutEffect(() => {
    const opener = document.activeElement;
    const element = pane.current;
    return () => {
      if (opener instanceof HTMLElement && element?.contains(document.activeElement))
        opener.focus({ preventScroll: true });
    };
  }, []);
  useLayoutEffect(() => {
    if (!pane.current?.contains(document.activeElement)) pane.current?.focus({ preventScroll: true });
  }, [subject]);
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key !== 'Escape' || event.defaultPrevented) return;
    const isInSelect = event.target instanceof Element && event.target.closest('select') !== null;
    if (!isInSelect && !isPageCovered()) onClose();
  });
  useEffect(() => {
    addEventListener('keydown', handleKey);
    return () => removeEventListener('keydown', handleKey);
  }, []);
  return (
    <dialog
      ref={pane}
      open
      tabIndex={-1}
      aria-labelledby={id}
      className="notice static m-0 flex max-h-[calc(100dvh-92px)] w-full max-w-none flex-col overflow-hidden border-0 p-0 text-inherit focus-visible:outline-none"
    >
      <header className="flex items-center px-5 pt-3 pb-2">
        <h2 id={id} className="min-w-0 grow text-xl font-bold break-words">
          {title}
        </h2>
        <IconButton label={`Close ${title}`} icon={X} className="-mr-3" onClick={onClose} />
      </header>
      <div className="min-h-0 grow space-y-4 overflow-y-auto overscroll-contain px-5 pt-1 pb-5">{children}</div>
    </dialog>
  );
}
