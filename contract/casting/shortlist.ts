/** The shortlist of a role: its candidates in columns. Only the side that casts ever learns that somebody is on it. */

export const SHORTLIST_LIMITS = {
  columns: 8,
  /** Code points of the name of a column, and characters of its id. */
  columnName: 40,
  columnId: 40,
  candidatesPerRole: 300,
} as const;

/** A column. Cards name it by its id, so that renaming it moves none of them. */
export interface Column {
  id: string;
  name: string;
}

/** What a shortlist begins with. Who was asked shows on the card, so there is no column for that. */
export const DEFAULT_COLUMNS: readonly Column[] = [
  { id: 'ideas', name: 'Ideas' },
  { id: 'to-ask', name: 'To ask' },
  { id: 'callback', name: 'Callback' },
  { id: 'pencil', name: 'Pencil' },
];

/** The columns of a role. A role that an earlier version of the app has stored says nothing of them. */
export const getColumns = ({ columns }: { columns?: readonly Column[] | null | undefined }): readonly Column[] =>
  columns ?? DEFAULT_COLUMNS;

/** A new name for a column, which is added at the end if there is no such column; null removes it. */
export interface ColumnChange {
  id: string;
  name: string | null;
}

const isChange = (value: unknown): value is ColumnChange =>
  typeof value === 'object' &&
  value !== null &&
  'id' in value &&
  typeof value.id === 'string' &&
  'name' in value &&
  (value.name === null || typeof value.name === 'string');

/** The changes that a stored act holds. Another version of the app may have written it. */
export const readColumnChanges = ({ columns }: Readonly<Record<string, unknown>>): ColumnChange[] =>
  Array.isArray(columns) ? columns.filter(isChange) : [];

/** Two lists of changes as one: of each column, the later change counts. */
export const joinColumnChanges = (before: readonly ColumnChange[], later: readonly ColumnChange[]): ColumnChange[] => [
  ...new Map([...before, ...later].map((change) => [change.id, change])).values(),
];

/** Applies changes to columns in their order. What two people change of different columns stays. */
export function changeColumns(before: readonly Column[], changes: readonly ColumnChange[]): Column[] {
  let columns = [...before];
  for (const { id, name } of changes) {
    if (name === null) columns = columns.filter((column) => column.id !== id);
    else if (columns.some((column) => column.id === id))
      columns = columns.map((column) => (column.id === id ? { id, name } : column));
    else columns.push({ id, name });
  }
  return columns;
}

/** The column in which a card stands: its own, or the first one if somebody has removed that. */
export const findColumn = (columns: readonly Column[], id: string): Column | undefined =>
  columns.find((column) => column.id === id) ?? columns[0];
