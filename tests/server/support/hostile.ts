import { describe, expect, test } from 'vitest';
import type { Ask, Stage } from './stage.ts';

/** A call that must be refused: what is asked, the status, and a field that must be named; null for none. */
export type HostileCase = readonly [
  name: string,
  ask: () => Ask & { route: string },
  status: number,
  field: string | null,
];

/** Everything in these tables, to see that a refusal left nothing behind. */
async function stored({ database }: Stage, tables: readonly string[]): Promise<string> {
  const rows = tables.map((table) =>
    database.pool.query(`select coalesce(string_agg(t::text, '' order by t::text), '') as all from ${table} t`),
  );
  return JSON.stringify((await Promise.all(rows)).map((each) => each.rows as unknown));
}

/** Declares a test for each case. @param tables where a refusal may leave nothing */
export function testRefusals(
  stage: Stage,
  token: () => string,
  cases: readonly HostileCase[],
  tables: readonly string[],
): void {
  describe.each(cases)('%s', (_, ask, status, named) => {
    test(`answers ${status}${named ? ` naming ${named}` : ''} and stores nothing`, async () => {
      const { route, ...rest } = ask();
      const before = await stored(stage, tables);
      const answer = await stage.call(route, { token: token(), ...rest });
      expect(`${answer.status} ${answer.text}`).toMatch(new RegExp(`^${status} `));
      expect(answer.body).toMatchObject({ message: expect.any(String) });
      if (named) expect(Object.keys(answer.body.errors as object)).toContain(named);
      expect(await stored(stage, tables)).toBe(before);
    });
  });
}
