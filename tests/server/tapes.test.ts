import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Notification } from '#contract/records/notifications.ts';
import { listReferencedFiles } from '#server/backup/files.ts';
import { deleteOldTapes } from '#server/features/auditions/tapes-tidy.ts';
import type { Storage } from '#server/platform/storage/storage.ts';
import { useFileTestServer } from './support/files.ts';
import { mp4 } from './support/media-files.ts';
import { block } from './support/people.ts';
import { DAY_MS, tapeCalls } from './support/tapes.ts';
import type { Person } from './support/test-server.ts';
import { unzip } from './support/unzip.ts';
import { sweep } from './support/uploads.ts';

const testServer = useFileTestServer();
const crowded = useFileTestServer({ env: { MAX_STORAGE_MB_PER_PERSON: '0.01' } });
const calls = tapeCalls(testServer);
const { addAudition, addPerformer, announce, arrive, ask, fetchFile, getAudition, getTapes, must, sendTape, upload } =
  calls;
const { view } = calls;
const now = () => testServer.clock.now().getTime();
const MINUTE_MS = 60_000;

const listNews = async ({ token }: Person, type: string) =>
  (await testServer.call<Notification[]>('GET /notifications', { token })).body.filter((each) => each.type === type);

async function exportOf({ token }: Person) {
  const headers = { authorization: `Bearer ${token}`, 'x-requested-with': 'XMLHttpRequest' };
  const answer = await testServer.app.inject({ url: '/account/export', headers });
  expect(answer.statusCode).toBe(200);
  const files = unzip(answer.rawPayload);
  return { files, json: (name: string): unknown => JSON.parse(String(files.get(name))) };
}

describe('a tape that is announced', () => {
  test('is known to both sides before its bytes have come', async () => {
    const { owner, performer, requestId } = await addAudition();
    const clientId = randomUUID();
    const answer = await announce(performer, requestId, { clientId, note: 'The second one is bolder' });
    expect(answer.status).toBe(201);
    const at = testServer.clock.now().toISOString();
    const take = { name: 'Take 1.mp4', label: 'Take 1', duration: 3, width: 640, height: 360, size: 2500 };
    expect(answer.body.data).toEqual({
      id: expect.any(String),
      request_id: requestId,
      client_id: clientId,
      number: 1,
      takes: [{ id: expect.any(String), ...take, path: null, poster_path: null, strip_path: null }],
      cv: null,
      note: 'The second one is bolder',
      no_links: false,
      finished_at: at,
      finished_by: 'checked',
      announced_at: at,
      arrived_at: null,
      state: 'announced',
      reason: null,
      version: 1,
      created_at: at,
      updated_at: at,
    });
    expect(await getTapes(performer)).toEqual([answer.body.data]);
    expect(await getTapes(owner)).toEqual([{ ...answer.body.data, client_id: null }]);
    expect(await getAudition(performer)).toMatchObject({ announced_at: at, arrived_at: null });
  });

  test('does not tell the other side the name of its upload, which they could take', async () => {
    const { performer, requestId } = await addAudition();
    const uploadId = randomUUID();
    expect((await announce(performer, requestId, { uploadIds: [uploadId] })).text).not.toContain(uploadId);
  });

  test('is one tape, finished when it said first, however often it is announced', async () => {
    const { performer, requestId } = await addAudition();
    const announced = { clientId: randomUUID(), uploadIds: [randomUUID()], finished: now() };
    const first = await announce(performer, requestId, announced);
    testServer.clock.advance(MINUTE_MS);
    const again = await announce(performer, requestId, { ...announced, finished: now(), sent: now() + DAY_MS });
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    const both = await Promise.all([1, 2].map(() => announce(performer, requestId, { clientId: randomUUID() })));
    expect(both.map(({ status, body }) => [status, body.data.number]).sort()).toEqual([
      [201, 2],
      [201, 3],
    ]);
    expect((await getAudition(performer)).announced_at).toBe(first.body.data.announced_at);
  });

  test.each([
    ['nothing', null],
    ['nonsense', 'yesterday'],
    ['a negative time', '-5'],
    ['a fraction', '1.5e12'],
  ])('counts by the phone’s clock when the device sends %s as its time', async (_, sent) => {
    const { performer, requestId } = await addAudition();
    testServer.clock.advance(30 * MINUTE_MS);
    const finished = now() - 10 * MINUTE_MS;
    const { body } = await announce(performer, requestId, { finished, sent });
    expect(body.data).toMatchObject({
      finished_at: new Date(finished).toISOString(),
      finished_by: 'phone clock',
    });
  });

  test('was finished at the later time when the clock of the device was turned back', async () => {
    const { performer, requestId } = await addAudition();
    testServer.clock.advance(60 * MINUTE_MS);
    const turned = 40 * MINUTE_MS;
    // Finished just now. The clock was right when the device last heard from the server.
    const { body } = await announce(performer, requestId, { finished: now() - turned, sent: now() - turned });
    expect(body.data).toMatchObject({ finished_at: testServer.clock.now().toISOString(), finished_by: 'phone clock' });
  });

  test('exists for nobody but the two sides', async () => {
    const { owner, performer, requestId } = await addAudition();
    const stranger = await testServer.join();
    expect((await announce(stranger, requestId)).status).toBe(404);
    expect((await announce(owner, requestId)).status).toBe(404);
    const { id } = (await announce(performer, requestId)).body.data;
    for (const person of [owner, stranger]) expect((await arrive(person, id, [randomUUID()])).status).toBe(404);
    for (const person of [performer, stranger]) expect((await view(person, id, 5)).status).toBe(404);
    expect(await getTapes(stranger)).toEqual([]);
  });

  test('waits until the performer has confirmed their address', async () => {
    const { performer, requestId } = await addAudition();
    await testServer.database.pool.query('update users set must_confirm_email = true where id = $1', [performer.id]);
    const answer = await announce(performer, requestId);
    expect([answer.status, answer.body]).toEqual([403, expect.objectContaining({ reason: 'verify' })]);
  });
});

