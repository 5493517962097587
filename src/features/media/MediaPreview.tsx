import { memo, useState, type CSSProperties, type DragEvent, type ReactNode } from 'react';
import type { MediaItem } from '#db/queries.ts';
import { ShowAllButton } from '#ui/ShowAllButton.tsx';
import { useVirtualGrid } from './use-virtual-grid.ts';

interface MediaPreviewProps {
  items: readonly MediaItem[];
  /** Number of items shown at first; all by default. */
  previewCount?: number | undefined;
  className?: string;
  rowClass: string;
  /**
   * Width divided by height of the tiles, if all are equal. With it, a long grid renders only tiles near the screen.
   */
  ratio?: number;
  /** Moves an item to another position, by drag and drop. Each item's menu offers the same for the keyboard. */
  onMove?: ((id: string, to: number) => void) | undefined;
  /** @param isPassing whether it is rendered because the page was scrolled to it */
  children: (item: MediaItem, isPassing: boolean) => ReactNode;
}

/** The first items of a list and a button that shows the rest. The owner can reorder them by dragging. */
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
  /** Drag-and-drop handlers of an item. They accept only items of this list. */
  const getDragProps = (id: string, at: number) =>
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
        {(item, at, position) => {
          const isTarget = over === item.id && dragged !== item.id;
          const look = dragged === item.id ? 'opacity-50' : isTarget ? 'outline-3 outline-primary' : '';
          return (
            <li className={`${rowClass} ${look}`} {...position} {...getDragProps(item.id, at)}>
              {children(item, position !== undefined)}
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

/** Grid position of an item that is rendered without those before it. */
interface GridPosition {
  style: CSSProperties;
  'aria-posinset': number;
  'aria-setsize': number;
}

type RenderItem = (item: MediaItem, at: number, position: GridPosition | undefined) => ReactNode;

interface RowsProps {
  items: readonly MediaItem[];
  className: string | undefined;
  ratio: number | undefined;
  /** The dragged item. It stays rendered even if the page scrolls away from it. */
  heldId: string | null;
  children: RenderItem;
}

function Rows({ items, className, ratio, heldId, children }: RowsProps) {
  const { ref, grid, from, to } = useVirtualGrid(items.length, ratio);
  const [focusedId, setFocusedId] = useState<string | null>(null);
  const rendered = items
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
      {rendered.map(({ item, at }) => (
        <Row key={item.key} item={item} at={at} of={items.length} columns={grid?.columns ?? null} render={children} />
      ))}
    </ul>
  );
}

interface RowProps {
  item: MediaItem;
  at: number;
  of: number;
  /** Null if all items are rendered and the browser places them. */
  columns: number | null;
  render: RenderItem;
}

/** Memoized, so that an item does not re-render when its neighbors appear or disappear. */
const Row = memo(function Row({ item, at, of, columns, render }: RowProps) {
  if (columns === null) return render(item, at, undefined);
  const style = { gridRow: Math.floor(at / columns) + 1, gridColumn: (at % columns) + 1 };
  return render(item, at, { style, 'aria-posinset': at + 1, 'aria-setsize': of });
});
