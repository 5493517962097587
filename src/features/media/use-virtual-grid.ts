import { startTransition, useEffect, useLayoutEffect, useRef, useState, type RefObject } from 'react';
import { stepRange, type IndexRange } from './virtual-range.ts';

/** Windows of the browser that are drawn before and after what is seen. */
const OVERSCAN = 0.5;

/** Drawn before anything was measured. */
const INITIAL_ITEMS = 36;

interface Grid {
  columns: number;
  /** CSS pixels. */
  rowHeight: number;
  gap: number;
}

interface VisibleRange extends IndexRange {
  ref: RefObject<HTMLUListElement | null>;
  /** Null before it was measured, and where everything is drawn. */
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
 * What of a long grid of equal tiles is drawn: what is near the screen, coming and going a few at a time while the page
 * scrolls, so that no frame has much to do. A list without a ratio is drawn whole.
 * @param ratio of a tile: its width by its height
 */
export function useVirtualGrid(count: number, ratio: number | undefined): VisibleRange {
  const ref = useRef<HTMLUListElement>(null);
  const isWatched = ratio !== undefined && count > 2 * INITIAL_ITEMS;
  const [grid, setGrid] = useState<Grid | null>(null);
  const [span, setSpan] = useState<IndexRange>({ from: 0, to: INITIAL_ITEMS });
  useLayoutEffect(() => {
    const list = ref.current;
    if (!isWatched || list === null) return;
    const measure = () => {
      const next = measureGrid(list, ratio);
      setGrid((now) => (now?.columns === next.columns && now.rowHeight === next.rowHeight ? now : next));
    };
    measure();
    const observer = new ResizeObserver(measure);
    observer.observe(list);
    return () => observer.disconnect();
  }, [isWatched, ratio]);

  const drawn = useRef(span);
  useEffect(() => {
    const list = ref.current;
    if (!isWatched || grid === null || list === null) return;
    const { columns, rowHeight, gap } = grid;
    const pitch = rowHeight + gap;
    const spanAround = (top: number, beyond: number): IndexRange => {
      const first = Math.max(0, Math.floor((-top - beyond) / pitch)) * columns;
      const end = Math.ceil((innerHeight - top + beyond) / pitch) * columns;
      return { from: Math.min(first, count), to: Math.max(0, Math.min(end, count)) };
    };
    let frame = 0;
    const look = () => {
      frame = 0;
      const { top } = list.getBoundingClientRect();
      const next = stepRange(drawn.current, {
        seen: spanAround(top, 0),
        wanted: spanAround(top, OVERSCAN * innerHeight),
      });
      if (next.from === drawn.current.from && next.to === drawn.current.to) return;
      drawn.current = next;
      startTransition(() => setSpan(next));
      lookSoon();
    };
    const lookSoon = () => {
      frame ||= requestAnimationFrame(look);
    };
    lookSoon();
    addEventListener('scroll', lookSoon, { passive: true });
    addEventListener('resize', lookSoon);
    return () => {
      removeEventListener('scroll', lookSoon);
      removeEventListener('resize', lookSoon);
      cancelAnimationFrame(frame);
    };
  }, [isWatched, grid, count]);

  return isWatched
    ? { ref, grid, from: Math.min(span.from, count), to: Math.min(span.to, count) }
    : { ref, grid: null, from: 0, to: count };
}
