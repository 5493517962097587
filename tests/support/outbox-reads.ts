import type { DBCore, Dexie } from 'dexie';

/** Counts the outbox rows read from IndexedDB, by any reader. */
export class OutboxReads {
  #rows = 0;

  /** Counts below Dexie, so that rows skipped by filters are counted too. */
  watch(db: Dexie): void {
    db.use({
      stack: 'dbcore',
      name: 'reads',
      create: (core): DBCore => ({
        ...core,
        table: (name) => {
          const table = core.table(name);
          if (name !== 'outbox') return table;
          return {
            ...table,
            get: (request) => table.get(request).then((row: unknown) => ((this.#rows += 1), row)),
            getMany: (request) => table.getMany(request).then((rows) => ((this.#rows += rows.length), rows)),
            query: (request) => table.query(request).then((answer) => ((this.#rows += answer.result.length), answer)),
            openCursor: async (request) => {
              const cursor = await table.openCursor(request);
              if (cursor === null) return null;
              const start = cursor.start.bind(cursor);
              return Object.create(cursor, {
                start: {
                  value: (onNext: () => void) =>
                    start(() => {
                      this.#rows += 1;
                      onNext();
                    }),
                },
              }) as typeof cursor;
            },
          };
        },
      }),
    });
  }

  async of(work: () => Promise<unknown>): Promise<number> {
    this.#rows = 0;
    await work();
    return this.#rows;
  }
}
