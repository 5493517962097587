import { Check, type LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { announce } from './announce.tsx';
import { createSlot } from './slot.ts';

export interface ToastContent {
  text: string;
  icon?: LucideIcon;
  /** At most one: 'Undo'. */
  action?: { label: string; onSelect: () => void };
  /** Stays until the user selects its action. Other toasts replace it for a while, and then it returns. */
  stays?: boolean;
}

const PLAIN_MS = 3000;
const WITH_ACTION_MS = 4000;

const shown = createSlot<(ToastContent & { n: number }) | null>(null);
let n = 0;
let persistent: ToastContent | null = null;

const show = (content: ToastContent | null) => shown.set(content && { ...content, n: (n += 1) });

/**
 * Shows one line above the tab bar and announces it, for 3 s, or 4 s with an action. A new toast replaces the old one.
 */
export function toast(content: ToastContent): void {
  if (content.stays) persistent = content;
  show(content);
  announce(content.action ? `${content.text} ${content.action.label}` : content.text);
}

/** Mount once. */
export function Toaster() {
  const content = useSyncExternalStore(shown.subscribe, shown.get);
  return content && <ToastSlab key={content.n} content={content} />;
}

function ToastSlab({ content }: { content: ToastContent }) {
  const slab = useRef<HTMLElement>(null);
  const [isHeld, setIsHeld] = useState(false);
  const Icon = content.icon ?? Check;

  // A popover is in the top layer, so an open sheet does not cover it.
  useEffect(() => slab.current?.showPopover?.(), []);
  useEffect(() => {
    if (isHeld || content.stays) return;
    const timer = setTimeout(() => show(persistent), content.action ? WITH_ACTION_MS : PLAIN_MS);
    return () => clearTimeout(timer);
  }, [isHeld, content]);

  return (
    <aside
      ref={slab}
      aria-label="Message"
      popover="manual"
      className="toast-slab min-h-13 items-center gap-3 py-0 pr-1.5 pl-4 shadow-lg"
      onPointerEnter={() => setIsHeld(true)}
      onPointerLeave={() => setIsHeld(false)}
      onFocus={() => setIsHeld(true)}
      onBlur={() => setIsHeld(false)}
    >
      <Icon className="ic text-accent" aria-hidden />
      <span className="grow py-2.5 text-[0.9375rem] font-medium">{content.text}</span>
      {content.action && (
        <button
          type="button"
          className="tap px-3 font-semibold text-accent"
          onClick={() => {
            if (content.stays) persistent = null;
            show(persistent);
            content.action?.onSelect();
          }}
        >
          {content.action.label}
        </button>
      )}
      {!content.action && <span className="w-2" />}
    </aside>
  );
}
