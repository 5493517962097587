import { describe, expect, test } from 'vitest';
import { ADULT } from '../support/adult.ts';
import { getCurrentVersion } from '#contract/legal.ts';
import type { Profile } from '#contract/records/profile.ts';
import type { Privacy, SettingsRecord } from '#contract/records/account.ts';
import { addPhoto, addProfile, connect } from './support/people.ts';
import { newcomersOf } from './support/newcomers.ts';
import { useTestServer, type Person } from './support/test-server.ts';
import { viewerCalls } from './support/viewers.ts';

const SHELL = '<!doctype html><html><head><title>Callboard</title></head><body></body></html>';
const testServer = useTestServer({ appFiles: { 'index.html': SHELL } });
const { addMinor, confirm, decide, register } = newcomersOf(testServer);
const { addPerformer, change, get, getStatus } = viewerCalls(testServer);

const setPrivacy = ({ token }: Person, privacy: Partial<Privacy>) =>
  testServer.call<{ data: SettingsRecord }>('PUT /settings', { token, body: { privacy } });
const agree = ({ token }: Pick<Person, 'token'>, document: string, version = '1') =>
  testServer.call('POST /consents', { token, body: { document, version } });

describe('what people without a connection see', () => {
  test('is nothing of phone, e-mail, day rate and search engines for a new person', async () => {
    const person = await register();
    await confirm(person);
    const { profileId } = await addPerformer(person);
    expect((await get<SettingsRecord>('GET /settings', person)).privacy).toEqual({
      phone: false,
      email: false,
      day_rate: false,
      search_engines: false,
    });
    const [contact] = await get<object[]>(`GET /contact/${profileId}`);
    expect(contact).toMatchObject({ name: 'representative', mobile: null, email: null, address: 'Pune' });
    expect((await get(`GET /profile/details/${profileId}`, await testServer.join())).per_day).toBeNull();
  });

  test('stays as it was for people of before, until they choose', async () => {
    const performer = await addPerformer();
    const [contact] = await get<object[]>(`GET /contact/${performer.profileId}`);
    expect(contact).toMatchObject({ mobile: '+91 98765 43210', email: 'a@b.example' });
    expect((await get(`GET /profile/details/${performer.profileId}`, await testServer.join())).per_day).toBe(18_000);
  });

  test('follows each switch, for everybody but connections, and in the owner’s view as others', async () => {
    const [performer, friend, stranger] = [await addPerformer(), await testServer.join(), await testServer.join()];
    await connect(testServer, friend, performer);
    const { profileId } = performer;
    const { slug } = await get<Profile>(`GET /profile/details/${profileId}`);
    const readAs = async (person?: Person, viewer?: string) => {
      const page = await get<{ profile: Profile; rows: { contact: Record<string, unknown>[] } }>(
        `GET /profiles/page/${slug}/actor-performer`,
        person,
        viewer === undefined ? {} : { 'x-view-as': viewer },
      );
      const agent = page.rows.contact.find((row) => row.contact_type === 'representative');
      return [agent?.mobile != null, agent?.email != null, page.profile.per_day !== null];
    };
    for (const [privacy, forStrangers, forMembers] of [
      [{ phone: true, email: false, day_rate: false }, [true, false, false], [true, false, false]],
      [{ phone: false, email: true }, [false, true, false], [false, true, false]],
      [{ email: false, day_rate: true }, [false, false, false], [false, false, true]],
    ] as const) {
      expect((await setPrivacy(performer, privacy)).status).toBe(200);
      expect([await readAs(), await readAs(stranger)]).toEqual([forStrangers, forMembers]);
      expect([await readAs(performer, 'stranger'), await readAs(performer, 'member')]).toEqual([
        forStrangers,
        forMembers,
      ]);
      expect([await readAs(friend), await readAs(performer), await readAs(performer, 'connection')]).toEqual(
        Array.from({ length: 3 }, () => [true, true, true]),
      );
    }
    const refused = await testServer.call('PUT /settings', {
      token: performer.token,
      body: { privacy: { phone: 'no' } },
    });
    expect([refused.status, refused.body]).toMatchObject([422, { errors: { 'privacy.phone': [expect.any(String)] } }]);
  });

  test('asks search engines not to list a page unless its owner lets them', async () => {
    const performer = await addPerformer();
    const { slug } = await get<Profile>(`GET /profile/details/${performer.profileId}`);
    const open = () =>
      testServer.app.inject({
        method: 'GET',
        url: `/profile/${slug}/actor-performer`,
        headers: { accept: 'text/html' },
      });
    const listed = await open();
    expect([listed.headers['x-robots-tag'], listed.body.includes('name="robots"')]).toEqual([undefined, false]);
    await setPrivacy(performer, { search_engines: false });
    const unlisted = await open();
    expect(unlisted.headers['x-robots-tag']).toBe('noindex');
    expect(unlisted.body).toContain('<meta name="robots" content="noindex" />');
    const photo = await addPhoto(testServer, performer, performer.profileId);
    expect((await testServer.call(`GET ${photo.path}`)).headers['x-robots-tag']).toBe('noindex');
  });

  test('cannot be switched on by a minor', async () => {
    const minor = await addMinor();
    const { profileId } = await addPerformer(minor);
    await decide(minor.guardian, true);
    for (const name of ['phone', 'email', 'day_rate', 'search_engines']) {
      const refused = await setPrivacy(minor, { [name]: true });
      expect([refused.status, refused.body]).toMatchObject([
        422,
        { errors: { [`privacy.${name}`]: [expect.any(String)] } },
      ]);
    }
    const { slug } = await get<Profile>(`GET /profile/details/${profileId}`);
    const url = `/profile/${slug}/actor-performer`;
    const page = await testServer.app.inject({ method: 'GET', url, headers: { accept: 'text/html' } });
    expect(page.headers['x-robots-tag']).toBe('noindex');
  });
});

