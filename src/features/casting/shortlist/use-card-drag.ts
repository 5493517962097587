import {
  type DragEvent,
  type MouseEvent,
  type PointerEvent,
  useEffect,
  useEffectEvent,
  useLayoutEffect,
  useRef,
  useState,
} from 'react';
import type { Spot } from './arrange.ts';

/** A pointer that moved less than this may still be a tap. */
const SLOP_PX = 6;
/** Near an edge, what lies beyond it scrolls into view, by so much in a frame. */
const EDGE_PX = 56;
const SCROLL_PX = 12;

/** What is being dragged. Coordinates are pixels of the window. */
export interface CardDrag {
  id: string;
  /** Where it would be dropped; null outside of the columns. */
  spot: Spot | null;
}

interface Start {
  id: string;
  x: number;
  y: number;
  isDragging: boolean;
}

const isBetween = (at: number, { from, to }: { from: number; to: number }): boolean => at >= from && at < to;

/** The spot under a point. Columns count to their sides alone, so that a short one can be hit below its last card. */
function findDropSpot(board: HTMLElement, id: string, x: number, y: number): Spot | null {
  for (const column of board.querySelectorAll<HTMLElement>('[data-column]')) {
    const { left, right } = column.getBoundingClientRect();
    if (!isBetween(x, { from: left, to: right })) continue;
    const cards = [...column.querySelectorAll<HTMLElement>('[data-card]')].filter((card) => card.dataset.card !== id);
    const index = cards.filter((card) => {
      const { top, height } = card.getBoundingClientRect();
      return top + height / 2 < y;
    }).length;
    return { column: column.dataset.column ?? '', index };
  }
  return null;
}

/** By how much to scroll when a point is near one of two edges. */
const getPull = (at: number, low: number, high: number): number =>
  at < low + EDGE_PX ? -SCROLL_PX : at > high - EDGE_PX ? SCROLL_PX : 0;

/**
 * Drags cards by pointer: with a mouse from anywhere on a card, with a finger by its handle, so that the page can be scrolled. Escape cancels.
 * @param onDrop called when a card was dropped on a spot
 */
export function useCardDrag(onDrop: (id: string, spot: Spot) => void) {
  const board = useRef<HTMLDivElement>(null);
  const ghost = useRef<HTMLDivElement>(null);
  const start = useRef<Start | null>(null);
  const point = useRef({ x: 0, y: 0 });
  /** The click that ends a drag opens no menu. */
  const swallowsClick = useRef(false);
  const [drag, setDrag] = useState<CardDrag | null>(null);

  const placeGhost = () => {
    const { x, y } = point.current;
    if (ghost.current) ghost.current.style.translate = `${x}px ${y}px`;
  };
  const update = (id: string) => {
    const { x, y } = point.current;
    placeGhost();
    const spot = board.current && findDropSpot(board.current, id, x, y);
    setDrag((now) =>
      now?.id === id && now.spot?.column === spot?.column && now.spot?.index === spot?.index ? now : { id, spot },
    );
  };
  const end = (isDropped: boolean) => {
    const { current } = start;
    start.current = null;
    if (!current?.isDragging) return;
    swallowsClick.current = true;
    // A drag that ends elsewhere is followed by no click.
    setTimeout(() => (swallowsClick.current = false));
    setDrag(null);
    const spot = board.current && findDropSpot(board.current, current.id, point.current.x, point.current.y);
    if (isDropped && spot) onDrop(current.id, spot);
  };

  const handlePointer = useEffectEvent((event: globalThis.PointerEvent) => {
    const { current } = start;
    if (current === null) return;
    if (event.type !== 'pointermove') return end(event.type === 'pointerup');
    point.current = { x: event.clientX, y: event.clientY };
    const moved = Math.hypot(event.clientX - current.x, event.clientY - current.y);
    if (!current.isDragging && moved < SLOP_PX) return;
    current.isDragging = true;
    update(current.id);
  });
  const handleKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && start.current?.isDragging) {
      event.preventDefault();
      end(false);
    }
  });
  useEffect(() => {
    const types = ['pointermove', 'pointerup', 'pointercancel'] as const;
    for (const type of types) addEventListener(type, handlePointer);
    addEventListener('keydown', handleKey);
    return () => {
      for (const type of types) removeEventListener(type, handlePointer);
      removeEventListener('keydown', handleKey);
    };
  }, []);

  const dragged = drag?.id ?? null;
  const placeNewGhost = useEffectEvent(placeGhost);
  // It was not there yet when the pointer moved.
  useLayoutEffect(() => placeNewGhost(), [dragged]);
  const scroll = useEffectEvent((id: string) => {
    const { x, y } = point.current;
    const box = board.current?.getBoundingClientRect();
    if (!board.current || !box) return;
    const [across, down] = [
      getPull(x, Math.max(0, box.left), Math.min(innerWidth, box.right)),
      getPull(y, 0, innerHeight),
    ];
    if (across === 0 && down === 0) return;
    board.current.scrollLeft += across;
    scrollBy(0, down);
    update(id);
  });
  useEffect(() => {
    if (dragged === null) return;
    let frame = requestAnimationFrame(function run() {
      scroll(dragged);
      frame = requestAnimationFrame(run);
    });
    return () => cancelAnimationFrame(frame);
  }, [dragged]);

  /** The handlers of a card. */
  const getCardProps = (id: string) => ({
    onPointerDown: (event: PointerEvent<HTMLElement>) => {
      const on = event.target instanceof Element ? event.target : null;
      const isOnHandle = on?.closest('[data-handle]') != null;
      const isOnControl = on?.closest('button, input, label, [role="menu"]') != null;
      if (event.button !== 0 || !event.isPrimary || (!isOnHandle && (isOnControl || event.pointerType === 'touch')))
        return;
      point.current = { x: event.clientX, y: event.clientY };
      start.current = { id, ...point.current, isDragging: false };
    },
    // The browser’s own dragging of pictures would take the pointer away.
    onDragStart: (event: DragEvent) => event.preventDefault(),
    onClickCapture: (event: MouseEvent) => {
      if (!swallowsClick.current) return;
      event.preventDefault();
      event.stopPropagation();
    },
  });
  return { board, ghost, drag, getCardProps };
}
