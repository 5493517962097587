import { useLayoutEffect, useRef, useState } from 'react';
import type { CardView, ShortlistView } from '#db/shortlist.ts';
import { useAccount } from '#session/session.tsx';
import { toastOnError } from '#shared/error-text.ts';
import type { CandidatePlace } from '#sync/queue/shortlist.ts';
import { announce } from '#ui/announce.tsx';
import { Avatar } from '#ui/Avatar.tsx';
import { applyPlaces, findSpot, getNextSpot, getSpotText, planMove, type Spot } from './arrange.ts';
import { CandidateItem, type CandidateActs } from './CandidateItem.tsx';
import { AddColumn, ColumnHead } from './Columns.tsx';
import { useCardDrag } from './use-card-drag.ts';

const HANDLE = '[data-handle] button';

interface BoardProps extends Pick<CandidateActs, 'onAsk' | 'onRemove' | 'onPutBack'> {
  view: ShortlistView;
  /** Whether the person may move cards. Those who may only watch cannot. */
  canChange: boolean;
  canAsk: boolean;
  /** The ids of the chosen cards; null while nothing can be chosen. */
  chosen: ReadonlySet<string> | null;
  onChoose: (id: string, isChosen: boolean) => void;
}

/** The columns of a shortlist. On a phone they lie side by side and snap. */
export function Board({ view, canChange, canAsk, chosen, onChoose, ...acts }: BoardProps) {
  const { engine } = useAccount();
  /** What was moved and is not part of the view yet, so that no card jumps back for a moment. */
  const [moved, setMoved] = useState<{ view: ShortlistView; places: CandidatePlace[] } | null>(null);
  const places = moved?.view === view ? moved.places : [];
  const columns = applyPlaces(view.columns, places);
  /** The card whose handle gets the focus again: in another column, it is another element. */
  const focused = useRef<string | null>(null);

  const move = (id: string, spot: Spot) => {
    const planned = planMove(columns, id, spot);
    const isSame = planned.every((place) => {
      const now = columns.find((column) => column.id === place.column)?.cards.find((card) => card.id === place.id);
      return now?.position === place.position;
    });
    if (isSame) return;
    const next = [...places.filter((place) => planned.every((each) => each.id !== place.id)), ...planned];
    setMoved({ view, places: next });
    announce(getSpotText(applyPlaces(view.columns, next), id));
    void toastOnError(
      engine.moveCandidates(planned).catch((error: unknown) => {
        setMoved(null);
        throw error;
      }),
    );
  };
  const { board, ghost, drag, getCardProps } = useCardDrag((id, spot) => {
    const now = findSpot(columns, id);
    if (now?.column !== spot.column || now.index !== spot.index) move(id, spot);
  });
  useLayoutEffect(() => {
    const id = focused.current;
    if (id === null) return;
    const handle = board.current?.querySelector<HTMLElement>(`[data-card="${CSS.escape(id)}"] ${HANDLE}`);
    if (handle && handle !== document.activeElement) handle.focus();
    handle?.closest('[data-column]')?.scrollIntoView({ block: 'nearest', inline: 'nearest' });
    focused.current = null;
  });

  const handleMove = (card: CardView, spot: Spot) => {
    focused.current = card.id;
    move(card.id, spot);
  };
  const handleKey = (card: CardView, key: string): boolean => {
    const spot = getNextSpot(columns, card.id, key);
    if (spot) handleMove(card, spot);
    // At an end, an arrow key still must not scroll the page.
    return key.startsWith('Arrow');
  };
  const dragged = drag && columns.flatMap(({ cards }) => cards).find(({ id }) => id === drag.id);
  return (
    <>
      <div
        ref={board}
        role="group"
        aria-label="Columns"
        className={`-mx-3 flex scroll-px-3 items-start gap-4 overflow-x-auto px-3 pb-4 md:-mx-6 md:scroll-px-6 md:px-6 ${drag ? '' : 'snap-x snap-mandatory md:snap-none'}`}
      >
        {columns.map((column) => {
          const others = column.cards.filter(({ id }) => id !== drag?.id);
          const line = drag?.spot?.column === column.id ? others[drag.spot.index] : undefined;
          const isAtEnd = drag?.spot?.column === column.id && line === undefined;
          return (
            <section
              key={column.id}
              data-column={column.id}
              aria-label={column.name}
              className="w-[min(82vw,20rem)] shrink-0 snap-start lg:w-auto lg:min-w-56 lg:shrink lg:grow lg:basis-0"
            >
              <ColumnHead column={column} columns={columns} view={view} canChange={canChange} />
              <ul className="space-y-2">
                {column.cards.map((card, index) => (
                  <CandidateItem
                    key={card.key}
                    card={card}
                    columns={columns}
                    spot={{ column: column.id, index }}
                    canChange={canChange}
                    canAsk={canAsk}
                    isDragged={card.id === drag?.id}
                    isBefore={card === line}
                    isChosen={chosen && chosen.has(card.id)}
                    onChoose={(isChosen) => onChoose(card.id, isChosen)}
                    dragProps={canChange ? getCardProps(card.id) : {}}
                    onMove={handleMove}
                    onKey={handleKey}
                    {...acts}
                  />
                ))}
              </ul>
              <div className={`mt-2 h-1 rounded-full ${isAtEnd ? 'bg-accent' : ''}`} />
              {column.cards.length === 0 && (
                <p className="rounded-box border border-dashed border-field px-4 py-5 text-center text-sm text-muted">
                  Nobody here
                </p>
              )}
            </section>
          );
        })}
        {canChange && <AddColumn view={view} columns={columns} />}
      </div>
      {dragged && (
        <div
          ref={ghost}
          aria-hidden
          className="notice pointer-events-none fixed top-0 left-0 z-50 -mt-7 -ml-6 flex max-w-64 items-center gap-2.5 p-2.5"
        >
          <Avatar name={dragged.performer.name} src={dragged.performer.profile_photo} size="size-10" decorative />
          <b className="truncate font-semibold">{dragged.performer.name}</b>
        </div>
      )}
    </>
  );
}
