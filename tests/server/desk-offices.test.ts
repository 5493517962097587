import { expect, test } from 'vitest';
import type { DeskOfficeList, DeskPersonDetail, DeskReportList } from '#contract/records/desk.ts';
import type { ProfilePage } from '#contract/records/page.ts';
import { deskCalls } from './support/desk.ts';
import { addProfile } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';

const testServer = useTestServer();
const { joinDesk, act, ask, undo } = deskCalls(testServer);

const get = async <T>(request: string, person: Person) =>
  (await testServer.call<T>(request, { token: person.token })).body;
const readPerson = (worker: Person, { id }: Person) => get<DeskPersonDetail>(`GET /desk/people/${id}`, worker);
const readBadge = async (worker: Person, person: Person) => {
  const { slug, profile_type_slug } = (await readPerson(worker, person)).person;
  const page = await testServer.call<ProfilePage>(`GET /profiles/page/${slug}/${profile_type_slug}`);
  return page.body.profile.verified;
};
const verify = (worker: Person, { id }: Person, name: string) =>
  act(worker, 'office.verify', 'user', id, { name, domain: 'gulmohar.example' });

test('gives an office its badge and takes it back, each undone in the log', async () => {
  const ishaan = await joinDesk('operator');
  const farah = await testServer.join('Farah Irani');
  await addProfile(testServer, farah);
  const verified = await verify(ishaan, farah, 'Gulmohar Pictures');
  const since = testServer.clock.now().toISOString();
  expect(await readBadge(ishaan, farah)).toEqual({ name: 'Gulmohar Pictures', since });
  const { person, log } = await readPerson(ishaan, farah);
  expect(person.office).toMatchObject({ name: 'Gulmohar Pictures', domain: 'gulmohar.example', since });
  expect(log.map((entry) => entry.act)).toContain('office.verify');

  const revoked = await act(ishaan, 'office.revoke', 'office', person.office!.id);
  expect(revoked.target_user_id).toBe(farah.id);
  expect(await readBadge(ishaan, farah)).toBeNull();
  expect((await undo(ishaan, revoked)).status).toBe(201);
  expect(await readBadge(ishaan, farah)).toEqual({ name: 'Gulmohar Pictures', since });
  expect((await undo(ishaan, verified)).status).toBe(201);
  expect(await readBadge(ishaan, farah)).toBeNull();
  expect((await readPerson(ishaan, farah)).person.office).toBeNull();
});

test('names the field of an office that cannot be verified', async () => {
  const ishaan = await joinDesk('operator');
  const [farah, rege] = [await testServer.join(), await testServer.join()];
  const fields = async ({ id }: { id: string }, more: object) =>
    Object.keys((await ask(ishaan, 'office.verify', 'user', id, more)).body.errors ?? {});
  expect(await fields(farah, {})).toEqual(['name']);
  expect(await fields(farah, { name: '…' })).toEqual(['name']);
  expect(await fields(farah, { name: 'a\0b' })).toEqual(['name']);
  expect(await fields(farah, { name: 'Neelam Arts', domain: 'https://neelam.example/' })).toEqual(['domain']);
  await verify(ishaan, farah, 'Neelam Arts Casting');
  expect(await fields(farah, { name: 'Another Office' })).toEqual(['target_id']);
  expect(await fields(rege, { name: 'Nee1am Arts Casting' })).toEqual(['name']);
  expect((await ask(ishaan, 'office.verify', 'user', '999999', { name: 'Nobody Films' })).status).toBe(404);
  expect((await ask(ishaan, 'office.verify', 'user', ishaan.id, { name: 'My Own Films' })).status).toBe(422);
  expect((await ask(ishaan, 'office.revoke', 'office', '999999')).status).toBe(404);
});

test('refuses to undo a revocation when somebody else has the name by now', async () => {
  const ishaan = await joinDesk('operator');
  const [first, second] = [await testServer.join(), await testServer.join()];
  await verify(ishaan, first, 'Suhani Raat Films');
  const { office } = (await readPerson(ishaan, first)).person;
  const revoked = await act(ishaan, 'office.revoke', 'office', office!.id);
  expect((await ask(ishaan, 'office.revoke', 'office', office!.id)).status).toBe(409);
  await verify(ishaan, second, 'Suhani Raat Films');
  expect((await undo(ishaan, revoked)).status).toBe(409);
  expect((await readPerson(ishaan, first)).person.office).toBeNull();
});

