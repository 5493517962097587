import { describe, expect, test } from 'vitest';
import type { RequestOptions, TestServer } from './test-server.ts';

/** A call that must be rejected: the request, the status and the field in the error, or null for no field. */
export type HostileCase = readonly [
  name: string,
  ask: () => RequestOptions & { route: string },
  status: number,
  field: string | null,
];

/** Reads everything in these tables, to check that a rejected request stores nothing. */
async function readTables({ database }: TestServer, tables: readonly string[]): Promise<string> {
  const rows = tables.map((table) =>
    database.pool.query(`select coalesce(string_agg(t::text, '' order by t::text), '') as all from ${table} t`),
  );
  return JSON.stringify((await Promise.all(rows)).map((each) => each.rows as unknown));
}

/** Declares a test for each case. @param tables that a rejected request must not change */
export function testRejections(
  testServer: TestServer,
  token: () => string,
  cases: readonly HostileCase[],
  tables: readonly string[],
): void {
  describe.each(cases)('%s', (_, ask, status, named) => {
    test(`answers ${status}${named ? ` for ${named}` : ''} and stores nothing`, async () => {
      const { route, ...rest } = ask();
      const before = await readTables(testServer, tables);
      const answer = await testServer.call(route, { token: token(), ...rest });
      expect(`${answer.status} ${answer.text}`).toMatch(new RegExp(`^${status} `));
      expect(answer.body).toMatchObject({ message: expect.any(String) });
      if (named) expect(Object.keys(answer.body.errors as object)).toContain(named);
      expect(await readTables(testServer, tables)).toBe(before);
    });
  });
}
