import { randomUUID } from 'node:crypto';
import sharp from 'sharp';
import { describe, expect, test } from 'vitest';
import type { ChatPage, Conversation, Message } from '#contract/records/chat.ts';
import type { Notification } from '#contract/records/notifications.ts';
import { tus, useFileTestServer, type Performer } from './support/files.ts';
import { addUpload, connect } from './support/people.ts';
import * as pictures from './support/pictures.ts';
import { sweep } from './support/uploads.ts';

const testServer = useFileTestServer();
const crowded = useFileTestServer({ env: { MAX_STORAGE_MB_PER_PERSON: '0.2' } });

async function addConnectedPair(on = testServer) {
  const [a, b] = [await on.addPerformer(), await on.addPerformer()];
  const connectionId = await connect(on, a, b);
  const { body } = await on.call<Conversation[]>('GET /conversations', { token: a.token });
  const conversationId = body[0]!.conversation_id;
  const send = (fields: object, { from = a, key }: { from?: Performer; key?: string } = {}) =>
    on.call<{ data: Message; errors?: Record<string, string[]> }>('POST /chat/send', {
      token: from.token,
      headers: key === undefined ? {} : { 'idempotency-key': key },
      body: { conversation_id: conversationId, receiver_id: (from === a ? b : a).id, message: '', ...fields },
    });
  const page = async (person = b) =>
    (await on.call<ChatPage>(`GET /chat/${connectionId}`, { token: person.token })).body.messages;
  return { a, b, connectionId, conversationId, send, page };
}

async function uploadOf(person: Performer, bytes: Buffer<ArrayBuffer> | Uint8Array<ArrayBuffer>): Promise<string> {
  const id = randomUUID();
  await tus(testServer.url, person).create(id, bytes.length);
  const { status } = await tus(testServer.url, person).patch(id, 0, new Uint8Array(bytes));
  expect(status).toBe(204);
  return id;
}

const fetched = (path: string, person?: Performer) =>
  fetch(testServer.url + path, { headers: person ? { authorization: `Bearer ${person.token}` } : {} });

