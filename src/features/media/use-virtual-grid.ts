import { startTransition, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { stepRange, type IndexRange } from './virtual-range.ts';

/** Part of the grid rendered before and after the visible one, in viewport heights. */
const OVERSCAN = 0.5;

/** Number of items rendered before the grid has been measured. */
const INITIAL_ITEMS = 36;

interface Grid {
  columns: number;
  /** CSS pixels. */
  rowHeight: number;
  gap: number;
}

interface VisibleRange extends IndexRange {
  ref: RefObject<HTMLUListElement | null>;
  /** Null before it has been measured, and if all items are rendered. */
  grid: Grid | null;
}

function measureGrid(list: HTMLElement, ratio: number): Grid {
  const { gridTemplateColumns, rowGap } = getComputedStyle(list);
  const tracks = gridTemplateColumns.split(' ');
  return {
    columns: tracks.length,
    rowHeight: Number.parseFloat(tracks[0] ?? '') / ratio,
    gap: Number.parseFloat(rowGap),
  };
}

/**
 * Returns the range of a long grid of equal tiles to render: those near the screen. While the page scrolls, the range
 * changes by a few tiles per frame, so that no frame is overloaded. A list without a ratio is rendered completely.
 * @param ratio width divided by height of a tile
 */
export function useVirtualGrid(count: number, ratio: number | undefined): VisibleRange {
  const ref = useRef<HTMLUListElement>(null);
  const isVirtual = ratio !== undefined && count > 2 * INITIAL_ITEMS;
  const [grid, setGrid] = useState<Grid | null>(null);
  const [range, setRange] = useState<IndexRange>({ from: 0, to: INITIAL_ITEMS });
  useLayoutEffect(() => {
    const list = ref.current;
    if (!isVirtual || list === null) return;
    const measure = () => {
      const next = measureGrid(list, ratio);
      setGrid((now) => (now?.columns === next.columns && now.rowHeight === next.rowHeight ? now : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(list);
    return () => observer.disconnect();
  }, [isVirtual, ratio]);

  const rendered = useRef(range);
  useEffect(() => {
    const list = ref.current;
    if (!isVirtual || grid === null || list === null) return;
    const { columns, rowHeight, gap } = grid;
    const pitch = rowHeight + gap;
    const getRangeAround = (top: number, beyond: number): IndexRange => {
      const first = Math.max(0, Math.floor((-top - beyond) / pitch)) * columns;
      const end = Math.ceil((innerHeight - top + beyond) / pitch) * columns;
      return { from: Math.min(first, count), to: Math.max(0, Math.min(end, count)) };
    };
    let frame = 0;
    const update = () => {
      frame = 0;
      const { top } = list.getBoundingClientRect();
      const next = stepRange(rendered.current, {
        seen: getRangeAround(top, 0),
        wanted: getRangeAround(top, OVERSCAN * innerHeight),
      });
      if (next.from === rendered.current.from && next.to === rendered.current.to) return;
      rendered.current = next;
      startTransition(() => setRange(next));
      scheduleUpdate();
    };
    const scheduleUpdate = () => {
      frame ||= requestAnimationFrame(update);
    };
    scheduleUpdate();
    addEventListener('scroll', scheduleUpdate, { passive: true });
    addEventListener('resize', scheduleUpdate);
    return () => {
      removeEventListener('scroll', scheduleUpdate);
      removeEventListener('resize', scheduleUpdate);
      cancelAnimationFrame(frame);
    };
  }, [isVirtual, grid, count]);

  return isVirtual
    ? { ref, grid, from: Math.min(range.from, count), to: Math.min(range.to, count) }
    : { ref, grid: null, from: 0, to: count };
}
