import type { LucideIcon } from 'lucide-react';
import { useId, useLayoutEffect, useRef, type ReactNode } from 'react';
import { PREVIEW_ROWS } from './ShowAllButton.tsx';
import { useLaidOutLate } from './use-laid-out-late.ts';

interface CardProps {
  title: string;
  /** After the title, in muted. */
  count?: number;
  /** Where the work of this card is: a StatePill, left of the action. */
  state?: ReactNode;
  /** One IconButton: plus for lists, pencil for single values. */
  action?: ReactNode;
  /** Of a long page: names the body there, so that it is laid out when it comes near the screen. */
  place?: string;
  children: ReactNode;
  className?: string;
}

const ROW_PX = 62;
const BUTTON_PX = 44;
const TEXT_PX = 110;

/** How high a body with a few rows and a button for the rest may be, or one with a text where there are no rows. */
const likelyHeight = (rows: number | undefined): number =>
  rows === undefined ? TEXT_PX : Math.min(rows, PREVIEW_ROWS) * ROW_PX + (rows > PREVIEW_ROWS ? BUTTON_PX : 0);

/** A section of a page on paper. A landmark named by its title. */
export function Card({ title, count, state, action, place, children, className }: CardProps) {
  const id = useId();
  const body = useLaidOutLate<HTMLDivElement>(place, likelyHeight(count));
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
  /** What helps: 'A first night, a short film, a big break'. */
  hint: string;
  onAdd: () => void;
}

/** What an owner sees in a card with nothing in it; a viewer gets no card at all. */
export function EmptyRow({ icon: Icon, label, hint, onAdd }: EmptyRowProps) {
  const row = useRef<HTMLButtonElement>(null);
  // It goes when the card has something, as a rule under the focus of who just added that.
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