describe('photo in a message', () => {
  test('is stored upright and without location, with or without text', async () => {
    const { a, b, send, page } = await addConnectedPair();
    const alone = await send({ upload_id: await uploadOf(a, await pictures.photoWithGps()) });
    expect(alone.status).toBe(201);
    const { media } = alone.body.data;
    expect(media).toMatchObject({ media_type: 'image', format: 'jpg', width: 400, height: 600 });
    expect(
      (await send({ message: 'The set', upload_id: await uploadOf(a, await pictures.png(900, 300)) })).status,
    ).toBe(201);
    const messages = await page(b);
    expect(messages.map(({ seq, message, media: seen }) => [seq, message, seen?.width])).toEqual([
      [1, '', 400],
      [2, 'The set', 900],
    ]);
    const bytes = Buffer.from(await (await fetched(media!.path, b)).arrayBuffer());
    expect(bytes.includes('GPS-secret')).toBe(false);
    expect((await sharp(bytes).metadata()).orientation ?? 1).toBe(1);
    // The other renditions are AVIF, which this process cannot decode.
    for (const { path, width } of media!.renditions.filter(({ type }) => type === 'image/webp')) {
      const copy = Buffer.from(await (await fetched(path, a)).arrayBuffer());
      expect((await sharp(copy).metadata()).width).toBe(width);
    }
    expect(media!.renditions.map(({ path }) => path)).toContain(media!.thumb_path);
  });

  test('is summarized as "Photo" in the notification when it has no text', async () => {
    const { a, b, send } = await addConnectedPair();
    await send({ upload_id: await addUpload(testServer, a) });
    const { body } = await testServer.call<Notification[]>('GET /notifications', { token: b.token });
    expect(body.find(({ type }) => type === 'message.received')?.data).toMatchObject({ text: 'Photo' });
  });

  test('creates one message for repeated sends and leaves no extra file', async () => {
    const { a, send, page } = await addConnectedPair();
    const before = (await testServer.keys()).size;
    const upload_id = await addUpload(testServer, a);
    const fields = { upload_id, client_id: randomUUID() };
    const key = randomUUID();
    const first = await send(fields, { key });
    expect(first.status).toBe(201);
    const keyCount = (await testServer.keys()).size;
    expect(keyCount).toBe(before + 1 + first.body.data.media!.renditions.length);
    const replayed = await send(fields, { key });
    expect([replayed.status, replayed.body]).toEqual([201, first.body]);
    const again = await send(fields);
    expect([again.status, again.body.data]).toEqual([200, first.body.data]);
    expect([(await page()).length, (await testServer.keys()).size]).toEqual([1, keyCount]);
    expect((await tus(testServer.url, a).head(upload_id)).status).toBe(404);
  });

  test('creates one message for concurrent sends', async () => {
    const { a, send, page } = await addConnectedPair();
    const fields = { upload_id: await addUpload(testServer, a), client_id: randomUUID() };
    const answers = await Promise.all([send(fields), send(fields), send(fields)]);
    expect(answers.map(({ status }) => status).sort()).toEqual([200, 200, 201]);
    const messages = await page();
    expect(messages).toHaveLength(1);
    expect((await fetched(messages[0]!.media!.path, a)).status).toBe(200);
  });

  test('is found by a repeat whose upload is consumed while it reads it', async () => {
    const { a, send, conversationId, b } = await addConnectedPair();
    const fields = { upload_id: await addUpload(testServer, a), client_id: randomUUID() };
    const { storage } = testServer;
    let reached = () => {};
    const isReached = new Promise<void>((resolve) => (reached = resolve));
    let go = () => {};
    const gate = new Promise<void>((resolve) => (go = resolve));
    const slow = await testServer.openNode({
      storage: {
        ...storage,
        open: async (...args: Parameters<typeof storage.open>) => {
          reached();
          await gate;
          return storage.open(...args);
        },
      },
    });
    const repeat = fetch(`${slow.url}/chat/send`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${a.token}`,
        accept: 'application/json',
        'content-type': 'application/json',
        'x-requested-with': 'XMLHttpRequest',
      },
      body: JSON.stringify({ conversation_id: conversationId, receiver_id: b.id, message: '', ...fields }),
    });
    await isReached;
    const sent = await send(fields);
    expect(sent.status).toBe(201);
    go();
    const answer = await repeat;
    expect([answer.status, ((await answer.json()) as { data: Message }).data]).toEqual([200, sent.body.data]);
  });

  test('is served to both participants while the conversation is open and to nobody else', async () => {
    const { a, b, connectionId, send } = await addConnectedPair();
    const stranger = await testServer.addPerformer();
    const { body } = await send({ upload_id: await addUpload(testServer, a) });
    const media = body.data.media!;
    const statuses = async () =>
      Promise.all(
        [media.path, media.thumb_path!].flatMap((path) =>
          [a, b, stranger, undefined].map(async (person) => (await fetched(path, person)).status),
        ),
      );
    expect(await statuses()).toEqual([200, 200, 404, 404, 200, 200, 404, 404]);
    await testServer.call(`DELETE /connections/${connectionId}`, { token: b.token });
    expect(await statuses()).toEqual(Array(8).fill(404));
    await connect(testServer, b, a);
    expect(await statuses()).toEqual([200, 200, 404, 404, 200, 200, 404, 404]);
  });

  test('rejects an invalid photo with the field name and stores nothing', async () => {
    const { a, b, send, page } = await addConnectedPair();
    const before = (await testServer.keys()).size;
    for (const { make, name } of pictures.hostileFiles) {
      const bytes = new Uint8Array(await make());
      if (bytes.length === 0) continue;
      const upload_id = await uploadOf(a, bytes);
      const { status, body } = await send({ upload_id });
      expect([name, status, Object.keys(body.errors ?? {})]).toEqual([name, 422, ['image']]);
      await tus(testServer.url, a).remove(upload_id);
    }
    const getErrors = async (fields: object) => (await send(fields)).body.errors;
    expect(await getErrors({ upload_id: 'mine' })).toEqual({ upload_id: ['Send a UUID'] });
    expect(await getErrors({ upload_id: randomUUID() })).toEqual({
      upload_id: ['This upload has expired. Add the file again'],
    });
    const anothers = await addUpload(testServer, b);
    expect(await getErrors({ upload_id: anothers })).toEqual({
      upload_id: ['This upload has expired. Add the file again'],
    });
    await tus(testServer.url, b).remove(anothers);
    const half = await addUpload(testServer, a, { lengthBytes: 5000 });
    expect(await getErrors({ upload_id: half })).toEqual({ upload_id: ['This upload is not finished yet'] });
    await tus(testServer.url, a).remove(half);
    expect(await getErrors({ message: ' ' })).toEqual({ message: ['Write a message'] });
    expect([await page(), (await testServer.keys()).size]).toEqual([[], before]);
  });

  test('rejects a message to a conversation of others without reading the upload', async () => {
    const { conversationId, b } = await addConnectedPair();
    const stranger = await testServer.addPerformer();
    const upload_id = await addUpload(testServer, stranger);
    const answer = await testServer.call('POST /chat/send', {
      token: stranger.token,
      body: { conversation_id: conversationId, receiver_id: b.id, message: 'Hello', upload_id },
    });
    expect(answer.status).toBe(403);
    expect((await tus(testServer.url, stranger).head(upload_id)).status).toBe(200);
  });

  test('counts toward the storage quota of its sender', async () => {
    const { a, b, send } = await addConnectedPair(crowded);
    expect((await send({ upload_id: await uploadOn(crowded, a) })).status).toBe(201);
    const begin = async (person: Performer) => (await tus(crowded.url, person).create(randomUUID(), 180_000)).status;
    expect([await begin(a), await begin(b)]).toEqual([422, 201]);
  });

  test('survives a sweep and is deleted with either account', async () => {
    const { a, b, send } = await addConnectedPair();
    const { body } = await send({ upload_id: await addUpload(testServer, a) });
    const path = body.data.media!.path;
    await sweep(testServer, { filesOlderThan: new Date(Date.now() + 60_000) });
    expect((await fetched(path, b)).status).toBe(200);
    const key = path.replace('/storage/', '');
    expect(await testServer.keys()).toContain(key);
    const gone = await testServer.call('DELETE /account', { token: b.token, body: { password: b.password } });
    expect(gone.status).toBe(200);
    await testServer.runJobs();
    expect(await testServer.keys()).not.toContain(key);
  });
});

/** Uploads a picture that exceeds a quota of ten kilobytes. */
async function uploadOn(on: typeof testServer, person: Performer): Promise<string> {
  const id = randomUUID();
  const noise = await sharp(Buffer.from(Uint8Array.from({ length: 300 * 300 * 3 }, (_, n) => (n * 7919) % 251)), {
    raw: { width: 300, height: 300, channels: 3 },
  })
    .jpeg({ quality: 95 })
    .toBuffer();
  await tus(on.url, person).create(id, noise.length);
  await tus(on.url, person).patch(id, 0, new Uint8Array(noise));
  return id;
}
