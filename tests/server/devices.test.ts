import { describe, expect, test } from 'vitest';
import type { SignedIn } from '#contract/records/account.ts';
import type { LostRecord } from '#contract/records/devices.ts';
import { deleteOldDevices } from '#server/features/account/devices.ts';
import { useTestServer, type Person } from './support/test-server.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const PHONE =
  'Mozilla/5.0 (iPhone; CPU iPhone OS 18_0 like Mac OS X) AppleWebKit/605.1.15 Version/18.0 Mobile/15E148 Safari/604.1';
const LAPTOP = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/131.0.0.0 Safari/537.36';
/** As the phone says after a day on set: heard at 9 in the morning, from nine hours before. */
const THREE = 'edit=2,photo=1;since=2026-11-21T00';

const testServer = useTestServer();

interface Device {
  token: string;
  /** What its browser sends back. */
  cookie: string;
}

const toCookie = (headers: Record<string, string | undefined>): string =>
  [headers['set-cookie']]
    .flat()
    .find((each) => each?.startsWith('callboard-device='))
    ?.split(';', 1)[0] ?? '';

async function signIn(
  person: Person,
  agent = PHONE,
  { cookie = '', ...headers }: Record<string, string> = {},
): Promise<Device> {
  const {
    status,
    body,
    headers: answered,
  } = await testServer.call<SignedIn>('POST /login', {
    body: { email: person.email, password: person.password },
    headers: { 'user-agent': agent, cookie, ...headers },
  });
  expect(status).toBe(200);
  return { token: body.token, cookie: toCookie(answered) };
}

const toHeaders = (count: number, detail?: string) => ({
  'x-pending': String(count),
  ...(detail !== undefined && { 'x-pending-detail': detail }),
});
/** The device says what waits there with one of its calls. */
const say = ({ token }: Pick<Device, 'token'>, count: number, detail?: string) =>
  testServer.call('GET /user', { token, headers: toHeaders(count, detail) });
/** The app starts. @param store 'new' if it finds no store */
async function start(
  { token }: Pick<Device, 'token'>,
  { store, count = 0, detail }: { store?: 'new'; count?: number; detail?: string } = {},
) {
  const headers = { ...toHeaders(count, detail), ...(store && { 'x-store': store }) };
  const { status, body } = await testServer.call<LostRecord[]>('GET /devices/lost', { token, headers });
  expect(status).toBe(200);
  return body;
}
const dismiss = ({ token }: Device, id: string) => testServer.call(`POST /devices/${id}/dismiss`, { token });
/** The browser deletes all data of the site but its cookies, and the person signs in again. */
const evictAndSignIn = (person: Person, { cookie }: Device) => signIn(person, PHONE, { cookie });

/** A person with a phone on which three changes wait, and a laptop. */
async function withWaiting() {
  const person = await testServer.join();
  const [phone, laptop] = [await signIn(person), await signIn(person, LAPTOP)];
  await start(phone, { store: 'new' });
  await start(laptop, { store: 'new' });
  // Offline since midnight.
  const { pool } = testServer.database;
  await pool.query(`update devices set heard_at = '2026-11-20T12:00:00Z', created_at = '2026-11-20T12:00:00Z'`);
  await say(phone, 3, THREE);
  return { person, phone, laptop };
}

describe('changes that waited in a store that is gone', () => {
  test('are told on the device and on the person’s others', async () => {
    const { person, phone, laptop } = await withWaiting();
    expect(await start(laptop)).toEqual([]);
    const again = await evictAndSignIn(person, phone);
    const expected = {
      id: expect.any(String) as string,
      name: 'Safari on iPhone',
      current: true,
      kinds: { edit: 2, photo: 1 },
      since: '2026-11-21T00:00:00.000Z',
      heard_at: testServer.clock.now().toISOString(),
      certain: true,
      at_least: false,
    };
    expect(await start(again, { store: 'new' })).toEqual([expected]);
    expect(await start(laptop)).toEqual([{ ...expected, current: false }]);
    // An answer was lost, and the app asks again.
    expect(await start(again, { store: 'new' })).toEqual([expected]);
  });

  test('are told when the app starts without its store and still has its token', async () => {
    const { phone } = await withWaiting();
    expect(await start(phone, { store: 'new', count: 1, detail: 'message=1;since=2026-11-21T09' })).toMatchObject([
      { kinds: { edit: 2, photo: 1 }, current: true },
    ]);
    // What waits in the new store is not lost.
    expect(await start(phone, { store: 'new' })).toMatchObject([{ kinds: { edit: 2, photo: 1, message: 1 } }]);
  });

  test('are not told again once dismissed on any device', async () => {
    const { person, phone, laptop } = await withWaiting();
    const again = await evictAndSignIn(person, phone);
    const [lost] = await start(again, { store: 'new' });
    expect((await dismiss(laptop, lost!.id)).status).toBe(200);
    expect((await dismiss(laptop, lost!.id)).status).toBe(200);
    expect([await start(again), await start(laptop)]).toEqual([[], []]);
  });

  test('are at least that many after a day without a word from the device', async () => {
    const { person, phone } = await withWaiting();
    testServer.clock.advance(DAY_MS);
    const again = await evictAndSignIn(person, phone);
    expect(await start(again, { store: 'new' })).toMatchObject([{ at_least: true }]);
  });

  test('are no longer shown as waiting in the list of devices', async () => {
    const { person, phone, laptop } = await withWaiting();
    await start(await evictAndSignIn(person, phone), { store: 'new' });
    const { body } = await testServer.call<{ pending: number }[]>('GET /sessions', { token: laptop.token });
    expect(body.map(({ pending }) => pending)).toEqual([0, 0, 0, 0]);
  });

  test('are kept for 180 days', async () => {
    const { person, phone, laptop } = await withWaiting();
    await start(await evictAndSignIn(person, phone), { store: 'new' });
    const { db } = testServer.database;
    testServer.clock.advance(80 * DAY_MS);
    await start(laptop);
    testServer.clock.advance(80 * DAY_MS);
    await deleteOldDevices(db, testServer.clock.now());
    expect(await start(laptop)).toHaveLength(1);
    testServer.clock.advance(21 * DAY_MS);
    await deleteOldDevices(db, testServer.clock.now());
    expect(await start(laptop)).toEqual([]);
  });

  test('stand in the export', async () => {
    const { person, phone } = await withWaiting();
    const again = await evictAndSignIn(person, phone);
    await start(again, { store: 'new' });
    const { rows } = await testServer.database.pool.query<{ lost: unknown }>(
      'select lost from devices where lost is not null and user_id = $1',
      [person.id],
    );
    const { text } = await testServer.call('GET /account/export', { token: again.token });
    expect(rows).toHaveLength(1);
    expect(text).toContain('"waiting_on_devices"');
  });
});