describe('agreeing to the texts', () => {
  test('is recorded with the version at registration, and shown', async () => {
    const person = await register();
    expect(person.asks).toBe('email');
    await confirm(person);
    expect(await get('GET /user', person)).toMatchObject({ asks: null });
    const list = await get<object[]>('GET /consents', person);
    expect(list).toEqual(
      (['terms', 'privacy'] as const).map((document) => ({
        document,
        version: getCurrentVersion(document).version,
        agreed_at: testServer.clock.now().toISOString(),
      })),
    );
  });

  test('refuses a version that never was', async () => {
    const body = { name: 'Noor', email: 'noor@callboard.example', password: 'the prompter never sleeps' };
    const refused = await testServer.call('POST /register', { body: { ...body, ...ADULT, privacy: '0' } });
    expect([refused.status, refused.body]).toMatchObject([422, { errors: { privacy: [expect.any(String)] } }]);
    const later = await agree(await testServer.join(), 'terms', '99');
    expect([later.status, later.body]).toMatchObject([422, { errors: { version: [expect.any(String)] } }]);
    expect((await agree(await testServer.join(), 'rules')).body).toMatchObject({
      errors: { document: [expect.any(String)] },
    });
  });

  test('is waited for only by a page that becomes public, and never by a save', async () => {
    const person = await testServer.join();
    const before = await addProfile(testServer, person);
    // A new version comes.
    await testServer.database.pool.query('delete from consents where user_id = $1', [person.id]);
    const isShown = async (id: string) => (await getStatus(`GET /profile/details/${id}`)) === 200;
    expect((await change(person, before.id, { title: 'Dancer' })).status).toBe(200);
    expect(await isShown(before.id)).toBe(true);
    const next = await addProfile(testServer, person, 1);
    expect((await change(person, next.id, { title: 'Voice' })).status).toBe(200);
    expect([await isShown(next.id), await isShown(before.id)]).toEqual([false, true]);
    for (const status of ['inactive', 'active']) expect((await change(person, before.id, { status })).status).toBe(200);
    expect(await isShown(before.id)).toBe(false);
    expect((await agree(person, 'terms')).status).toBe(201);
    expect(await isShown(before.id)).toBe(false);
    for (let round = 0; round < 2; round += 1) expect((await agree(person, 'privacy')).status).toBe(201);
    expect([await isShown(next.id), await isShown(before.id)]).toEqual([true, true]);
    expect(await get<object[]>('GET /consents', person)).toHaveLength(2);
  });
});

test('the export has age, switches, agreements and guardian', async () => {
  const { exportAccount } = await import('#server/features/account/export.ts');
  const minor = await addMinor();
  const { database, app } = testServer;
  const { rows } = await database.pool.query<{ id: string }>('select id from sessions where user_id = $1', [minor.id]);
  const caller = { userId: Number(minor.id), sessionId: Number(rows[0]!.id) };
  const files = await exportAccount(database.db, app.deps.storage, caller);
  const file = files.find(({ name }) => name === 'account.json')!;
  const parts: Uint8Array[] = [];
  for await (const part of (await file.open())!) parts.push(part);
  expect(JSON.parse(Buffer.concat(parts).toString())).toMatchObject({
    born_on: expect.stringMatching(/^\d{4}-/),
    settings: { privacy: { phone: false } },
    consents: [{ document: 'terms', version: '1' }, { document: 'privacy' }],
    guardian: { email: minor.guardian.email, state: 'asked' },
  });
});
