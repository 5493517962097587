import type { LucideIcon } from 'lucide-react';
import {
  useEffect,
  useId,
  useLayoutEffect,
  useRef,
  useState,
  type KeyboardEvent,
  type ReactNode,
  type RefObject,
} from 'react';
import { Link } from '#ui/router.tsx';

export type MenuItem = {
  label: string;
  icon?: LucideIcon;
  danger?: boolean;
} & ({ to: string } | { onSelect: () => void });

interface MenuProps {
  /** The button's accessible name, with its object: 'More for Paper Boats'. */
  label: string;
  /** Content of the button. */
  trigger: ReactNode;
  triggerClass?: string;
  items: readonly MenuItem[];
  /** Content above the items. */
  head?: ReactNode;
}

const GAP_PX = 4;
const EDGE_PX = 8;

/**
 * Places the panel below the button with aligned right edges, or above it if there is no room, and always on the
 * screen.
 */
function place(panel: HTMLElement, button: HTMLElement): void {
  const at = button.getBoundingClientRect();
  const { offsetWidth: width, offsetHeight: height } = panel;
  const below = at.bottom + GAP_PX;
  const top = below + height > innerHeight - EDGE_PX ? Math.max(EDGE_PX, at.top - GAP_PX - height) : below;
  panel.style.top = `${top}px`;
  panel.style.visibility = '';
  panel.style.left = `${Math.max(EDGE_PX, Math.min(at.right - width, innerWidth - width - EDGE_PX))}px`;
}

/** A button with a menu. Arrow keys, Home, End and first letters move the focus; Esc and a tap outside close it. */
export function Menu({ label, trigger, triggerClass = 'tap', items, head }: MenuProps) {
  const id = useId();
  const button = useRef<HTMLButtonElement>(null);
  // A page may have a hundred menus, so the panel renders when the menu is first opened.
  const [state, setState] = useState<'unused' | 'closed' | 'open'>('unused');
  const isUsed = state !== 'unused';
  return (
    <>
      <button
        ref={button}
        type="button"
        className={triggerClass}
        aria-label={label}
        aria-haspopup="menu"
        aria-expanded={state === 'open'}
        // The panel opens by itself the first time. Later this opens it, so that the browser does not treat a tap on the
        // button as a tap outside.
        popoverTarget={isUsed ? id : undefined}
        onClick={(event) => {
          if (isUsed) return;
          // Otherwise the browser would toggle the panel after this handler and close it again.
          event.preventDefault();
          setState('closed');
        }}
      >
        {trigger}
      </button>
      {isUsed && (
        <MenuPanel
          {...{ id, label, items, head, button }}
          isOpen={state === 'open'}
          onToggle={(isOpen) => setState(isOpen ? 'open' : 'closed')}
        />
      )}
    </>
  );
}

interface MenuPanelProps extends Pick<MenuProps, 'label' | 'items' | 'head'> {
  id: string;
  button: RefObject<HTMLButtonElement | null>;
  isOpen: boolean;
  onToggle: (isOpen: boolean) => void;
}

function MenuPanel({ id, label, items, head, button, isOpen, onToggle }: MenuPanelProps) {
  const panel = useRef<HTMLDivElement>(null);
  useLayoutEffect(() => panel.current?.showPopover(), []);

  useEffect(() => {
    if (!isOpen) return;
    const rows = panel.current?.querySelectorAll<HTMLElement>('[role="menuitem"]');
    if (panel.current && button.current) place(panel.current, button.current);
    rows?.[0]?.focus({ preventScroll: true });
    const close = () => panel.current?.hidePopover();
    // If the button moves while the menu is open (a notice appears, the page scrolls), the panel follows it. If the
    // button leaves the screen, the menu closes.
    const follow = () => {
      if (!panel.current || !button.current) return;
      const { top, bottom } = button.current.getBoundingClientRect();
      if (bottom < 0 || top > innerHeight) close();
      else place(panel.current, button.current);
    };
    addEventListener('resize', close);
    addEventListener('scroll', follow, { passive: true });
    return () => {
      removeEventListener('resize', close);
      removeEventListener('scroll', follow);
    };
  }, [isOpen, button]);

  const handleKey = (event: KeyboardEvent<HTMLElement>) => {
    const rows = [...(panel.current?.querySelectorAll<HTMLElement>('[role="menuitem"]') ?? [])];
    const at = rows.indexOf(document.activeElement as HTMLElement);
    const go = (to: number) => {
      event.preventDefault();
      rows[(to + rows.length) % rows.length]?.focus();
    };
    if (event.key === 'ArrowDown') go(at + 1);
    else if (event.key === 'ArrowUp') go(at - 1);
    else if (event.key === 'Home') go(0);
    else if (event.key === 'End') go(rows.length - 1);
    else if (event.key === 'Tab') panel.current?.hidePopover();
    else if (event.key.length === 1 && event.key !== ' ') {
      const letter = event.key.toLocaleLowerCase();
      const found = rows.findIndex((row) => row.textContent.trim().toLocaleLowerCase().startsWith(letter));
      if (found >= 0) go(found);
    }
  };
  /** Returns the focus to the button first, so that a dialog opened by the item can restore it there. */
  const choose = (item: MenuItem) => {
    panel.current?.hidePopover();
    button.current?.focus({ preventScroll: true });
    if ('onSelect' in item) item.onSelect();
  };

  return (
    <div
      ref={panel}
      id={id}
      popover="auto"
      className="menu-panel"
      // The panel can be measured only when it is open. Hide it until it has been placed.
      onBeforeToggle={(event) => {
        event.currentTarget.style.visibility = event.newState === 'open' ? 'hidden' : '';
      }}
      onToggle={(event) => onToggle(event.newState === 'open')}
    >
      {head}
      <div role="menu" aria-label={label} onKeyDown={handleKey}>
        {items.map((item) => {
          const inside = (
            <>
              {item.icon && <item.icon className="ic" aria-hidden />}
              {item.label}
            </>
          );
          const shared = {
            role: 'menuitem',
            tabIndex: -1,
            className: `menu-row ${item.danger ? 'text-needs' : ''}`,
            onClick: () => choose(item),
          };
          return 'to' in item ? (
            <Link key={item.label} to={item.to} {...shared}>
              {inside}
            </Link>
          ) : (
            <button key={item.label} type="button" {...shared}>
              {inside}
            </button>
          );
        })}
      </div>
    </div>
  );
}
