import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { PUSH_KIND_NAMES } from '#contract/push-kind-names.ts';
import { createArchive } from '#server/features/account/export.ts';
import { addCredit, addPhoto, addProfile, addUpload, requestConnection, block, connect } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';
import { unzip } from './support/unzip.ts';

const testServer = useTestServer();
const NEW = 'the prompter never sleeps';

const signIn = async ({ email }: Person, password: string) => {
  const answer = await testServer.call<{ token: string }>('POST /login', { body: { email, password } });
  return answer.status === 200 ? answer.body.token : null;
};
const getStatus = async (token: string | null) => (await testServer.call('GET /user', { token })).status;

describe('changing the password', () => {
  test('ends the other sessions and accepts only the new password', async () => {
    const person = await testServer.join();
    const other = await signIn(person, person.password);
    const answer = await testServer.call('PUT /password', {
      token: person.token,
      body: { current_password: person.password, password: NEW },
    });
    expect(answer.status).toBe(200);
    expect([await getStatus(person.token), await getStatus(other)]).toEqual([200, 401]);
    expect(await signIn(person, person.password)).toBeNull();
    expect(await signIn(person, NEW)).not.toBeNull();
  });

  test.each([
    ['a wrong current password', { current_password: 'not this one at all', password: NEW }, ['current_password']],
    ['a common new password', { current_password: 'the ghost light stays on', password: 'Password123' }, ['password']],
    ['a short new password', { current_password: 'the ghost light stays on', password: 'short' }, ['password']],
    ['an empty body', {}, ['current_password', 'password']],
    ['values that are not text', { current_password: 1, password: ['x'] }, ['current_password', 'password']],
  ])('rejects %s', async (_, body, fields) => {
    const person = await testServer.join();
    const answer = await testServer.call('PUT /password', { token: person.token, body });
    expect(answer.status).toBe(422);
    expect(Object.keys(answer.body.errors as object).sort()).toEqual(fields);
    expect(await signIn(person, person.password)).not.toBeNull();
  });

  test('accepts one of two concurrent changes and rejects the other', async () => {
    const person = await testServer.join();
    const change = (password: string) =>
      testServer.call('PUT /password', { token: person.token, body: { current_password: person.password, password } });
    const answers = await Promise.all([change('the first new one'), change('the second new one')]);
    expect(answers.map((each) => each.status).sort()).toEqual([200, 422]);
    const accepted = answers[0]?.status === 200 ? 'the first new one' : 'the second new one';
    expect(await signIn(person, accepted)).not.toBeNull();
  });

  test('stores no idempotency fingerprint of a body with a password', async () => {
    const person = await testServer.join();
    await testServer.call('PUT /password', {
      token: person.token,
      headers: { 'idempotency-key': crypto.randomUUID() },
      body: { current_password: person.password, password: NEW },
    });
    const { rows } = await testServer.database.pool.query('select 1 from idempotency_keys where user_id = $1', [
      person.id,
    ]);
    expect(rows).toEqual([]);
  });
});

describe('rate limit on password confirmation', () => {
  const limited = useTestServer({ env: { RATE_LIMIT_SCALE: '1' } });

  test('counts separately from the sign-in rate limit', async () => {
    const person = await limited.join();
    const guess = () => limited.call('DELETE /account', { token: person.token, body: { password: 'a guess' } });
    for (let n = 0; n < 10; n += 1) expect((await guess()).status).toBe(422);
    expect((await guess()).status).toBe(429);
    const { email, password } = person;
    const signIn = (word: string) => limited.call('POST /login', { body: { email, password: word } });
    expect((await signIn(password)).status).toBe(200);
    const victim = await limited.join();
    for (let n = 0; n < 11; n += 1) {
      await limited.call('POST /login', { body: { email: victim.email, password: 'a guess' } });
    }
    const deleted = await limited.call('DELETE /account', {
      token: victim.token,
      body: { password: victim.password },
    });
    expect(deleted.status).toBe(200);
  });
});

