import type { LucideIcon } from 'lucide-react';
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { PREVIEW_ROWS } from './ShowAllButton.tsx';
import { useDeferredLayout } from './use-deferred-layout.ts';

interface CardProps {
  title: string;
  /** Shown after the title, muted. */
  count?: number;
  /** The sync state of the card's content: a StatePill, left of the action. */
  state?: ReactNode;
  /** One IconButton: plus for lists, a pencil for single values. */
  action?: ReactNode;
  /** Name of the card's body on a long page. With it, the body is laid out only when it comes near the screen. */
  place?: string;
  children: ReactNode;
  className?: string;
}

const ROW_PX = 62;
const BUTTON_PX = 44;
const TEXT_PX = 110;

/** Estimates the height in pixels of a body with the first few rows and a button for the rest, or with a text. */
const estimateHeight = (rows: number | undefined): number =>
  rows === undefined ? TEXT_PX : Math.min(rows, PREVIEW_ROWS) * ROW_PX + (rows > PREVIEW_ROWS ? BUTTON_PX : 0);

/** A titled section of a page: a landmark named by its title. */
export function Card({ title, count, state, action, place, children, className }: CardProps) {
  const id = useId();
  const body = useDeferredLayout<HTMLDivElement>(place, estimateHeight(count));
  return (
    <section className={`notice ${className ?? ''}`} aria-labelledby={id}>
      <div className="flex min-h-12 items-center gap-2 pt-1.5 pr-1.5 pl-4 md:pl-5">
        <h2 id={id} className="grow text-[1.0625rem] font-bold">
          {title}
          {count !== undefined && <span className="num text-sm font-medium text-muted"> {count}</span>}
        </h2>
        {state}
        {action ?? <span className="size-2.5" />}
      </div>
      <div className="px-4 pb-4 md:px-5" {...body}>
        {children}
      </div>
    </section>
  );
}

interface EmptyRowProps {
  icon: LucideIcon;
  /** 'Add a credit' */
  label: string;
  /** Examples: 'A first night, a short film, a big break'. */
  hint: string;
  onAdd: () => void;
}

/** The content of an empty card for its owner. Other people do not see an empty card. */
export function EmptyRow({ icon: Icon, label, hint, onAdd }: EmptyRowProps) {
  const row = useRef<HTMLButtonElement>(null);
  // The row disappears once the card has content, usually while it has the focus: move the focus to the card's button.
  useLayoutEffect(() => {
    const element = row.current;
    const home = element?.closest('section');
    return () => {
      if (element !== document.activeElement) return;
      queueMicrotask(() => home?.querySelector('button')?.focus({ preventScroll: true }));
    };
  }, []);
  return (
    <button
      ref={row}
      type="button"
      onClick={onAdd}
      className="flex min-h-16 w-full cursor-pointer items-center gap-3 rounded-2xl border border-dashed border-field px-3.5 py-2.5 text-left"
    >
      <span className="grid size-10 shrink-0 place-items-center rounded-xl bg-base-200 text-muted">
        <Icon className="ic" aria-hidden />
      </span>
      <span className="leading-snug">
        <span className="block font-semibold text-primary">{label}</span>
        <span className="block text-sm text-muted">{hint}</span>
      </span>
    </button>
  );
}
