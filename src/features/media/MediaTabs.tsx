import { useEffect, useRef, type KeyboardEvent } from 'react';
import { getTabAfterKey, type Tab } from './tabs.ts';

interface MediaTabsProps {
  /** Prefix of the ids of tabs and panel. */
  id: string;
  tabs: readonly Tab[];
  current: string;
  onSelect: (key: string) => void;
}

/** The tabs of a portfolio. Arrow keys, Home and End move between them; a line marks the current one. */
export function MediaTabs({ id, tabs, current, onSelect }: MediaTabsProps) {
  const list = useRef<HTMLDivElement>(null);
  const getTabElement = (key: string) => document.getElementById(`${id}-${key}`);
  // Scrolls the row to the current tab, which a swipe or Back may have selected.
  useEffect(() => {
    const [row, tab] = [list.current, document.getElementById(`${id}-${current}`)];
    if (!row || !tab) return;
    const left = tab.offsetLeft - row.offsetLeft;
    if (left < row.scrollLeft) row.scrollLeft = left;
    else if (left + tab.offsetWidth > row.scrollLeft + row.clientWidth)
      row.scrollLeft = left + tab.offsetWidth - row.clientWidth;
  }, [id, current]);
  const handleKey = (event: KeyboardEvent) => {
    const key = getTabAfterKey(tabs, current, event.key);
    if (key === null) return;
    event.preventDefault();
    onSelect(key);
    getTabElement(key)?.focus();
  };
  return (
    <div
      ref={list}
      role="tablist"
      aria-label="Kinds of media"
      className="flex gap-1 overflow-x-auto border-b border-base-300 [scrollbar-width:none]"
      onKeyDown={handleKey}
    >
      {tabs.map(({ key, label, count }) => {
        const isCurrent = key === current;
        return (
          <button
            key={key}
            type="button"
            role="tab"
            id={`${id}-${key}`}
            aria-selected={isCurrent}
            aria-controls={`${id}-panel`}
            tabIndex={isCurrent ? 0 : -1}
            className={`relative min-h-12 shrink-0 cursor-pointer px-3 font-semibold whitespace-nowrap -outline-offset-3 ${isCurrent ? '' : 'text-muted'}`}
            onClick={() => onSelect(key)}
          >
            {label} <span className="num text-sm font-normal text-muted">{count}</span>
            {isCurrent && <span className="absolute inset-x-3 bottom-0 h-1 rounded-t bg-accent" aria-hidden />}
          </button>
        );
      })}
    </div>
  );
}