test('stores the settings', async () => {
  const person = await testServer.join();
  const answer = await testServer.call('PUT /settings', { token: person.token, body: { read_receipts: false } });
  // People of before keep what visitors saw.
  const privacy = { phone: true, email: true, day_rate: true, search_engines: true };
  const push = {
    kinds: { ...Object.fromEntries(PUSH_KIND_NAMES.map((name) => [name, true])), saved: false },
    quiet: null,
    hide_names: false,
  };
  const mail = { sign_in_mail: true, news_mail: true, message_mail: false };
  const receipts = { read_receipts: false, audition_receipts: true };
  const settings = { ...receipts, ...mail, privacy, push, availability_for: 'nobody' };
  expect(answer.body).toEqual({ message: expect.any(String), data: settings });
  const { rows } = await testServer.database.pool.query('select read_receipts from users where id = $1', [person.id]);
  expect(rows).toEqual([{ read_receipts: false }]);
  expect((await testServer.call('GET /settings', { token: person.token })).body).toEqual(settings);
});

/** Sends one message in each direction of their conversation. */
async function writeBoth(one: Person, other: Person, message: string): Promise<void> {
  for (const [from, to, text] of [
    [one, other, message],
    [other, one, `${message}, too`],
  ] as const) {
    const { body: found } = await testServer.call<{ conversation_id: string; other: { user_id: string } }[]>(
      'GET /conversations',
      { token: from.token },
    );
    const conversation_id = found.find((each) => each.other.user_id === to.id)?.conversation_id;
    const body = { conversation_id, receiver_id: to.id, message: text };
    const sent = await testServer.call('POST /chat/send', { token: from.token, body });
    if (sent.status !== 201) throw new Error(`Not sent: ${sent.text}`);
  }
}

describe('data export', () => {
  const take = async ({ token }: Person) => {
    const answer = await testServer.app.inject({
      url: '/account/export',
      headers: { authorization: `Bearer ${token}`, 'x-requested-with': 'XMLHttpRequest' },
    });
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/zip');
    const lengthBytes = Number(answer.headers['x-archive-bytes']);
    const files = unzip(answer.rawPayload);
    const json = <T>(name: string) => JSON.parse(String(files.get(name))) as T;
    return { files, json, headers: answer.headers, isComplete: lengthBytes === answer.rawPayload.length };
  };

  test('contains everything the person owns and nothing of other people', async () => {
    const [person, friend, enemy] = [
      await testServer.join('Zoë Ü'),
      await testServer.join('Friend'),
      await testServer.join('Enemy'),
    ];
    const { id } = await addProfile(testServer, person);
    const friendProfile = await addProfile(testServer, friend);
    await addCredit(testServer, person, id, { details: 'Kamala 🎭' });
    await addCredit(testServer, friend, friendProfile.id, { details: 'None of your business' });
    const photo = await addPhoto(testServer, person, id);
    await addUpload(testServer, person, { lengthBytes: 10 });
    const connectionId = await connect(testServer, friend, person);
    await block(testServer, person, enemy);
    const former = await testServer.join('Former');
    const ended = await connect(testServer, former, person);
    await writeBoth(former, person, 'Until Friday');
    await testServer.call(`DELETE /connections/${ended}`, { token: person.token });
    await writeBoth(person, friend, 'See you on set');
    await testServer.call('POST /reports', { token: person.token, body: { user_id: enemy.id, reason: 'spam' } });
    await testServer.call(`POST /profile/${friendProfile.id}/save`, { token: person.token });

    const { files, json, headers, isComplete } = await take(person);
    expect(isComplete).toBe(true);
    expect(files.has('missing.txt')).toBe(false);
    expect(headers['content-disposition']).toBe('attachment; filename="callboard-zoe-u-2026-11-21.zip"');
    expect(json('account.json')).toMatchObject({
      name: 'Zoë Ü',
      email: person.email,
      settings: { read_receipts: true },
      unfinished_uploads: [{ lengthBytes: 10, offsetBytes: 0 }],
    });
    const [profile] =
      json<{ id: string; sections: Record<string, object[]>; media: { file_path: string }[] }[]>('profiles.json');
    expect(profile?.sections.experience).toMatchObject([{ details: 'Kamala 🎭' }]);
    expect(profile?.media).toMatchObject([{ id: photo.id }]);
    expect(json('people.json')).toMatchObject({
      connections: [{ status: 'accepted', name: 'Friend' }],
      saved_profiles: [{ profile_id: friendProfile.id }],
      blocked: [{ user_id: enemy.id, name: 'Someone you can’t see' }],
      reported: [{ user_id: enemy.id, reason: 'spam', text: null }],
      notifications: [{ type: 'message.received', actor: { name: 'Friend' } }, { type: 'connection.requested' }],
    });
    const words = ({ messages }: { messages: { message: string }[] }) => messages.map(({ message }) => message);
    const conversations =
      json<{ with_user_id: string; is_open: boolean; messages: { message: string }[] }[]>('messages.json');
    expect(conversations.map((each) => [each.with_user_id, each.is_open, words(each)])).toEqual([
      [friend.id, true, ['See you on set', 'See you on set, too']],
      [former.id, false, ['Until Friday, too']],
    ]);
    expect(json<{ connections: object[] }>('people.json').connections).toMatchObject([{ id: connectionId }]);
    const stored = await testServer.call(`GET ${photo.path}`, { token: person.token });
    expect(stored.status).toBe(200);
    const exported = files.get(`files/${photo.path.replace('/storage/', '')}`);
    expect(exported?.length).toBe(Number(stored.headers['content-length']));
    const everything = [...files.values()].map(String).join('\n');
    for (const secret of ['None of your business', friend.email, person.token, '$argon2id$']) {
      expect(everything).not.toContain(secret);
    }
  });

  test('skips a file that is missing in the store, and names it', async () => {
    const person = await testServer.join();
    const { id } = await addProfile(testServer, person);
    const photo = await addPhoto(testServer, person, id);
    const key = photo.path.replace('/storage/', '');
    await testServer.app.deps.storage.remove(key);
    const { files } = await take(person);
    expect(files.has(`files/${key}`)).toBe(false);
    expect(files.has('profiles.json')).toBe(true);
    expect(String(files.get('missing.txt'))).toBe(`files/${key}\n`);
  });

  test('exports empty lists for a person without data', async () => {
    const { json } = await take(await testServer.join());
    expect(json('profiles.json')).toEqual([]);
  });
});

