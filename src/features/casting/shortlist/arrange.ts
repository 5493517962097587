import { planPlace } from '#contract/casting/position.ts';
import type { CardView, ColumnView } from '#db/shortlist.ts';
import type { CandidatePlace } from '#sync/queue/shortlist.ts';

/** Where a card stands, or is to stand: before the card that has this index among the others of the column. */
export interface Spot {
  column: string;
  index: number;
}

/** Where a card stands; null if it is not on the shortlist. */
export function findSpot(columns: readonly ColumnView[], id: string): Spot | null {
  for (const { id: column, cards } of columns) {
    const index = cards.findIndex((card) => card.id === id);
    if (index !== -1) return { column, index };
  }
  return null;
}

/** What has to be stored for a card to stand in a spot: usually a new place of its own. */
export function planMove(columns: readonly ColumnView[], id: string, { column, index }: Spot): CandidatePlace[] {
  const others = columns.find((each) => each.id === column)?.cards.filter((card) => card.id !== id) ?? [];
  return planPlace(others, id, Math.min(index, others.length)).map((place) => ({ ...place, column }));
}

/** What has to be stored for cards to stand at the end of a column, in this order. */
export function planAppend(columns: readonly ColumnView[], ids: readonly string[], column: string): CandidatePlace[] {
  let [shown, places] = [columns, [] as CandidatePlace[]];
  for (const id of ids) {
    const planned = planMove(shown, id, { column, index: Infinity });
    places = [...places.filter((place) => planned.every((each) => each.id !== place.id)), ...planned];
    shown = applyPlaces(shown, planned);
  }
  return places;
}

const byPosition = (a: CardView, b: CardView): number =>
  a.position === b.position ? 0 : a.position < b.position ? -1 : 1;

/** The columns as they will be once these places are stored. */
export function applyPlaces(columns: readonly ColumnView[], places: readonly CandidatePlace[]): ColumnView[] {
  const next = new Map(places.map((place) => [place.id, place]));
  const cards = columns.flatMap((column) =>
    column.cards.map((card) => ({ ...card, column: column.id, ...next.get(card.id) })),
  );
  return columns.map((column) => ({
    ...column,
    cards: cards.filter((card) => card.column === column.id).sort(byPosition),
  }));
}

/** The spot to which an arrow key moves a card; null if it cannot go there. */
export function getNextSpot(columns: readonly ColumnView[], id: string, key: string): Spot | null {
  const spot = findSpot(columns, id);
  const at = columns.findIndex((column) => column.id === spot?.column);
  const column = columns[at];
  if (spot === null || column === undefined) return null;
  const beside = (by: 1 | -1): Spot | null => {
    const next = columns[at + by];
    return next ? { column: next.id, index: Math.min(spot.index, next.cards.length) } : null;
  };
  switch (key) {
    case 'ArrowUp':
      return spot.index > 0 ? { ...spot, index: spot.index - 1 } : null;
    case 'ArrowDown':
      return spot.index < column.cards.length - 1 ? { ...spot, index: spot.index + 1 } : null;
    case 'ArrowLeft':
      return beside(-1);
    case 'ArrowRight':
      return beside(1);
    default:
      return null;
  }
}

/** What screen readers say of a card that was moved: 'Tenzin Dolma, Callback, 2 of 3'. */
export function getSpotText(columns: readonly ColumnView[], id: string): string {
  const spot = findSpot(columns, id);
  const column = columns.find((each) => each.id === spot?.column);
  const card = column?.cards.find((each) => each.id === id);
  if (spot === null || column === undefined || card === undefined) return '';
  return `${card.performer.name}, ${column.name}, ${spot.index + 1} of ${column.cards.length}`;
}
