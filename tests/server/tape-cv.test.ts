import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { TAPE_LIMITS } from '#contract/records/tapes.ts';
import { deleteOldTapes } from '#server/features/auditions/tapes-tidy.ts';
import { getFreeBytes } from '#server/features/uploads/quota.ts';
import { scriptPdf } from '../support/script-pdf.ts';
import { colleagueCalls } from './support/colleagues.ts';
import { useFileTestServer } from './support/files.ts';
import { linkCalls } from './support/links.ts';
import { mp4 } from './support/media-files.ts';
import { block } from './support/people.ts';
import { type Asked, DAY_MS, tapeCalls } from './support/tapes.ts';
import type { Person } from './support/test-server.ts';
import { sweep } from './support/uploads.ts';

const testServer = useFileTestServer();
const calls = tapeCalls(testServer);
const { addAudition, announce, arrive, fetchFile, getTapes, must, sendTape, upload } = calls;

/** An audition with a tape that has arrived with a CV. */
async function addTapeWithCv(pages = 2) {
  const audition = await addAudition();
  const pdf = await scriptPdf(pages);
  const tape = await sendTape(audition.performer, audition.requestId, { pdf });
  return { ...audition, tape, pdf, path: tape.cv!.path! };
}

/** Announces a tape of one take with a CV, and uploads both. */
async function bring(performer: Asked, requestId: string, pdf: Buffer) {
  const [take, cv] = [await upload(performer), await upload(performer, pdf)];
  const { id } = (await announce(performer, requestId, { uploadIds: [take], cv: { uploadId: cv } })).body.data;
  return { id, take, cv };
}

const getStatuses = (path: string, people: (Person | null)[]) =>
  Promise.all(people.map(async (person) => (await fetchFile(path, person)).status));

describe('the CV of a tape', () => {
  test('is announced with it and can be read by both sides when it has arrived', async () => {
    const { owner, performer, requestId } = await addAudition();
    const pdf = await scriptPdf(2);
    const [take, uploadId] = [await upload(performer), await upload(performer, pdf)];
    const announced = await announce(performer, requestId, { uploadIds: [take], cv: { uploadId, name: ' My CV ' } });
    expect(announced.body.data.cv).toEqual({ name: 'My CV', pages: null, size: 900, path: null });
    // Whoever knows the upload could take it.
    expect(announced.text).not.toContain(uploadId);
    expect((await getTapes(owner))[0]!.cv).toEqual(announced.body.data.cv);

    const arrived = await arrive(performer, announced.body.data.id, [uploadId, take]);
    const cv = { name: 'My CV', pages: 2, size: pdf.length, path: expect.stringMatching(/^\/storage\/.+\.pdf$/) };
    expect([arrived.status, arrived.body.data.cv]).toEqual([200, cv]);
    expect((await getTapes(owner))[0]!.cv).toEqual(arrived.body.data.cv);
    const path = arrived.body.data.cv!.path!;
    const stranger = await testServer.join();
    expect(await getStatuses(path, [performer, owner, stranger, null])).toEqual([200, 200, 404, 404]);
    expect((await fetchFile(path, owner)).headers).toMatchObject({
      'content-type': 'application/pdf',
      'cache-control': 'private, no-cache',
    });
    const { rows } = await testServer.database.pool.query('select 1 from uploads where user_id = $1', [performer.id]);
    expect(rows).toEqual([]);
    await sweep(testServer, { filesOlderThan: new Date(Date.now() + 1000) });
    expect(await getStatuses(path, [owner])).toEqual([200]);
    // Repeated, it changes nothing.
    expect((await arrive(performer, arrived.body.data.id, [uploadId, take])).body.data).toEqual(arrived.body.data);
  });

  test('is read by colleagues until they are removed', async () => {
    const { owner, role, path } = await addTapeWithCv();
    const { addColleague, remove } = colleagueCalls(testServer);
    const colleague = await addColleague(owner, role.project_id, 'read');
    expect(await getStatuses(path, [colleague])).toEqual([200]);
    await remove(owner, colleague.memberId);
    expect(await getStatuses(path, [colleague])).toEqual([404]);
  });

  test('is neither shown nor served by a link', async () => {
    const { owner, role, path, tape } = await addTapeWithCv();
    const links = linkCalls(testServer);
    const link = await links.makeLink(owner, role.id);
    const opened = await links.open(link);
    expect(opened.status).toBe(200);
    expect(opened.body.tapes[0]!.takes).toHaveLength(1);
    // Not only "CV": a signature has letters at random.
    for (const hidden of ['Ila Deshpande CV', '"cv"', path]) expect(opened.text).not.toContain(hidden);
    const { url } = opened.body.tapes[0]!.takes[0]!;
    expect((await links.fetchBytes(url.replace(tape.takes[0]!.id, randomUUID()))).status).toBe(404);
    const asLink = await testServer.call(`GET ${path}${url.slice(url.indexOf('?'))}`);
    expect(asLink.status).toBe(404);
  });

  test('goes with the tape when a newer one has arrived', async () => {
    const { owner, performer, requestId, path } = await addTapeWithCv();
    testServer.clock.advance(1000);
    const second = await sendTape(performer, requestId);
    expect(second.cv).toBeNull();
    expect((await getTapes(owner)).map(({ state, cv }) => [state, cv && [cv.name, cv.pages, cv.path]])).toEqual([
      ['replaced', ['Ila Deshpande CV', 2, null]],
      ['arrived', null],
    ]);
    expect(await getStatuses(path, [performer, owner])).toEqual([404, 404]);
    await testServer.runJobs();
    expect((await testServer.keys()).has(path.replace('/storage/', ''))).toBe(false);
  });

  test('is deleted when one blocks the other', async () => {
    const { owner, performer, path } = await addTapeWithCv();
    await block(testServer, performer, owner);
    expect(await getStatuses(path, [performer, owner])).toEqual([404, 404]);
  });

  test('is deleted with the tape 180 days after the answer', async () => {
    const { owner, performer, requestId, path } = await addTapeWithCv();
    await must(owner, `POST /casting/requests/${requestId}/answer`, { kind: 'no_thank_you', text: 'Thank you.' });
    const after = (days: number) => new Date(testServer.clock.now().getTime() + days * DAY_MS);
    await deleteOldTapes(testServer.database.db, after(179));
    expect(await getStatuses(path, [performer])).toEqual([200]);
    await deleteOldTapes(testServer.database.db, after(181));
    expect(await getStatuses(path, [performer])).toEqual([404]);
  });

  test('counts for the quota of the performer', async () => {
    const { owner, performer, requestId } = await addAudition();
    const free = ({ id }: Person) => getFreeBytes(testServer.database.db, { maxStorageBytes: 1e9 }, Number(id));
    const [video, pdf] = [mp4(), await scriptPdf(3)];
    const before = [await free(performer), await free(owner)];
    await sendTape(performer, requestId, { videos: [video], pdf });
    expect([await free(performer), await free(owner)]).toEqual([before[0]! - video.length - pdf.length, before[1]]);
  });

  test('says which upload the device has to send again, and keeps nothing until it has come', async () => {
    const { performer, requestId } = await addAudition();
    const [take, missing] = [await upload(performer), randomUUID()];
    const body = { uploadIds: [take], cv: { uploadId: missing } };
    const { id } = (await announce(performer, requestId, body)).body.data;
    const before = await testServer.keys();
    const early = await arrive(performer, id, [take, missing]);
    expect([early.status, Object.keys(early.body.errors!)]).toEqual([422, ['upload_ids']]);
    expect(await testServer.keys()).toEqual(before);
    const without = await arrive(performer, id, [take]);
    expect([without.status, Object.keys(without.body.errors!)]).toEqual([422, ['takes']]);
    await upload(performer, await scriptPdf(1), missing);
    expect((await arrive(performer, id, [take, missing])).body.data).toMatchObject({
      state: 'arrived',
      cv: { pages: 1 },
    });
  });
});

