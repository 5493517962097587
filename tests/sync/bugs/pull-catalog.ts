import { type Bug, swap } from './active.ts';

/** Bugs of two pulls that come between each other. */
export const PULL_BUGS: readonly Bug[] = [
  {
    name: 'each tab goes by the cursor that it remembers',
    swaps: [
      swap('src/sync/pull.ts', 'pull', (real) => (db, ...rest) => {
        let known: { row: Awaited<ReturnType<typeof db.cursors.get>> } | null = null;
        const cursors = new Proxy(db.cursors, {
          get(table, name) {
            if (name === 'get') return async () => (known ??= { row: await table.get('sync') }).row;
            if (name === 'put')
              return (row: { resource: string; value: string }) => {
                known = { row };
                return table.put(row);
              };
            return Reflect.get(table, name) as unknown;
          },
        });
        const own = new Proxy(db, {
          get: (target, name) => (name === 'cursors' ? cursors : (Reflect.get(target, name) as unknown)),
        });
        return real(own, ...rest);
      }),
    ],
  },
  {
    name: 'an older copy takes the place of a newer one',
    swaps: [
      swap('src/sync/mirror.ts', 'putNewer', () => async (db, record) => {
        await db.records.put(record);
      }),
    ],
  },
];
