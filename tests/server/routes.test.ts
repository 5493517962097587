import { beforeAll, describe, expect, test } from 'vitest';
import type { Request, Scene } from './route-row.ts';
import { ROUTES } from './routes.table.ts';
import { makerOf } from './section-routes.table.ts';
import { EVERYTHING, needsOf, sceneMaker, type FullScene } from './support/scenes.ts';
import { useStage } from './support/stage.ts';

const stage = useStage();
const { sectionRowOf, newScene } = sceneMaker(stage);

/** Shared by requests that change nothing: reads and rejected requests. */
let shared: FullScene;
/** The same with an inactive profile. */
let sharedInactive: FullScene;
const deactivate = ({ owner, profileId }: Scene) =>
  stage.call('PUT /profile/update', { token: owner.token, body: { profile_id: profileId, status: 'inactive' } });

beforeAll(async () => {
  [shared, sharedInactive] = await Promise.all([newScene(EVERYTHING), newScene(EVERYTHING)]);
  await deactivate(sharedInactive);
});

const sectionRows = new Map<string, Promise<string>>();
/** Returns the shared fixture with a row of the section that the route is about. */
async function sharedScene(route: string, scene = shared): Promise<FullScene> {
  const key = `${scene.profileId} ${makerOf(route)?.path ?? ''}`;
  const row = sectionRows.get(key) ?? sectionRowOf(route, scene.owner, scene.profileId);
  sectionRows.set(key, row);
  return { ...scene, sectionRowId: await row };
}

/** Returns 'METHOD /path' of every route, parsed from the printed tree of the router. */
function servedRoutes(): string[] {
  const served: string[] = [];
  const prefixes: string[] = [];
  for (const line of stage.app.printRoutes({ commonPrefix: false }).split('\n')) {
    const node = /^([│├└─\s]*)(\S+?)(?: \(([A-Z, ]+)\))?$/.exec(line);
    if (node === null) continue;
    const [, indent = '', part = '', methods = ''] = node;
    const depth = indent.length / 4;
    prefixes.length = depth;
    prefixes.push(part);
    for (const method of methods.split(', ').filter((name) => name !== '' && name !== 'HEAD')) {
      served.push(`${method} ${prefixes.slice(1).join('')}`);
    }
  }
  return served.filter((route) => !route.startsWith('OPTIONS '));
}

const send = (route: string, { path, ...ask }: Request, token: string | null) =>
  stage.call(`${route.split(' ', 1)[0]} ${path}`, { ...ask, token });

test('lists every served route in the table and no other', () => {
  const served = servedRoutes();
  expect(served.length).toBeGreaterThan(20);
  // The router prints two parameter names of one position as ':profileId|:id'.
  const normalize = (routes: readonly string[]) => routes.map((route) => route.replace(/:[^/]+/g, ':x')).sort();
  expect(normalize(Object.keys(ROUTES))).toEqual(normalize(served));
});

describe.each(Object.entries(ROUTES))('%s', (route, row) => {
  const onlyReads = route.startsWith('GET ');

  test(`answers ${row.anonymous} to an anonymous caller, ${row.stranger} to a stranger, ${row.owner} to the owner`, async () => {
    const scene = onlyReads ? await sharedScene(route) : await newScene(needsOf(route));
    const statuses = {
      anonymous: (await send(route, row.good(scene), null)).status,
      stranger: (await send(route, row.good(scene), scene.stranger.token)).status,
      connection: (await send(route, row.good(scene), scene.friend.token)).status,
      blocked: (await send(route, row.good(scene), scene.blocked.token)).status,
      owner: (await send(route, row.good(scene), scene.owner.token)).status,
    };
    expect(statuses).toEqual({
      anonymous: row.anonymous,
      stranger: row.stranger,
      connection: row.connection ?? row.stranger,
      blocked: row.blocked ?? row.strangerToInactive ?? row.stranger,
      owner: row.owner,
    });
  });

  if (row.strangerToInactive !== null) {
    test(`answers ${row.strangerToInactive} to a stranger when the profile is inactive`, async () => {
      const scene = onlyReads ? await sharedScene(route, sharedInactive) : await newScene(needsOf(route));
      if (!onlyReads) await deactivate(scene);
      expect((await send(route, row.good(scene), scene.stranger.token)).status).toBe(row.strangerToInactive);
      expect((await send(route, row.good(scene), scene.owner.token)).status).toBe(row.owner);
    });
  }

  const { unknown, invalid } = row;
  if (unknown) {
    test('answers 404 for an unknown id', async () => {
      const scene = await sharedScene(route);
      const answer = await send(route, unknown(scene), scene.owner.token);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ message: expect.any(String) });
    });
  }

  if (invalid) {
    test(`answers 422 with errors for ${invalid.fields.join(', ')}`, async () => {
      const scene = await sharedScene(route);
      const answer = await send(route, invalid.request(scene), scene.owner.token);
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.body.errors as object).sort()).toEqual([...invalid.fields].sort());
    });
  }

  if (row.anonymous === 401) {
    test('answers 401 to an invalid token', async () => {
      const scene = await sharedScene(route);
      const answer = await send(route, row.good(scene), 'x'.repeat(43));
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ message: expect.any(String) });
    });
  }
});
