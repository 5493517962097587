import { expect, test } from 'vitest';
import { castingCalls } from './support/casting.ts';
import { useTestServer } from './support/test-server.ts';

const testServer = useTestServer();
const { addPerformer, addProject, addRole, ask, cast } = castingCalls(testServer);

/** So many that two random orders of them are hardly ever the same. */
const PERFORMERS = 9;

test('those who wait hear in no order when a role is cast, so that no order tells who was considered how', async () => {
  const performers = await Promise.all(Array.from({ length: PERFORMERS }, () => addPerformer()));
  /** Asks all of them in the same order, casts the second, and returns the order in which they were told. */
  async function castOne(): Promise<string[]> {
    const owner = await testServer.join('Tideline Casting');
    const role = await addRole(owner, await addProject(owner));
    const ids: string[] = [];
    for (const performer of performers) ids.push((await ask(owner, role, performer)).id);
    const done = await cast(owner, role.id, { request_ids: [ids[1]] });
    // The owner, who knows them all, reads them in the order of asking.
    expect(done.body.requests.map(({ id }) => id)).toEqual(ids);
    const { rows } = await testServer.database.pool.query<{ user_id: string }>(
      "select user_id from notifications where type = 'audition.answered' and actor_id = $1 order by id",
      [owner.id],
    );
    return rows.map((row) => String(row.user_id));
  }
  const [first, second] = [await castOne(), await castOne()];
  expect(first.toSorted()).toEqual(performers.map(({ id }) => String(id)).toSorted());
  expect(second).not.toEqual(first);
});