test('leaves offices to operators who have just proved who they are', async () => {
  const [noor, ishaan] = [await joinDesk('moderator'), await joinDesk('operator')];
  const { id } = await testServer.join();
  expect((await ask(noor, 'office.verify', 'user', id, { name: 'Kala Ghoda Films' })).status).toBe(403);
  expect((await testServer.call('GET /desk/offices', { token: noor.token })).status).toBe(404);
  testServer.clock.advance(6 * 60_000);
  const late = await ask(ishaan, 'office.verify', 'user', id, { name: 'Kala Ghoda Films' });
  expect([late.status, late.body]).toEqual([403, expect.objectContaining({ reason: 'reauth' })]);
});

test('flags a person whose name or stage name looks like that of an office', async () => {
  const ishaan = await joinDesk('operator');
  const [office, older, performer] = [
    await testServer.join('Palash Sen'),
    await testServer.join('Palash Studios'),
    await testServer.join('Ravi'),
  ];
  await addProfile(testServer, performer, 0, 'Pa1ash Studio');
  await verify(ishaan, office, 'Palash Studios');
  for (const each of [older, performer]) {
    expect((await readPerson(ishaan, each)).person.looks_like).toEqual(['Palash Studios']);
    await testServer.call('POST /reports', { token: office.token, body: { user_id: each.id, reason: 'fake' } });
  }
  expect((await readPerson(ishaan, office)).person.looks_like).toEqual([]);
  await testServer.call('POST /reports', { token: older.token, body: { user_id: office.id, reason: 'fake' } });
  const { data } = await get<DeskReportList>('GET /desk/reports?limit=100', ishaan);
  const flags = new Map(data.map(({ person, is_lookalike }) => [person.id, is_lookalike]));
  expect([older, performer, office].map(({ id }) => flags.get(id))).toEqual([true, true, false]);
});

test('lists the offices page by page, newest first, also one whose account was deleted', async () => {
  const ishaan = await joinDesk('operator');
  const gone = await testServer.join();
  await verify(ishaan, gone, 'Lantern Street Films');
  await testServer.call('DELETE /account', { token: gone.token, body: { password: gone.password } });
  const kept = await testServer.join('Meher Baig');
  await verify(ishaan, kept, 'Banyan Tree Casting');
  const first = await get<DeskOfficeList>('GET /desk/offices?limit=1', ishaan);
  expect(first.data).toEqual([
    expect.objectContaining({ name: 'Banyan Tree Casting', person: { id: kept.id, name: 'Meher Baig' } }),
  ]);
  const second = await get<DeskOfficeList>(`GET /desk/offices?limit=1&cursor=${first.next_cursor}`, ishaan);
  expect(second.data).toEqual([expect.objectContaining({ name: 'Lantern Street Films', person: null })]);
  await act(ishaan, 'office.revoke', 'office', second.data[0]!.id);
});

test('finds a person by the address for an operator, and logs the look', async () => {
  const [noor, ishaan] = [await joinDesk('moderator'), await joinDesk('operator')];
  const vik = await testServer.join('Vik Anand');
  const find = (worker: Person, email: string) =>
    testServer.call<{ id: string; errors?: object }>('POST /desk/people/find', {
      token: worker.token,
      body: { email },
    });
  expect((await find(noor, vik.email)).status).toBe(404);
  const found = await find(ishaan, ` ${vik.email.toUpperCase()} `);
  expect([found.status, found.body]).toEqual([200, { id: vik.id }]);
  const unknown = await find(ishaan, 'nobody@callboard.example');
  expect([unknown.status, Object.keys(unknown.body.errors ?? {})]).toEqual([422, ['email']]);
  const { log } = await readPerson(ishaan, vik);
  expect(log.filter((entry) => entry.act === 'look')).toHaveLength(1);
});