describe('a tape is refused on its CV', () => {
  test.each([
    ['is no PDF', () => mp4(), /^CV: Only PDF files/],
    [
      'has too many pages',
      () => scriptPdf(TAPE_LIMITS.cvPages + 1),
      `CV: This PDF has ${TAPE_LIMITS.cvPages + 1} pages, and ${TAPE_LIMITS.cvPages} are the most`,
    ],
    [
      'has a script',
      async () =>
        Buffer.concat([
          await scriptPdf(1),
          Buffer.from('\n9 0 obj\n<< /S /JavaScript /JS (app.alert(1)) >>\nendobj\n'),
        ]),
      /^CV: /,
    ],
  ])('that %s', async (_, make, reason) => {
    const { owner, performer, requestId } = await addAudition();
    const { id, take, cv } = await bring(performer, requestId, await make());
    const before = await testServer.keys();
    const first = await arrive(performer, id, [take, cv]);
    expect([first.status, first.body.message]).toEqual([
      422,
      typeof reason === 'string' ? reason : expect.stringMatching(reason),
    ]);
    expect(first.body.errors).toEqual({ cv: [first.body.message] });
    const again = await arrive(performer, id, [take, cv]);
    expect([again.status, again.body]).toEqual([422, first.body]);
    expect(await getTapes(owner)).toMatchObject([
      { state: 'refused', reason: first.body.message, cv: { path: null }, takes: [{ path: null }] },
    ]);
    expect(await testServer.keys()).toEqual(before);
    // Another one takes its place, even late.
    testServer.clock.advance(11 * DAY_MS);
    const second = await sendTape(performer, requestId, { pdf: await scriptPdf(TAPE_LIMITS.cvPages) });
    expect(second).toMatchObject({ state: 'arrived', cv: { pages: TAPE_LIMITS.cvPages } });
  });

  test('that has no name or is one of the takes, before anything is stored', async () => {
    const { performer, requestId } = await addAudition();
    const uploadId = randomUUID();
    const asTake = await announce(performer, requestId, { uploadIds: [uploadId], cv: { uploadId } });
    expect([asTake.status, asTake.body.errors]).toEqual([422, { cv: ['A take cannot be the CV'] }]);
    const unnamed = await announce(performer, requestId, { cv: { uploadId, name: ' ' } });
    expect([unnamed.status, Object.keys(unnamed.body.errors!)]).toEqual([422, [expect.stringMatching(/^cv/)]]);
    expect(await getTapes(performer)).toEqual([]);
  });
});