describe('a tape is refused', () => {
  test('for a request that was withdrawn or declined, until the performer says yes', async () => {
    const { owner, performer, requestId } = await addAudition();
    await must(performer, `POST /auditions/${requestId}/decline`, {});
    const declined = await announce(performer, requestId);
    expect([declined.status, declined.body.data]).toEqual([409, expect.objectContaining({ id: requestId })]);
    testServer.clock.advance(1);
    await must(performer, `POST /auditions/${requestId}/confirm`, {});
    expect((await announce(performer, requestId)).status).toBe(201);
    await must(owner, `POST /casting/requests/${requestId}/withdraw`, {});
    expect((await announce(performer, requestId)).body).toMatchObject({
      message: 'This request was withdrawn',
      data: { id: requestId },
    });
  });

  test.each([
    ['cast', 'POST', '/cast'],
    ['closed', 'PUT', ''],
  ])('once the role is %s, unless it was finished before', async (status, method, path) => {
    const { owner, performer, requestId, role } = await addAudition();
    testServer.clock.advance(60 * MINUTE_MS);
    await must(owner, `${method} /casting/roles/${role.id}${path}`, status === 'closed' ? { status } : {});
    const ended = now();
    testServer.clock.advance(60 * MINUTE_MS);
    // A later change of the role does not move its end.
    await must(owner, `PUT /casting/roles/${role.id}`, { pay: '₹ 5,000' });
    const late = await announce(performer, requestId, { finished: ended + 1 });
    expect([late.status, late.body.message]).toEqual([409, 'This role is no longer open']);
    expect((await announce(performer, requestId, { finished: ended - 1 })).status).toBe(201);
    await must(owner, `PUT /casting/roles/${role.id}`, { status: 'open' });
    expect((await announce(performer, requestId)).status).toBe(201);
  });

  test('after the deadline only when it would replace one that has arrived', async () => {
    const { owner, performer, requestId } = await addAudition();
    const deadline = now() + 10 * DAY_MS;
    testServer.clock.advance(11 * DAY_MS);
    const first = await sendTape(performer, requestId);
    expect(Date.parse(first.finished_at)).toBeGreaterThan(deadline);
    const second = await announce(performer, requestId);
    expect([second.status, second.body.data]).toEqual([
      409,
      expect.objectContaining({ id: first.id, state: 'arrived' }),
    ]);
    // It lay ready in time, and had no signal.
    const ready = { finished: deadline - 1, age: 0 };
    expect((await announce(performer, requestId, ready)).status).toBe(201);
    const moved = { deadline_at: new Date(now() + DAY_MS).toISOString() };
    await must(owner, `PUT /casting/requests/${requestId}`, moved);
    expect((await announce(performer, requestId)).status).toBe(201);
  });

  test('after twenty', async () => {
    const { performer, requestId } = await addAudition();
    for (let n = 1; n <= 20; n += 1) expect((await announce(performer, requestId)).body.data.number).toBe(n);
    expect((await announce(performer, requestId)).status).toBe(422);
  });
});

