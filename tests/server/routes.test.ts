import { beforeAll, describe, expect, test } from 'vitest';
import { BOUNCE_SECRET } from './mail-routes.table.ts';
import type { Request, RouteFixture } from './route-row.ts';
import { ROUTES } from './routes.table.ts';
import { getCreateCall } from './section-routes.table.ts';
import { deskCalls } from './support/desk.ts';
import { EVERYTHING, getNeeds, createFixtureFactory, type FullRouteFixture } from './support/route-fixtures.ts';
import { useTestServer } from './support/test-server.ts';

const testServer = useTestServer({ env: { MAIL_WEBHOOK_SECRET: BOUNCE_SECRET } });
const { addSectionRow, createFixture, makeOwnerMinor } = createFixtureFactory(testServer);

/** Shared by requests that change nothing: reads and rejected requests. */
let shared: FullRouteFixture;
/** The same with an inactive profile. */
let sharedInactive: FullRouteFixture;
/** The same with an owner who is a minor. */
let sharedMinor: FullRouteFixture;
/** The same with a suspended owner. */
let sharedSuspended: FullRouteFixture;
const { act } = deskCalls(testServer);
const suspendOwner = ({ operator, owner }: FullRouteFixture) => act(operator, 'suspend', 'user', owner.id);
const deactivate = ({ owner, profileId }: RouteFixture) =>
  testServer.call('PUT /profile/update', { token: owner.token, body: { profile_id: profileId, status: 'inactive' } });

beforeAll(async () => {
  const make = () => createFixture(EVERYTHING);
  [shared, sharedInactive, sharedMinor, sharedSuspended] = await Promise.all([make(), make(), make(), make()]);
  await Promise.all([deactivate(sharedInactive), makeOwnerMinor(sharedMinor)]);
  await suspendOwner(sharedSuspended);
});

const sectionRows = new Map<string, Promise<string>>();
/** Returns the shared fixture with a row of the section that the route is about. */
async function getSharedFixture(route: string, fixture = shared): Promise<FullRouteFixture> {
  const key = `${fixture.profileId} ${getCreateCall(route)?.path ?? ''}`;
  const row = sectionRows.get(key) ?? addSectionRow(route, fixture.owner, fixture.profileId);
  sectionRows.set(key, row);
  return { ...fixture, sectionRowId: await row };
}

/** Returns 'METHOD /path' of every route, parsed from the printed tree of the router. */
function servedRoutes(): string[] {
  const served: string[] = [];
  const prefixes: string[] = [];
  for (const line of testServer.app.printRoutes({ commonPrefix: false }).split('\n')) {
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
  testServer.call(`${route.split(' ', 1)[0]} ${path}`, { ...ask, token });

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
    const fixture = onlyReads ? await getSharedFixture(route) : await createFixture(getNeeds(route));
    const statuses = {
      anonymous: (await send(route, row.good(fixture), null)).status,
      stranger: (await send(route, row.good(fixture), fixture.stranger.token)).status,
      connection: (await send(route, row.good(fixture), fixture.friend.token)).status,
      blocked: (await send(route, row.good(fixture), fixture.blocked.token)).status,
      minor: (await send(route, row.good(fixture), fixture.minor.token)).status,
      operator: (await send(route, row.good(fixture), fixture.operator.token)).status,
      owner: (await send(route, row.good(fixture), fixture.owner.token)).status,
    };
    expect(statuses).toEqual({
      anonymous: row.anonymous,
      stranger: row.stranger,
      connection: row.connection ?? row.stranger,
      blocked: row.blocked ?? row.strangerToInactive ?? row.stranger,
      minor: row.minor ?? row.stranger,
      operator: row.operator ?? row.stranger,
      owner: row.owner,
    });
  });

  const suspended = row.suspended ?? (!onlyReads && row.anonymous === 401 ? 403 : row.owner);
  test(`answers ${suspended} to the owner while they are suspended`, async () => {
    const isShared = onlyReads || suspended === 403;
    const fixture = isShared ? sharedSuspended : await createFixture(getNeeds(route));
    if (!isShared) await suspendOwner(fixture);
    const answer = await send(route, row.good(fixture), fixture.owner.token);
    expect(answer.status).toBe(suspended);
    if (suspended === 403 && row.suspended === undefined)
      expect(answer.body).toMatchObject({ reason: 'suspended', until: null });
  });

  if (row.strangerToInactive !== null) {
    test(`answers ${row.strangerToInactive} to a stranger when the profile is inactive`, async () => {
      const fixture = onlyReads ? await getSharedFixture(route, sharedInactive) : await createFixture(getNeeds(route));
      if (!onlyReads) await deactivate(fixture);
      expect((await send(route, row.good(fixture), fixture.stranger.token)).status).toBe(row.strangerToInactive);
      expect((await send(route, row.good(fixture), fixture.owner.token)).status).toBe(row.owner);
    });
  }

  if (row.strangerToInactive !== null) {
    const toMinor = row.toMinor ?? row.stranger;
    test(`answers ${toMinor} to a stranger when the owner is a minor`, async () => {
      const changesNothing = onlyReads || toMinor >= 400;
      const fixture = changesNothing
        ? await getSharedFixture(route, sharedMinor)
        : await createFixture(getNeeds(route));
      if (!changesNothing) await makeOwnerMinor(fixture);
      expect((await send(route, row.good(fixture), fixture.stranger.token)).status).toBe(toMinor);
    });
  }

  const { unknown, invalid } = row;
  if (unknown) {
    test('answers 404 for an unknown id', async () => {
      const fixture = await getSharedFixture(route);
      const answer = await send(route, unknown(fixture), fixture.owner.token);
      expect(answer.status).toBe(404);
      expect(answer.body).toEqual({ message: expect.any(String) });
    });
  }

  if (invalid) {
    test(`answers 422 with errors for ${invalid.fields.join(', ')}`, async () => {
      const fixture = await getSharedFixture(route);
      const answer = await send(route, invalid.request(fixture), fixture.owner.token);
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.body.errors as object).sort()).toEqual([...invalid.fields].sort());
    });
  }

  if (row.anonymous === 401) {
    test('answers 401 to an invalid token', async () => {
      const fixture = await getSharedFixture(route);
      const answer = await send(route, row.good(fixture), 'x'.repeat(43));
      expect(answer.status).toBe(401);
      expect(answer.body).toEqual({ message: expect.any(String) });
    });
  }
});
