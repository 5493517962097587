import { X } from 'lucide-react';
import { useEffect, useId, useLayoutEffect, useRef, type PointerEvent, type ReactNode } from 'react';
import { useBusyWhile } from './busy.ts';
import { IconButton } from './Button.tsx';
import { confirm } from './confirm.tsx';
import { useDialogExit } from './use-dialog-exit.ts';

interface SheetProps {
  title: string;
  children: ReactNode;
  /** The fixed foot: buttons, the way out first. */
  foot?: ReactNode;
  /** Something was typed: Esc, close and drag ask first. */
  dirty?: boolean;
  /** What the question says of the typed words. */
  keepText?: string;
  /** The person is done with it. Unmount the sheet here. */
  onClose: () => void;
  /** Makes the body a form; Enter and the foot's submit button land here. */
  onSubmit?: () => void;
}

const DRAG_CLOSES_PX = 96;
const DOWN_MS = 160;

const motionWelcome = () => !matchMedia('(prefers-reduced-motion: reduce)').matches;

/** With a keyboard the first field; on touch the sheet itself, or the screen's keyboard would cover what opens. */
function focusStart(element: HTMLElement | null): void {
  const fields = [...(element?.querySelectorAll<HTMLInputElement>('form :is(input, select, textarea)') ?? [])];
  const first = fields[0];
  const chosen = first?.type === 'radio' && fields.find((field) => field.name === first.name && field.checked);
  const start = matchMedia('(pointer: fine)').matches ? chosen || first : undefined;
  (start ?? element)?.focus({ preventScroll: true });
}

/** What opened the sheet is no longer there: an empty card's row, once the card has something. Its card still is. */
function focusHome(home: Element | null | undefined): void {
  const next = home?.isConnected ? home.querySelector('button') : null;
  (next ?? document.getElementById('main'))?.focus({ preventScroll: true });
}

/**
 * A bottom sheet on a phone, a modal from 768 px. Open while mounted: the native dialog traps the focus and the
 * unmount gives it back to where it was. A tap beside it does nothing; Esc, the cross and a drag down close it.
 */
export function Sheet({ title, children, foot, dirty = false, keepText, onClose, onSubmit }: SheetProps) {
  const id = useId();
  useBusyWhile(dirty);
  const dialog = useRef<HTMLDialogElement>(null);
  /** The question is open, or the sheet is on its way down: another tap or key adds nothing. */
  const isLeaving = useRef(false);
  const dragFrom = useRef<number | null>(null);

  // Closing before the element leaves the page is what hands the focus back.
  useLayoutEffect(() => {
    const element = dialog.current;
    const home = document.activeElement?.closest('section');
    element?.showModal();
    focusStart(element);
    return () => {
      element?.close();
      // The focus that nobody took stays in the closed sheet until the browser next draws.
      if (document.activeElement === document.body || element?.contains(document.activeElement)) focusHome(home);
    };
  }, []);
  useEffect(() => {
    const root = document.documentElement;
    const before = root.style.overflow;
    root.style.overflow = 'hidden';
    return () => {
      root.style.overflow = before;
    };
  }, []);

  // Safari lays its keyboard over the page instead of making the page smaller.
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

  const moveOut = async () => {
    const element = dialog.current;
    if (!element || !motionWelcome()) return;
    const phone = matchMedia('(width < 48rem)').matches;
    const to = phone ? { transform: 'translateY(100%)' } : { opacity: 0, transform: 'translateY(8px)' };
    await element.animate([{}, to], { duration: DOWN_MS, easing: 'ease-in', fill: 'forwards' }).finished;
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
    await moveOut();
    onClose();
  };
  const leave = () => {
    if (isLeaving.current) return;
    isLeaving.current = true;
    askAndLeave()
      .finally(() => (isLeaving.current = false))
      .catch(reportError);
  };
  const exit = useDialogExit(dialog, leave);

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
    const far = event.clientY - dragFrom.current > DRAG_CLOSES_PX;
    dragFrom.current = null;
    if (dialog.current) dialog.current.style.transform = '';
    if (far) leave();
  };

  const inside = (
    <>
      <div className="min-h-0 grow space-y-4 overflow-y-auto overscroll-contain px-5 pt-1 pb-5">{children}</div>
      {foot && <div className="sheet-foot">{foot}</div>}
    </>
  );
  return (
    <dialog ref={dialog} className="sheet" tabIndex={-1} aria-labelledby={id} {...exit}>
      <header
        className="touch-none px-5 pt-2 pb-3 select-none md:pt-4"
        onPointerDown={handleDown}
        onPointerMove={handleMove}
        onPointerUp={handleUp}
        onPointerCancel={handleUp}
      >
        <span className="sheet-grabber" aria-hidden />
        <div className="flex items-center">
          <h2 id={id} className="grow text-xl font-bold">
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
