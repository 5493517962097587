import { type Bug, swap } from './active.ts';
import { withChangedTable } from './wire.ts';

/** Bugs in concurrent pulls. */
export const PULL_BUGS: readonly Bug[] = [
  {
    name: 'each tab uses the cursor that it remembers',
    swaps: [
      swap('src/sync/pull/pull.ts', 'pullChanges', (real) => (db, ...rest) => {
        let known: { row: Awaited<ReturnType<typeof db.cursors.get>> } | null = null;
        const own = withChangedTable(db, 'cursors', (table) => ({
          get: async () => (known ??= { row: await table.get('sync') }).row,
          put(row: { resource: string; value: string }) {
            known = { row };
            return table.put(row);
          },
        }));
        return real(own, ...rest);
      }),
    ],
  },
  {
    name: 'an older copy replaces a newer one',
    swaps: [
      swap('src/sync/pull/apply.ts', 'applyRecord', () => async (db, record) => {
        await db.records.put(record);
      }),
    ],
  },
];