test('computes the archive length in advance and supports Unicode names and empty files', async () => {
  const pieces = function* (count: number) {
    for (let n = 0; n < count; n += 1) yield Buffer.alloc(100_000, n);
  };
  const files = ['a.txt', 'files/मीरा 🎬.jpg', 'empty'].map((name, index) => ({
    name,
    sizeBytes: index === 2 ? 0 : 300_000,
    open: () => Readable.from(pieces(index === 2 ? 0 : 3)),
  }));
  const { stream, lengthBytes } = createArchive(files, new Date('2026-11-21T09:30:10Z'));
  const archive = await buffer(stream);
  expect(archive.length).toBe(Number(lengthBytes));
  expect([...unzip(archive)].map(([name, bytes]) => [name, bytes.length])).toEqual([
    ['a.txt', 300_000],
    ['files/मीरा 🎬.jpg', 300_000],
    ['empty', 0],
  ]);
});

test('sends the first bytes of the archive before it looks for the next file', async () => {
  let isOpened = false;
  const first = {
    name: 'a.txt',
    sizeBytes: 200_000,
    open: () => Readable.from([Buffer.alloc(100_000), Buffer.alloc(100_000)]),
  };
  const open = () => ((isOpened = true), Promise.resolve(null));
  const { stream } = createArchive([first, { name: 'files/b.jpg', sizeBytes: 1, open }], new Date());
  for await (const _bytes of stream) break;
  expect(isOpened).toBe(false);
});

test('aborts the archive when a file is shorter than announced', async () => {
  const cut = { name: 'cut.jpg', sizeBytes: 2, open: () => Readable.from([Buffer.alloc(1)]) };
  await expect(buffer(createArchive([cut], new Date()).stream)).rejects.toThrow('cut.jpg has 1 bytes instead of 2');
});

