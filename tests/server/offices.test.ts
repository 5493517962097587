import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Connection } from '#contract/records/people.ts';
import type { ProfilePage } from '#contract/records/page.ts';
import type { SearchRow } from '#contract/records/search.ts';
import { listLookalikes, revokeOffice, verifyOffice } from '#server/platform/access/offices.ts';
import { ChangeLog } from '#server/platform/db/change-log.ts';
import { addProfile, connect, requestConnection } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';
import { viewerCalls } from './support/viewers.ts';

const testServer = useTestServer();
const { pull } = viewerCalls(testServer);

/** Verifies a person as an office. @returns the number of the office */
async function verify({ id }: Person, name: string): Promise<number> {
  const now = testServer.clock.now();
  return testServer.database.db.transaction(async (tx) => {
    const changes = new ChangeLog();
    const office = await verifyOffice(tx, changes, { userId: Number(id), name, domain: null, verifiedBy: null }, now);
    await changes.flush(tx, now);
    return office.id;
  });
}
const revoke = (id: number): Promise<boolean> =>
  testServer.database.db.transaction(async (tx) => {
    const changes = new ChangeLog();
    const isRevoked = await revokeOffice(tx, changes, id, testServer.clock.now());
    await changes.flush(tx, testServer.clock.now());
    return isRevoked;
  });

const register = (name: string) =>
  testServer.call<{ errors?: object }>('POST /register', {
    body: { name, email: `office-${randomUUID()}@callboard.example`, password: 'the prompter never sleeps' },
  });
const rename = ({ token }: Person, name: string) =>
  testServer.call<{ errors?: object }>('PUT /name', { token, body: { name } });

describe('a verified office', () => {
  test('has a badge on its page, in requests, connections and search, until it is revoked', async () => {
    const [office, actor, guest] = [
      await testServer.join('Farah Irani'),
      await testServer.join(),
      await testServer.join(),
    ];
    const { id } = await addProfile(testServer, office, 0, 'Farah Irani Xylophone');
    await addProfile(testServer, actor);
    await addProfile(testServer, guest);
    const requestId = await requestConnection(testServer, office, actor);
    await connect(testServer, guest, office);
    const { cursor } = await pull(actor);
    const number = await verify(office, 'Farah Irani Casting');
    const verified = { name: 'Farah Irani Casting', since: testServer.clock.now().toISOString() };
    const readAll = async () => {
      const [slug] = (
        await testServer.database.pool.query<{ slug: string }>('select slug from users where id = $1', [office.id])
      ).rows;
      const type = (await testServer.call<{ slug: string }[]>('GET /profile_types')).body[0]!.slug;
      const page = await testServer.call<ProfilePage>(`GET /profiles/page/${slug!.slug}/${type}`);
      const received = await testServer.call<Connection[]>('GET /connections/requests/received', {
        token: actor.token,
      });
      const accepted = await testServer.call<Connection[]>('GET /connections/accepted', { token: guest.token });
      const found = await testServer.call<SearchRow[]>('GET /search?q=Xylophone', { token: actor.token });
      return [
        page.body.profile.verified,
        received.body[0]?.verified,
        accepted.body[0]?.verified,
        found.body.find((row) => row.id === id)?.verified,
      ];
    };
    expect(await readAll()).toEqual([verified, verified, verified, verified]);
    const { records } = await pull(actor, cursor);
    const changed = records.find((record) => record.type === 'connection' && record.id === requestId);
    expect(JSON.stringify(changed)).toContain('Farah Irani Casting');
    expect([await revoke(number), await revoke(number)]).toEqual([true, false]);
    expect(await readAll()).toEqual([null, null, null, null]);
  });

  test('is one office of one account, and keeps its name from other offices', async () => {
    const [office, other] = [await testServer.join(), await testServer.join()];
    await verify(office, 'Anand Rege Films');
    await expect(verify(office, 'Something Else')).rejects.toMatchObject({ status: 422 });
    await expect(verify(other, 'Аnand Rege Films')).rejects.toMatchObject({ status: 422 });
    await expect(verify(other, '…')).rejects.toMatchObject({ status: 422 });
    await expect(verify({ ...other, id: '999999' }, 'Nobody at all')).rejects.toMatchObject({ status: 422 });
  });

  test('keeps its name when its account is deleted, until it is revoked', async () => {
    const office = await testServer.join();
    const number = await verify(office, 'Gulmohar Pictures');
    await testServer.call('DELETE /account', { token: office.token, body: { password: office.password } });
    expect((await register('Gulmohar Pictures')).status).toBe(422);
    await revoke(number);
    expect((await register('Gulmohar Pictures')).status).toBe(201);
  });
});

describe('a name that looks like that of a verified office', () => {
  test('is refused at registration and rename, and the office itself may use it', async () => {
    const [office, stranger] = [await testServer.join(), await testServer.join()];
    await verify(office, 'Mukesh Casting Bureau');
    for (const name of [
      'Mukesh Casting Bureau',
      'Mukеsh Cаsting Bureau',
      'MUKESH CA5TING BUREAU',
      'Mukesh Castings Bureau',
    ]) {
      for (const { status, body } of [await register(name), await rename(stranger, name)]) {
        expect([status, Object.keys(body.errors ?? {})]).toEqual([422, ['name']]);
      }
    }
    expect((await rename(office, 'Mukesh Casting Bureau')).status).toBe(200);
    expect((await register('Mukesh Sharma')).status).toBe(201);
  });

  test('may stay for people who had it before, and is listed for the operator with stage names', async () => {
    const [older, performer, office] = [
      await testServer.join('Palash Studios'),
      await testServer.join('Ravi'),
      await testServer.join('Palash Sen'),
    ];
    await addProfile(testServer, performer, 0, 'Pa1ash Studio');
    await addProfile(testServer, older, 0, 'Somebody');
    await verify(office, 'Palash Studios');
    expect(await listLookalikes(testServer.database.db)).toEqual([
      { userId: Number(older.id), name: 'Palash Studios', office: 'Palash Studios' },
      { userId: Number(performer.id), name: 'Pa1ash Studio', office: 'Palash Studios' },
    ]);
    // Their name is not in their way when they change something else.
    expect((await rename(older, 'Palash Studios')).status).toBe(200);
  });
});
