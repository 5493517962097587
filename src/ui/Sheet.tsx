import { X } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useRef, type PointerEvent, type ReactNode } from 'react';
import { useBusyWhile } from './busy.ts';
import { IconButton } from './Button.tsx';
import { confirm } from './confirm.tsx';
import { useModal } from './use-modal.ts';

interface SheetProps {
  title: string;
  children: ReactNode;
  /** The fixed foot: buttons, the cancel button first. */
  foot?: ReactNode;
  /** Unsaved input exists: Esc, the close button and a drag ask before closing. */
  dirty?: boolean;
  /** Text of that question. */
  keepText?: string;
  /** Called after the exit animation; unmount the sheet here. */
  onClose: () => void;
  /** Makes the body a form. Enter and the foot's submit button call this. */
  onSubmit?: () => void;
}

const DRAG_CLOSES_PX = 96;
const EXIT_MS = 160;

const allowsMotion = () => !matchMedia('(prefers-reduced-motion: reduce)').matches;

/** Focuses the first field, or on touch devices the sheet itself, because the on-screen keyboard would cover it. */
function focusInitial(element: HTMLElement | null): void {
  const fields = [...(element?.querySelectorAll<HTMLInputElement>('form :is(input, select, textarea)') ?? [])];
  const first = fields[0];
  const chosen = first?.type === 'radio' && fields.find((field) => field.name === first.name && field.checked);
  const start = matchMedia('(pointer: fine)').matches ? chosen || first : undefined;
  (start ?? element)?.focus({ preventScroll: true });
}

/**
 * A bottom sheet on a phone, a modal dialog from 768 px. It is open while mounted: the native dialog traps the focus,
 * and unmounting restores it. Esc, the close button and a drag down close it; a tap outside does nothing.
 */
export function Sheet({ title, children, foot, dirty = false, keepText, onClose, onSubmit }: SheetProps) {
  const id = useId();
  useBusyWhile(dirty);
  const dialog = useRef<HTMLDialogElement>(null);
  /** True while the question is open or the exit animation runs: further taps and keys are ignored. */
  const isLeaving = useRef(false);
  const dragFrom = useRef<number | null>(null);

  // Safari's keyboard covers the page instead of resizing it.
  useEffect(() => {
    const view = window.visualViewport;
    if (!view) return;
    const fit = () => {
      const covered = view.scale === 1 ? Math.max(0, innerHeight - view.height - view.offsetTop) : 0;
      dialog.current?.style.setProperty('--keyboard', `${covered}px`);
    };
    view.addEventListener('resize', fit);
    view.addEventListener('scroll', fit);
    return () => {
      view.removeEventListener('resize', fit);
      view.removeEventListener('scroll', fit);
    };
  }, []);

  const animateExit = async () => {
    const element = dialog.current;
    if (!element || !allowsMotion()) return;
    const phone = matchMedia('(width < 48rem)').matches;
    const to = phone ? { transform: 'translateY(100%)' } : { opacity: 0, transform: 'translateY(8px)' };
    await element.animate([{}, to], { duration: EXIT_MS, easing: 'ease-in', fill: 'forwards' }).finished;
  };
  const askAndLeave = async () => {
    const isSure =
      !dirty ||
      (await confirm({
        title: 'Close without saving?',
        text: keepText ?? 'What you typed has not been saved.',
        yes: 'Close',
        no: 'Keep editing',
      }));
    if (!isSure) return;
    await animateExit();
    onClose();
  };
  const leave = () => {
    if (isLeaving.current) return;
    isLeaving.current = true;
    askAndLeave()
      .finally(() => (isLeaving.current = false))
      .catch(reportError);
  };
  const modal = useModal(dialog, leave);
  useLayoutEffect(() => focusInitial(dialog.current), []);

  const handleDown = (event: PointerEvent<HTMLElement>) => {
    const onControl = (event.target as HTMLElement).closest('button');
    if (onControl || event.button !== 0 || !matchMedia('(width < 48rem)').matches) return;
    dragFrom.current = event.clientY;
    event.currentTarget.setPointerCapture(event.pointerId);
  };
  const handleMove = (event: PointerEvent<HTMLElement>) => {
    if (dragFrom.current === null || !dialog.current) return;
    dialog.current.style.transform = `translateY(${Math.max(0, event.clientY - dragFrom.current)}px)`;
  };
  const handleUp = (event: PointerEvent<HTMLElement>) => {
    if (dragFrom.current === null) return;
    const isFarEnough = event.clientY - dragFrom.current > DRAG_CLOSES_PX;
    dragFrom.current = null;
    if (dialog.current) dialog.current.style.transform = '';
    if (isFarEnough) leave();
  };

  const inside = (
    <>
      <div className="min-h-0 grow space-y-4 overflow-y-auto overscroll-contain px-5 pt-1 pb-5">{children}</div>
      {foot && <div className="sheet-foot">{foot}</div>}
    </>
  );
  return (
    <dialog ref={dialog} className="sheet" tabIndex={-1} aria-labelledby={id} {...modal}>
      <header
        className="touch-none px-5 pt-2 pb-3 select-none md:pt-4"
        onPointerDown={handleDown}
        onPointerMove={handleMove}
        onPointerUp={handleUp}
        onPointerCancel={handleUp}
      >
        <span className="sheet-grabber" aria-hidden />
        <div className="flex items-center">
          <h2 id={id} className="min-w-0 grow text-xl font-bold break-words">
            {title}
          </h2>
          <IconButton label={`Close ${title}`} icon={X} className="-mr-3" onClick={leave} />
        </div>
      </header>
      {onSubmit ? (
        <form
          className="flex min-h-0 grow flex-col"
          noValidate
          onSubmit={(event) => {
            event.preventDefault();
            onSubmit();
          }}
        >
          {inside}
        </form>
      ) : (
        <div className="flex min-h-0 grow flex-col">{inside}</div>
      )}
    </dialog>
  );
}