describe('account deletion', () => {
  test('removes all rows and files of the person and keeps those of others', async () => {
    const [person, other] = [await testServer.join('Leaving'), await testServer.join('Staying')];
    const { id } = await addProfile(testServer, person);
    const otherProfile = await addProfile(testServer, other);
    const [photo, otherPhoto] = [
      await addPhoto(testServer, person, id),
      await addPhoto(testServer, other, otherProfile.id),
    ];
    await addCredit(testServer, person, id);
    await addUpload(testServer, person);
    const connectionId = await connect(testServer, person, other);
    await testServer.call(`POST /profile/${id}/save`, { token: other.token });
    await writeBoth(person, other, 'Break a leg');
    await testServer.call('POST /reports', { token: other.token, body: { user_id: person.id, reason: 'other' } });
    const before = await testServer.call<{ cursor: string }>('GET /sync', { token: other.token });

    const gone = await testServer.call('DELETE /account', { token: person.token, body: { password: person.password } });
    expect(gone.status).toBe(200);
    await testServer.runJobs();

    expect(await getStatus(person.token)).toBe(401);
    expect(await signIn(person, person.password)).toBeNull();
    for (const call of [`GET /profile/details/${id}`, `GET /profiles/shared/all/${person.id}`, `GET ${photo.path}`]) {
      expect((await testServer.call(call, { token: other.token })).status, call).toBe(404);
    }
    expect((await testServer.call(`GET ${otherPhoto.path}`)).status).toBe(200);
    const pull = await testServer.call<{ records: { type: string; id: string; body: unknown }[] }>(
      `GET /sync?cursor=${before.body.cursor}`,
      { token: other.token },
    );
    expect(pull.body.records).toEqual(
      expect.arrayContaining([
        { type: 'connection', id: connectionId, parent: null, body: null },
        { type: 'saved_profile', id, parent: null, body: null },
      ]),
    );
    // Every column with a foreign key to users, whatever its name.
    const { rows: columns } = await testServer.database.pool.query<{ of: string; name: string }>(
      `select conrelid::regclass::text as of, attname as name from pg_constraint
       join pg_attribute on attrelid = conrelid and attnum = conkey[1]
       where contype = 'f' and confrelid = 'users'::regclass`,
    );
    expect(columns.map(({ name }) => name)).toEqual(expect.arrayContaining(['actor_id', 'blocked_id', 'receiver_id']));
    // What is removed after the account has gone.
    columns.push(
      ...['first_id', 'second_id'].map((name) => ({ of: 'conversations', name })),
      ...['sender_id', 'receiver_id'].map((name) => ({ of: 'messages', name })),
      { of: 'sync_records', name: 'user_id' },
    );
    for (const { of, name } of columns) {
      const left = await testServer.database.pool.query(`select 1 from ${of} where ${name} = $1`, [person.id]);
      expect(left.rows, `${of}.${name}`).toEqual([]);
    }
    const { rows } = await testServer.database.pool.query<{ key: string }>(
      'select key from stored_files union select key from upload_parts',
    );
    const known = new Set(rows.map(({ key }) => key));
    for await (const { key } of testServer.app.deps.storage.list()) expect(known.has(key)).toBe(true);
    // The email address is free again.
    const { name, email, password } = person;
    expect((await testServer.call('POST /register', { body: { name, email, password } })).status).toBe(201);
  });

  test('refuses a wrong password, also right after a sign-in', async () => {
    const person = await testServer.join();
    for (const body of [{ password: '' }, { password: 'wrong' }, { password: null }]) {
      const answer = await testServer.call('DELETE /account', { token: person.token, body });
      expect(answer.status).toBe(422);
      expect(Object.keys(answer.body.errors as object)).toEqual(['password']);
    }
    expect(await getStatus(person.token)).toBe(200);
  });

  test('removes concurrent writes too, without a server error', async () => {
    const person = await testServer.join();
    const { id } = await addProfile(testServer, person);
    const friend = await testServer.join();
    const answers = await Promise.all([
      testServer.call('DELETE /account', { token: person.token, body: { password: person.password } }),
      ...Array.from({ length: 12 }, (_, n) =>
        testServer.call('POST /skills', {
          token: person.token,
          body: { profile_id: id, name: `Skill ${n}`, level: 1 },
        }),
      ),
      testServer.call(`POST /connections/request/${person.id}`, { token: friend.token }),
      testServer.call(`POST /profile/${id}/save`, { token: friend.token }),
    ]);
    expect(answers[0]?.status).toBe(200);
    for (const { status } of answers) expect([200, 201, 401, 404]).toContain(status);
    const { rows } = await testServer.database.pool.query('select 1 from section_rows where user_id = $1', [person.id]);
    expect(rows).toEqual([]);
  });

  test('removes the pending connection requests of the person', async () => {
    const [person, other] = [await testServer.join(), await testServer.join()];
    await addProfile(testServer, other);
    const id = await requestConnection(testServer, person, other);
    await testServer.call('DELETE /account', { token: person.token, body: { password: person.password } });
    expect((await testServer.call(`POST /connections/accept/${id}`, { token: other.token })).status).toBe(404);
  });
});
