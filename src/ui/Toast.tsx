import { Check, type LucideIcon } from 'lucide-react';
import { useEffect, useRef, useState, useSyncExternalStore } from 'react';
import { announce } from './announce.tsx';
import { createSlot } from './slot.ts';

export interface ToastContent {
  text: string;
  icon?: LucideIcon;
  /** At most one: 'Undo'. */
  action?: { label: string; onSelect: () => void };
  /** Stays until it is acted on; others pass in front of it and it comes back. */
  stays?: boolean;
}

const PLAIN_MS = 3000;
const WITH_ACTION_MS = 4000;

const shown = createSlot<(ToastContent & { n: number }) | null>(null);
let n = 0;
let standing: ToastContent | null = null;

const show = (content: ToastContent | null) => shown.set(content && { ...content, n: (n += 1) });

/** Shows one line above the tab bar and says it. 3 s, with an action 4 s; a new one replaces the old. */
export function toast(content: ToastContent): void {
  if (content.stays) standing = content;
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
  const [held, setHeld] = useState(false);
  const Icon = content.icon ?? Check;

  // A popover stands in the top layer, so an open sheet does not hide it.
  useEffect(() => slab.current?.showPopover?.(), []);
  useEffect(() => {
    if (held || content.stays) return;
    const timer = setTimeout(() => show(standing), content.action ? WITH_ACTION_MS : PLAIN_MS);
    return () => clearTimeout(timer);
  }, [held, content]);

  return (
    <aside
      ref={slab}
      aria-label="Message"
      popover="manual"
      className="toast-slab min-h-13 items-center gap-3 py-0 pr-1.5 pl-4 shadow-lg"
      onPointerEnter={() => setHeld(true)}
      onPointerLeave={() => setHeld(false)}
      onFocus={() => setHeld(true)}
      onBlur={() => setHeld(false)}
    >
      <Icon className="ic text-accent" aria-hidden />
      <span className="grow py-2.5 text-[0.9375rem] font-medium">{content.text}</span>
      {content.action && (
        <button
          type="button"
          className="tap px-3 font-semibold text-accent"
          onClick={() => {
            if (content.stays) standing = null;
            show(standing);
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