describe('nothing counts as lost', () => {
  test('when the device delivered it', async () => {
    const { person, phone } = await withWaiting();
    await say(phone, 0);
    expect(await start(await evictAndSignIn(person, phone), { store: 'new' })).toEqual([]);
  });

  test('when the person discarded it while signing out', async () => {
    const { person, phone } = await withWaiting();
    const { status } = await testServer.call('POST /logout', { token: phone.token, headers: toHeaders(0) });
    expect(status).toBe(200);
    expect(await start(await evictAndSignIn(person, phone), { store: 'new' })).toEqual([]);
  });

  test('when it waits in a store that was kept at sign-out', async () => {
    const { person, phone, laptop } = await withWaiting();
    await testServer.call('POST /logout', { token: phone.token });
    const { db } = testServer.database;
    await deleteOldDevices(db, testServer.clock.now());
    expect(await start(laptop)).toEqual([]);
    const again = await evictAndSignIn(person, phone);
    expect(await start(again, { count: 3, detail: THREE })).toEqual([]);
    await testServer.call('POST /logout', { token: again.token });
    // Gone after all, at the next sign-in.
    expect(await start(await evictAndSignIn(person, again), { store: 'new' })).toMatchObject([{ kinds: { edit: 2 } }]);
  });

  test('when another account begins on the same phone', async () => {
    const { person, phone } = await withWaiting();
    const other = await testServer.join();
    const theirs = await signIn(other, PHONE, { cookie: phone.cookie });
    expect(await start(theirs, { store: 'new' })).toEqual([]);
    // The phone knows both, and each has its own store.
    const again = await evictAndSignIn(person, theirs);
    expect(await start(again, { store: 'new' })).toMatchObject([{ current: true, certain: true }]);
    expect(await start(theirs)).toEqual([]);
  });

  test('when the app is too old to say what waits', async () => {
    const person = await testServer.join();
    const phone = await signIn(person);
    // It never says that its last change has arrived.
    await say(phone, 1);
    expect(await start(await evictAndSignIn(person, phone), { store: 'new' })).toEqual([]);
  });

  test('once the store that was taken for lost speaks again, as after its cookie was copied', async () => {
    const { person, phone, laptop } = await withWaiting();
    const copy = await evictAndSignIn(person, phone);
    expect(await start(copy, { store: 'new' })).toHaveLength(1);
    await say(phone, 3, THREE);
    expect(await start(laptop)).toEqual([]);
  });
});

describe('without the cookie', () => {
  test('a silent device of the same name may have lost what waited there', async () => {
    const { person, laptop } = await withWaiting();
    testServer.clock.advance(HOUR_MS);
    const again = await signIn(person);
    const lost = await start(again, { store: 'new' });
    expect(lost).toMatchObject([
      { name: 'Safari on iPhone', kinds: { edit: 2, photo: 1 }, certain: false, current: false },
    ]);
    expect(await start(laptop)).toEqual(lost);
    await dismiss(again, lost[0]!.id);
    expect(await start(again)).toEqual([]);
  });

  test('a device that speaks again has lost nothing', async () => {
    const { person, phone } = await withWaiting();
    testServer.clock.advance(HOUR_MS);
    const again = await signIn(person);
    expect(await start(again, { store: 'new' })).toHaveLength(1);
    testServer.clock.advance(HOUR_MS);
    await say(phone, 3, THREE);
    expect(await start(again)).toEqual([]);
  });

  test('nothing is said about a device of another name, or before an empty store was found', async () => {
    const { person } = await withWaiting();
    testServer.clock.advance(HOUR_MS);
    expect(await start(await signIn(person, LAPTOP), { store: 'new' })).toEqual([]);
    expect(await start(await signIn(person))).toEqual([]);
  });
});