describe('a tape whose bytes have come', () => {
  test('has arrived, with what its files say, and without where it was filmed', async () => {
    const { owner, performer, requestId } = await addAudition();
    const videos = [mp4({ seconds: 9, width: 1280, height: 720, place: '+18.5204+073.8567/' }), mp4()];
    const tape = await sendTape(performer, requestId, { videos });
    const at = testServer.clock.now().toISOString();
    expect(tape).toMatchObject({ state: 'arrived', arrived_at: at, version: 2 });
    expect(tape.takes).toMatchObject([
      { label: 'Take 1', duration: 9, width: 1280, height: 720, size: videos[0]!.length },
      { label: 'Take 2', duration: 3, width: 640, height: 360, size: videos[1]!.length },
    ]);
    expect(await getTapes(owner)).toEqual([{ ...tape, client_id: null }]);
    expect(await getAudition(performer)).toMatchObject({ arrived_at: at });
    const bytes = (await fetchFile(tape.takes[0]!.path!, owner)).text;
    expect(bytes).toContain('ftyp');
    expect(bytes).not.toContain('+18.5204');
    const [told] = await listNews(owner, 'casting.tape_arrived');
    expect(told?.data).toMatchObject({
      request_id: requestId,
      role_id: expect.any(String),
      text: 'Naseem, The Salt Road',
    });
  });

  test('arrives once, however often the device says so', async () => {
    const { performer, requestId } = await addAudition();
    const uploadIds = [await upload(performer)];
    const { id } = (await announce(performer, requestId, { uploadIds })).body.data;
    const key = { 'idempotency-key': randomUUID() };
    const before = (await testServer.keys()).size;
    const first = await arrive(performer, id, uploadIds, key);
    const replayed = await arrive(performer, id, uploadIds, key);
    const again = await arrive(performer, id, uploadIds);
    expect([first, replayed, again].map(({ status, body }) => [status, body.data.version])).toEqual([
      [200, 2],
      [200, 2],
      [200, 2],
    ]);
    const late = await testServer.call(`POST /auditions/${requestId}/decline`, { token: performer.token, body: {} });
    expect([late.status, late.body['message']]).toEqual([409, 'Your tape has arrived already']);
    // The file of the upload has gone, that of the tape has come.
    expect((await testServer.keys()).size).toBe(before);
    const { rows } = await testServer.database.pool.query('select 1 from uploads where id = $1', [uploadIds[0]]);
    expect(rows).toEqual([]);
  });

  test('arrives once when the device says so three times at the same moment', async () => {
    const { owner, performer, requestId } = await addAudition();
    const uploadIds = [await upload(performer)];
    const { id } = (await announce(performer, requestId, { uploadIds })).body.data;
    const before = (await testServer.keys()).size;
    const answers = await Promise.all([1, 2, 3].map(() => arrive(performer, id, uploadIds)));
    expect(answers.map(({ status }) => status)).toContain(200);
    // Whoever comes while it is being checked comes again soon.
    for (const { status, headers } of answers.filter((each) => each.status !== 200))
      expect([status, headers['retry-after']]).toEqual([409, '2']);
    expect((await arrive(performer, id, uploadIds)).body.data).toMatchObject({ state: 'arrived', version: 2 });
    expect((await testServer.keys()).size).toBe(before);
    expect((await fetchFile((await getTapes(owner))[0]!.takes[0]!.path!, owner)).status).toBe(200);
  });

  test('says which uploads the device has to send again, and takes all takes or none', async () => {
    const { performer, requestId } = await addAudition();
    const [whole, missing] = [await upload(performer), randomUUID()];
    const { id } = (await announce(performer, requestId, { uploadIds: [whole, missing] })).body.data;
    const before = await testServer.keys();
    const refused = await arrive(performer, id, [whole, missing]);
    expect([refused.status, Object.keys(refused.body.errors!)]).toEqual([422, ['upload_ids']]);
    expect(await testServer.keys()).toEqual(before);
    expect((await getTapes(performer))[0]).toMatchObject({ state: 'announced', version: 1 });
    await upload(performer, mp4(), missing);
    expect((await arrive(performer, id, [missing, whole])).body.data.state).toBe('arrived');
  });

  test('takes no other uploads than those it announced', async () => {
    const { performer, requestId } = await addAudition();
    const { id } = (await announce(performer, requestId)).body.data;
    const answer = await arrive(performer, id, [await upload(performer)]);
    expect([answer.status, Object.keys(answer.body.errors!)]).toEqual([422, ['takes']]);
  });

  test('is refused with a reason when a take is no video, and stays so without new bytes', async () => {
    const { owner, performer, requestId } = await addAudition();
    const uploadIds = [await upload(performer), await upload(performer, Buffer.from('no video at all'))];
    const { id } = (await announce(performer, requestId, { uploadIds })).body.data;
    const before = await testServer.keys();
    const key = { 'idempotency-key': randomUUID() };
    const first = await arrive(performer, id, uploadIds, key);
    const reason = first.body.message;
    expect([first.status, first.body.errors]).toEqual([422, { takes: [reason] }]);
    expect(reason).toMatch(/^Take 2: /);
    for (const again of [await arrive(performer, id, uploadIds, key), await arrive(performer, id, uploadIds)])
      expect([again.status, again.body]).toEqual([422, first.body]);
    expect(await getTapes(owner)).toMatchObject([
      { state: 'refused', reason, takes: [{ path: null }, { path: null }] },
    ]);
    expect(await getAudition(performer)).toMatchObject({ arrived_at: null });
    expect(await testServer.keys()).toEqual(before);
    // One that can be watched takes its place, even late.
    testServer.clock.advance(11 * DAY_MS);
    expect(await sendTape(performer, requestId)).toMatchObject({ number: 2, state: 'arrived' });
  });

  test('replaces the tapes before it, with their files', async () => {
    const { owner, performer, requestId } = await addAudition();
    const first = await sendTape(performer, requestId);
    const arrivedAt = (await getAudition(performer)).arrived_at;
    const uploadIds = [randomUUID()];
    const waiting = (await announce(performer, requestId, { uploadIds })).body.data;
    testServer.clock.advance(MINUTE_MS);
    const keys = (await testServer.keys()).size;
    const third = await sendTape(performer, requestId);
    expect((await getTapes(owner)).map(({ number, state, takes }) => [number, state, takes[0]!.path])).toEqual([
      [1, 'replaced', null],
      [2, 'replaced', null],
      [3, 'arrived', third.takes[0]!.path],
    ]);
    expect((await fetchFile(first.takes[0]!.path!, owner)).status).toBe(404);
    expect((await testServer.keys()).size).toBe(keys);
    expect((await getAudition(performer)).arrived_at).toBe(arrivedAt);
    // The bytes of the second come too late: nobody needs them.
    await upload(performer, mp4(), uploadIds[0]);
    const late = await arrive(performer, waiting.id, uploadIds);
    expect([late.status, late.body.data.state]).toEqual([200, 'replaced']);
  });

  test('is not taken once the request was withdrawn', async () => {
    const { owner, performer, requestId } = await addAudition();
    const uploadIds = [await upload(performer)];
    const { id } = (await announce(performer, requestId, { uploadIds })).body.data;
    await must(owner, `POST /casting/requests/${requestId}/withdraw`, {});
    const answer = await arrive(performer, id, uploadIds);
    expect([answer.status, answer.body.data]).toEqual([409, expect.objectContaining({ id, state: 'announced' })]);
  });

  test('gets the words of the others at once when its role was cast meanwhile', async () => {
    const { owner, performer, requestId, role } = await addAudition();
    const other = await addPerformer('Omar Sheikh');
    await ask(owner, role.id, other);
    const uploadIds = [await upload(performer)];
    const { id } = (await announce(performer, requestId, { uploadIds })).body.data;
    // Whoever has declined is told nothing when the role is cast.
    await must(performer, `POST /auditions/${requestId}/decline`, {});
    await must(owner, `POST /casting/roles/${role.id}/cast`, { text: 'We went another way. Thank you' });
    expect((await getAudition(performer)).answers).toEqual([]);
    expect((await arrive(performer, id, uploadIds)).status).toBe(200);
    const words = { kind: 'no_thank_you', text: 'We went another way. Thank you' };
    expect((await getAudition(other)).answers).toMatchObject([words]);
    expect((await getAudition(performer)).answers).toMatchObject([words]);
    expect(await listNews(performer, 'audition.answered')).toHaveLength(1);
  });

  test('counts for the quota of the performer', async () => {
    const small = tapeCalls(crowded);
    const { performer, requestId } = await small.addAudition();
    await small.sendTape(performer, requestId);
    // The tape before it makes room, since it is replaced.
    await small.sendTape(performer, requestId, { videos: [mp4({ pictures: Buffer.alloc(4000, 7) })] });
    const uploadIds = [await small.upload(performer), await small.upload(performer)];
    const owner = await crowded.join('Another office');
    const other = await small.ask(owner, (await small.addRole(owner)).id, performer);
    const { id } = (await small.announce(performer, other, { uploadIds })).body.data;
    // Somebody else's quota does not help.
    await crowded.database.pool.query('update stored_files set size_bytes = 9000 where user_id = $1', [performer.id]);
    const answer = await small.arrive(performer, id, uploadIds);
    expect([answer.status, Object.keys(answer.body.errors!)]).toEqual([422, ['storage']]);
    expect((await small.getTapes(performer)).find((tape) => tape.id === id)).toMatchObject({ state: 'announced' });
  });

  test('arrives from a server that works after one that died in between, and leaves no file behind', async () => {
    const { performer, requestId } = await addAudition();
    const uploadIds = [await upload(performer), await upload(performer)];
    const { id } = (await announce(performer, requestId, { uploadIds })).body.data;
    // Removes what other tests have left.
    await sweep(testServer, { filesOlderThan: new Date(Date.now() + 1000) });
    const before = await testServer.keys();
    let written = 0;
    const dying: Storage = {
      ...testServer.storage,
      async write(key, bytes) {
        const size = await testServer.storage.write(key, bytes);
        written += 1;
        if (written === 2) throw new Error('power cut');
        return size;
      },
      // What is dead tidies nothing.
      remove: () => Promise.resolve(),
    };
    const dead = await testServer.openNode({ storage: dying });
    const cut = await fetch(`${dead.url}/auditions/tapes/${id}/arrive`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${performer.token}`,
        accept: 'application/json',
        'content-type': 'application/json',
        'x-requested-with': 'XMLHttpRequest',
      },
      body: JSON.stringify({ upload_ids: uploadIds }),
    });
    expect([cut.status, written]).toEqual([500, 2]);
    expect((await getTapes(performer))[0]).toMatchObject({ state: 'announced' });
    expect((await testServer.keys()).size).toBe(before.size + 2);
    expect((await arrive(performer, id, uploadIds)).body.data.state).toBe('arrived');
    await sweep(testServer, { filesOlderThan: new Date(Date.now() + 1000) });
    expect((await testServer.keys()).size).toBe(before.size);
    const [tape] = await getTapes(performer);
    for (const { path } of tape!.takes) expect((await fetchFile(path!, performer)).status).toBe(200);
  });
});

describe('the files of a tape', () => {
  test('are served to both sides alone, also in ranges, and kept by no shared cache', async () => {
    const { owner, performer, requestId } = await addAudition();
    const path = (await sendTape(performer, requestId)).takes[0]!.path!;
    const stranger = await testServer.join();
    const statuses = async () =>
      Promise.all([performer, owner, stranger, null].map(async (who) => (await fetchFile(path, who)).status));
    expect(await statuses()).toEqual([200, 200, 404, 404]);
    const part = await fetchFile(path, owner, { range: 'bytes=4-7' });
    expect([part.status, part.text, part.headers['cache-control']]).toEqual([206, 'ftyp', 'private, no-cache']);
    // Whoever withdraws keeps what has arrived.
    await must(owner, `POST /casting/requests/${requestId}/withdraw`, {});
    expect(await statuses()).toEqual([200, 200, 404, 404]);
    await testServer.database.pool.query("update users set state = 'suspended' where id = $1", [performer.id]);
    expect(await statuses()).toEqual([200, 404, 404, 404]);
  });

  test.each(['performer', 'owner'] as const)('are gone for both when the %s blocks the other', async (who) => {
    const { owner, performer, requestId } = await addAudition();
    const path = (await sendTape(performer, requestId)).takes[0]!.path!;
    await (who === 'owner' ? block(testServer, owner, performer) : block(testServer, performer, owner));
    for (const person of [owner, performer]) {
      expect((await fetchFile(path, person)).status).toBe(404);
      expect(await getTapes(person)).toEqual([]);
    }
    await testServer.runJobs();
    expect([...(await testServer.keys())]).not.toContain(path.replace('/storage/', ''));
  });

  test('are in backups, and in the export of the performer alone; marks are in that of their author', async () => {
    const { owner, performer, requestId } = await addAudition();
    const tape = await sendTape(performer, requestId, { note: 'For your eyes' });
    await calls.mark(owner, tape.id, { grade: 'A', text: 'Warm' });
    const key = tape.takes[0]!.path!.replace('/storage/', '');
    const listed: string[] = [];
    const client = await testServer.database.pool.connect();
    for await (const file of listReferencedFiles(client)) listed.push(file.key);
    client.release();
    expect(listed).toContain(key);
    const [own, other] = [await exportOf(performer), await exportOf(owner)];
    expect(own.json('tapes.json')).toEqual([tape]);
    expect([own.files.has(`files/${key}`), other.files.has(`files/${key}`)]).toEqual([true, false]);
    expect(other.json('casting.json')).toMatchObject({
      tapes: [{ id: tape.id, client_id: null, finished_at: tape.finished_at }],
      marks: [{ tape_id: tape.id, grade: 'A', text: 'Warm' }],
    });
    expect([...own.files.values()].map(String).join('\n')).not.toContain('Warm');
  });

  test.each(['performer', 'owner'] as const)('go with the account of the %s', async (who) => {
    const audition = await addAudition();
    const path = (await sendTape(audition.performer, audition.requestId)).takes[0]!.path!;
    const gone = audition[who];
    const other = who === 'owner' ? audition.performer : audition.owner;
    await must(gone, 'DELETE /account', { password: gone.password });
    await testServer.runJobs();
    expect([...(await testServer.keys())]).not.toContain(path.replace('/storage/', ''));
    expect(await getTapes(other)).toEqual([]);
    expect((await fetchFile(path, other)).status).toBe(404);
  });

  test('are deleted 180 days after the last answer, and those of minors after 90', async () => {
    const [adult, minor, waiting] = [await addAudition(), await addAudition(), await addAudition()];
    const paths: string[] = [];
    for (const { owner, performer, requestId } of [adult, minor, waiting]) {
      paths.push((await sendTape(performer, requestId)).takes[0]!.path!);
      if (requestId !== waiting.requestId)
        await must(owner, `POST /casting/requests/${requestId}/answer`, { kind: 'no_thank_you' });
    }
    await testServer.database.pool.query('update users set is_minor = true where id = $1', [minor.performer.id]);
    const tidy = async (days: number) => {
      testServer.clock.advance(days * DAY_MS);
      await deleteOldTapes(testServer.database.db, testServer.clock.now());
      await testServer.runJobs();
      const keys = await testServer.keys();
      return paths.map((path) => keys.has(path.replace('/storage/', '')));
    };
    expect(await tidy(89)).toEqual([true, true, true]);
    expect(await tidy(2)).toEqual([true, false, true]);
    expect(await tidy(90)).toEqual([false, false, true]);
    const again = await testServer.signIn(adult.performer);
    expect(await getTapes(again)).toEqual([]);
    // That it was sent and answered stays.
    expect(await getAudition(again)).toMatchObject({
      arrived_at: expect.any(String),
      answers: [{ kind: 'no_thank_you' }],
    });
  });

  test('are kept when they come after an answer that was given long before', async () => {
    const { owner, performer, requestId } = await addAudition();
    await must(owner, `POST /casting/requests/${requestId}/answer`, { kind: 'pencil' });
    testServer.clock.advance(181 * DAY_MS);
    const again = await testServer.signIn(performer);
    const path = (await sendTape(again, requestId)).takes[0]!.path!;
    await deleteOldTapes(testServer.database.db, testServer.clock.now());
    expect(await getTapes(again)).toHaveLength(1);
    testServer.clock.advance(181 * DAY_MS);
    await deleteOldTapes(testServer.database.db, testServer.clock.now());
    await testServer.runJobs();
    expect((await testServer.keys()).has(path.replace('/storage/', ''))).toBe(false);
  });
});

describe('watching', () => {
  test('is told to the performer once, after three seconds in all', async () => {
    const { owner, performer, requestId } = await addAudition();
    const { id } = await sendTape(performer, requestId);
    const key = { 'idempotency-key': randomUUID() };
    // The same two seconds, sent twice.
    for (let n = 0; n < 2; n += 1) expect((await view(owner, id, 2, key)).status).toBe(200);
    expect((await getAudition(performer)).watched_at).toBeNull();
    expect(await listNews(performer, 'audition.watched')).toEqual([]);
    const answer = await view(owner, id, 1);
    expect([answer.status, answer.body.data.id]).toEqual([200, id]);
    expect((await getAudition(performer)).watched_at).toBe(testServer.clock.now().toISOString());
    const [told] = await listNews(performer, 'audition.watched');
    expect(told?.data).toMatchObject({ audition_id: requestId, text: 'Naseem, The Salt Road' });
    const before = await testServer.call('GET /sync', { token: performer.token });
    testServer.clock.advance(MINUTE_MS);
    await view(owner, id, 60);
    expect((await listNews(owner, 'casting.tape_arrived'))[0]?.read_at).not.toBeNull();
    expect((await testServer.call('GET /sync', { token: performer.token })).text).toBe(before.text);
  });

  test('is refused before the tape has arrived, and is no news after the request was withdrawn', async () => {
    const { owner, performer, requestId } = await addAudition();
    const waiting = (await announce(performer, requestId)).body.data;
    const early = await view(owner, waiting.id, 5);
    expect([early.status, early.body.data]).toEqual([409, expect.objectContaining({ id: waiting.id })]);
    const { id } = await sendTape(performer, requestId);
    await must(owner, `POST /casting/requests/${requestId}/withdraw`, {});
    expect((await view(owner, id, 5)).status).toBe(200);
    expect((await getAudition(performer)).watched_at).toBeNull();
    expect(await listNews(performer, 'audition.watched')).toEqual([]);
  });
});
