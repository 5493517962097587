import { randomUUID } from 'node:crypto';
import { expect, test } from 'vitest';
import type { TapeLinks } from '#contract/records/tapes.ts';
import { deskCalls } from './support/desk.ts';
import { useFileTestServer } from './support/files.ts';
import { mp4 } from './support/media-files.ts';
import { block } from './support/people.ts';
import { tapeCalls } from './support/tapes.ts';
import type { Person } from './support/test-server.ts';

const testServer = useFileTestServer();
const { addAudition, addPerformer, announce, ask, fetchFile, sendTape } = tapeCalls(testServer);
const { joinDesk, act, undo, inDays } = deskCalls(testServer);
const HOUR_MS = 3_600_000;

const getLinks = (person: Person | null, tapeId: string) =>
  testServer.call<TapeLinks>(`GET /auditions/tapes/${tapeId}/links`, { token: person?.token ?? null });

test('both sides of an audition get links to its takes, and nobody else learns of the tape', async () => {
  const { owner, performer, requestId, role } = await addAudition();
  const tape = await sendTape(performer, requestId, { videos: [mp4(), mp4()] });
  const other = await addPerformer('Omar Sheikh');
  await ask(owner, role.id, other);
  const who = [performer, owner, other, await testServer.join(), null];
  const answers = await Promise.all(who.map((person) => getLinks(person, tape.id)));
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 404, 404, 401]);
  for (const { body } of answers.slice(0, 2)) {
    expect(body.takes.map(({ id }) => id)).toEqual(tape.takes.map(({ id }) => id));
    // A video sends no token.
    const part = await fetchFile(body.takes[1]!.url, null, { range: 'bytes=4-7' });
    expect([part.status, part.text]).toEqual([206, 'ftyp']);
  }
});

test('a link works for an hour, for this file alone, and only unaltered', async () => {
  const { owner, performer, requestId } = await addAudition();
  const tape = await sendTape(performer, requestId, { videos: [mp4(), mp4()] });
  const { body } = await getLinks(owner, tape.id);
  expect(Date.parse(body.expires_at) - testServer.clock.now().getTime()).toBe(HOUR_MS);
  const { url } = body.takes[0]!;
  const query = url.slice(url.indexOf('?'));
  const longer = url.replace(/expires=(\d+)/, (_, at: string) => `expires=${Number(at) + 3600}`);
  for (const forged of [`${tape.takes[1]!.path}${query}`, longer, url.slice(0, -2)])
    expect((await fetchFile(forged, null)).status).toBe(404);
  testServer.clock.advance(HOUR_MS - 1000);
  expect((await fetchFile(url, null)).status).toBe(200);
  testServer.clock.advance(1000);
  expect((await fetchFile(url, null)).status).toBe(404);
});

test('a tape whose bytes are on their way, or that was replaced, has no links', async () => {
  const { owner, performer, requestId } = await addAudition();
  const first = await sendTape(performer, requestId);
  const { url } = (await getLinks(owner, first.id)).body.takes[0]!;
  const waiting = (await announce(performer, requestId, { uploadIds: [randomUUID()] })).body.data;
  expect((await getLinks(owner, waiting.id)).body.takes).toEqual([]);
  await sendTape(performer, requestId);
  expect((await getLinks(owner, first.id)).body.takes).toEqual([]);
  expect((await fetchFile(url, null)).status).toBe(404);
});

test.each([null, 'consent'])(
  'links end with a block, and with what the desk decides, for the other side (%s)',
  async (reason) => {
    const { owner, performer, requestId } = await addAudition();
    const tape = await sendTape(performer, requestId);
    const { url } = (await getLinks(owner, tape.id)).body.takes[0]!;
    const { pool } = testServer.database;
    // A profile that waits for its owner to agree to the texts shows that reason first.
    await pool.query('update profiles set withheld = $2 where user_id = $1', [performer.id, reason]);
    const noor = await joinDesk('moderator');
    for (const [name, type, id, more] of [
      ['suspend', 'user', performer.id, { until: inDays(7) }],
      ['hide', 'profile', performer.profileId, {}],
    ] as const) {
      const done = await act(noor, name, type, id, more);
      expect((await getLinks(owner, tape.id)).body.takes).toEqual([]);
      expect((await fetchFile(url, null)).status).toBe(404);
      await undo(noor, done);
      expect((await fetchFile(url, null)).status).toBe(200);
    }
    await block(testServer, performer, owner);
    expect((await getLinks(owner, tape.id)).status).toBe(404);
    expect((await fetchFile(url, null)).status).toBe(404);
  },
);