describe('what a device says', () => {
  const read = async (person: Person) => {
    const { rows } = await testServer.database.pool.query<{
      pending: number;
      kinds: object | null;
      oldest_at: Date | null;
    }>(`select pending, kinds, oldest_at from devices where user_id = $1`, [person.id]);
    return rows[0]!;
  };

  test('is not believed about the future, nor about the time before it last had nothing', async () => {
    const person = await testServer.join();
    const phone = await signIn(person);
    const [thisHour] = testServer.clock.now().toISOString().split(':');
    await say(phone, 1, 'edit=1;since=2031-01-01T00');
    expect((await read(person)).oldest_at?.toISOString()).toContain(thisHour!);
    await say(phone, 0);
    expect(await read(person)).toEqual({ pending: 0, kinds: null, oldest_at: null });
    await say(phone, 1, 'edit=1;since=1999-01-01T00');
    expect((await read(person)).oldest_at?.toISOString()).toContain(thisHour!);
  });

  test.each([
    ['edit=2'],
    ['edit=1;since=2026-11-17T10'],
    ['edit=2;since=2026-11-17T10:30'],
    ['edit=2;since=2026-13-40T99'],
    ['edit=2,edit=0;since=2026-11-17T10'],
    ['edit=1,edit=1;since=2026-11-17T10'],
    ['photo=1,edit=1;since=2026-11-17T10'],
    ['edit=1,__proto__=1;since=2026-11-17T10'],
    ['edit=2;since=2026-11-17T10;title=Paper Boats'],
    ['Paper Boats'],
    [''],
  ])('is ignored with a call, and refused where it is the point, if it is %j', async (detail) => {
    const person = await testServer.join();
    const phone = await signIn(person);
    expect((await say(phone, 2, detail)).status).toBe(200);
    expect(await read(person)).toMatchObject({ pending: 2, kinds: null });
    const headers = toHeaders(2, detail);
    const refused = await testServer.call('POST /devices/pending', { token: phone.token, headers });
    expect([refused.status, Object.keys(refused.body.errors as object)]).toEqual([422, ['X-Pending-Detail']]);
  });

  test('is refused without a number, and with an unknown kind of store', async () => {
    const { token } = await testServer.join();
    for (const [headers, field] of [
      [{}, 'X-Pending'],
      [toHeaders(-1), 'X-Pending'],
      [{ ...toHeaders(0), 'x-store': 'old' }, 'X-Store'],
    ] as const) {
      const { status, body } = await testServer.call('POST /devices/pending', { token, headers });
      expect([status, Object.keys(body.errors as object)]).toEqual([422, [field]]);
    }
  });

  test('is heard without another call, also in a session from before devices were recorded', async () => {
    const person = await testServer.join();
    const call = () => testServer.call('POST /devices/pending', { token: person.token, headers: toHeaders(3, THREE) });
    const [first, second] = [await call(), await call()];
    expect([first.status, second.status, first.text]).toEqual([204, 204, '']);
    expect(toCookie(first.headers)).toContain('callboard-device=');
    expect(second.headers['set-cookie'] ?? '').not.toContain('callboard-device=');
    expect(await read(person)).toMatchObject({ pending: 3, kinds: { edit: 2, photo: 1 } });
  });
});

test('a device belongs to its person alone', async () => {
  const { person, phone } = await withWaiting();
  const again = await evictAndSignIn(person, phone);
  const [lost] = await start(again, { store: 'new' });
  const stranger = await signIn(await testServer.join());
  expect((await dismiss(stranger, lost!.id)).status).toBe(404);
  expect((await dismiss(again, 'not-an-id')).status).toBe(404);
  expect(await start(again)).toHaveLength(1);
});

describe('the place of a device', () => {
  const getPlace = async (headers: Record<string, string>) => {
    const person = await testServer.join();
    const { token } = await signIn(person, PHONE, headers);
    const { body } = await testServer.call<{ place: string | null; current: boolean }[]>('GET /sessions', { token });
    return body.find(({ current }) => current)!.place;
  };

  test.each([
    [{ 'x-time-zone': 'Asia/Kolkata', 'accept-language': 'de' }, 'India'],
    [{ 'x-time-zone': 'Asia/Calcutta' }, 'India'],
    [{ 'x-time-zone': 'UTC', 'accept-language': 'pt-BR,pt;q=0.9' }, 'Brazil'],
    [{ 'x-time-zone': 'Mars/Olympus', 'accept-language': 'hi' }, 'India'],
    [{ 'accept-language': 'en,de;q=0.5' }, null],
    [{ 'accept-language': '*;;;,' }, null],
    [{}, null],
  ])('by its settings %j is %s', async (headers, place) => {
    expect(await getPlace(headers)).toBe(place);
  });
});
