import { memo, useState, type CSSProperties, type DragEvent, type ReactNode } from 'react';
import type { MediaItem } from '#db/queries.ts';
import { ShowAllButton } from '#ui/ShowAllButton.tsx';
import { useVirtualGrid } from './use-virtual-grid.ts';

interface MediaPreviewProps {
  items: readonly MediaItem[];
  /** How many stand there at first; all of them where it is left out. */
  previewCount?: number | undefined;
  className?: string;
  rowClass: string;
  /** Of a grid of equal tiles, width by height: lets a long one be drawn only where it is near the screen. */
  ratio?: number;
  /** Puts one in another's place, by drag; its keyboard twin is in the menu of each. */
  onMove?: ((id: string, to: number) => void) | undefined;
  /** @param isPassing it is drawn because the page was scrolled to it */
  children: (item: MediaItem, isPassing: boolean) => ReactNode;
}

/** The first items and a button for the rest. The owner drags them into another order. */
export function MediaPreview({
  items,
  previewCount = Infinity,
  className,
  rowClass,
  ratio,
  onMove,
  children,
}: MediaPreviewProps) {
  const [isOpen, setOpen] = useState(false);
  const [dragged, setDragged] = useState<string | null>(null);
  const [over, setOver] = useState<string | null>(null);
  const end = () => {
    setDragged(null);
    setOver(null);
  };
  /** Only what began in this list may end in it. */
  const dragOf = (id: string, at: number) =>
    onMove && {
      draggable: true,
      onDragStart: (event: DragEvent) => {
        event.dataTransfer.effectAllowed = 'move';
        event.dataTransfer.setData('text/plain', id);
        setDragged(id);
      },
      onDragOver: (event: DragEvent) => {
        if (dragged === null) return;
        event.preventDefault();
        if (over !== id) setOver(id);
      },
      onDrop: (event: DragEvent) => {
        if (dragged === null) return;
        event.preventDefault();
        if (dragged !== id) onMove(dragged, at);
        end();
      },
      onDragEnd: end,
    };
  return (
    <>
      <Rows items={isOpen ? items : items.slice(0, previewCount)} className={className} ratio={ratio} heldId={dragged}>
        {(item, at, placed) => {
          const isTarget = over === item.id && dragged !== item.id;
          const look = dragged === item.id ? 'opacity-50' : isTarget ? 'outline-3 outline-primary' : '';
          return (
            <li className={`${rowClass} ${look}`} {...placed} {...dragOf(item.id, at)}>
              {children(item, placed !== undefined)}
            </li>
          );
        }}
      </Rows>
      {items.length > previewCount && (
        <ShowAllButton className="mt-1" count={items.length} isOpen={isOpen} onToggle={() => setOpen(!isOpen)} />
      )}
    </>
  );
}

/** Where a row stands that is drawn without those before it. */
interface GridPosition {
  style: CSSProperties;
  'aria-posinset': number;
  'aria-setsize': number;
}

type RenderItem = (item: MediaItem, at: number, placed: GridPosition | undefined) => ReactNode;

interface RowsProps {
  items: readonly MediaItem[];
  className: string | undefined;
  ratio: number | undefined;
  /** Stays, however far the page scrolls under it. */
  heldId: string | null;
  children: RenderItem;
}

function Rows({ items, className, ratio, heldId, children }: RowsProps) {
  const { ref, grid, from, to } = useVirtualGrid(items.length, ratio);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const drawn = items
    .map((item, at) => ({ item, at }))
    .filter(({ item: { id }, at }) => (at >= from && at < to) || id === heldId || id === focusedId);
  const style = grid
    ? { gridTemplateRows: `repeat(${Math.ceil(items.length / grid.columns)}, ${grid.rowHeight}px)` }
    : {};
  const handleFocus = ({ target }: { target: Element }) => {
    setFocusedId(target.closest('li')?.querySelector<HTMLElement>('[data-media]')?.dataset['media'] ?? null);
  };
  return (
    <ul
      ref={ref}
      className={className}
      style={style}
      onFocus={grid ? handleFocus : undefined}
      onBlur={grid ? () => setFocusedId(null) : undefined}
    >
      {drawn.map(({ item, at }) => (
        <Row key={item.key} item={item} at={at} of={items.length} columns={grid?.columns ?? null} draw={children} />
      ))}
    </ul>
  );
}

interface RowProps {
  item: MediaItem;
  at: number;
  of: number;
  /** Null where all are drawn and the page places them. */
  columns: number | null;
  draw: RenderItem;
}

/** Drawn anew only with the list as a whole, not when its neighbours come and go. */
const Row = memo(function Row({ item, at, of, columns, draw }: RowProps) {
  if (columns === null) return draw(item, at, undefined);
  const style = { gridRow: Math.floor(at / columns) + 1, gridColumn: (at % columns) + 1 };
  return draw(item, at, { style, 'aria-posinset': at + 1, 'aria-setsize': of });
});
