import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { eq } from 'drizzle-orm';
import { expect, onTestFinished, test, vi } from 'vitest';
import type { Notification } from '#contract/records/notifications.ts';
import { LINK_LIMITS, type ShareLink } from '#contract/records/links.ts';
import { passWhile } from '#server/features/watch/files.ts';
import { castingLinks, users } from '#server/platform/db/schema.ts';
import { useFileTestServer } from './support/files.ts';
import { linkCalls, type MadeLink } from './support/links.ts';
import { mp4 } from './support/media-files.ts';
import { block } from './support/people.ts';
import { jpeg } from './support/pictures.ts';
import { DAY_MS, tapeCalls } from './support/tapes.ts';
import type { Person } from './support/test-server.ts';

const testServer = useFileTestServer({ appFiles: { 'index.html': '<title>Callboard</title>' } });
const calls = tapeCalls(testServer);
const links = linkCalls(testServer);
const HOUR_MS = 3_600_000;

/** A role with a tape that has arrived, and a link to all tapes that was opened. */
async function addOpened(options: Parameters<typeof links.makeLink>[2] = {}) {
  const audition = await calls.addAudition();
  const tape = await calls.sendTape(audition.performer, audition.requestId, { note: 'My number is 0172 555' });
  const link = await links.makeLink(audition.owner, audition.role.id, options);
  const opened = await links.open(link, options.code);
  expect(opened.status).toBe(200);
  const { session } = opened.body;
  return { ...audition, tape, link, session, shown: opened.body, url: opened.body.tapes[0]!.takes[0]!.url };
}

/** Whether the link still shows its tape to the page that has opened it, by each way. */
async function getStatuses({ link, session, url }: { link: MadeLink; session: string; url: string }) {
  const [read, check, bytes, again] = await Promise.all([
    links.read(link, session),
    links.check(link, session),
    links.fetchBytes(url, 'bytes=0-3'),
    links.open(link),
  ]);
  return [read.status, check.status, bytes.status, again.status];
}
const WORKS = [200, 200, 206, 200];
const ENDED = [404, 404, 404, 404];

const getNames = async (link: MadeLink, session: string) =>
  (await links.read(link, session)).body.tapes.map(({ name }) => name);

const getRecord = async (owner: Person, { id }: Pick<ShareLink, 'id'>) =>
  (await calls.getRecords<ShareLink>(owner, 'link')).find((each) => each.id === id)!;

test('a link stays its owner’s, also for somebody else who has its address', async () => {
  const { link, shown } = await addOpened();
  const other = await calls.addAudition();
  const { body } = links.toLink(other.role.id);
  const { client_id, token_hash } = link;
  const taken = { ...body, client_id, token_hash };
  const refused = await testServer.call('POST /casting/links', { token: other.owner.token, body: taken });
  expect([refused.status, Object.keys(refused.body.errors ?? {})]).toEqual([422, ['client_id']]);
  // Even if there were one, the first would be opened.
  await testServer.database.db.insert(castingLinks).values({
    ...{ userId: Number(other.owner.id), roleId: Number(other.role.id), clientId: client_id, tokenHash: token_hash },
    ...{ name: 'Mine', watermark: 'Mine', expiresAt: new Date(link.expires_at), codeHash: null, tapeIds: null },
    ...{ createdAt: testServer.clock.now(), updatedAt: testServer.clock.now() },
  });
  for (let n = 0; n < 3; n += 1) expect((await links.open(link)).body).toMatchObject({ watermark: shown.watermark });
});

test('a link shows names and takes, and nothing else of anybody', async () => {
  const { link, shown, performer, tape, owner } = await addOpened({ watermark: 'For Anand' });
  expect(shown).toEqual({
    session: expect.any(String),
    project: 'The Salt Road',
    role: 'Naseem',
    shared_by: 'Meera Casting',
    watermark: 'For Anand',
    expires_at: link.expires_at,
    tapes: [
      {
        name: performer.name,
        takes: [
          {
            id: tape.takes[0]!.id,
            label: 'Take 1',
            duration: expect.any(Number),
            width: expect.any(Number),
            height: expect.any(Number),
            url: expect.stringContaining(`/watch/${link.client_id}/takes/`),
            poster_url: null,
            strip_url: null,
          },
        ],
      },
    ],
    urls_expire_at: new Date(testServer.clock.now().getTime() + HOUR_MS).toISOString(),
  });
  // The key of the file would name it in other routes.
  expect(JSON.stringify(shown)).not.toContain(tape.takes[0]!.path!.split('/').pop());
  expect(await getRecord(owner, link)).toMatchObject({ opened: 1, has_code: false, name: 'Anand Rege' });
});

test('the bytes of a take come whole and in ranges, under no name', async () => {
  const { url } = await addOpened();
  const part = await links.fetchBytes(url, 'bytes=4-7');
  expect([part.status, part.text]).toEqual([206, 'ftyp']);
  const whole = await links.fetchBytes(url);
  expect([whole.status, Number(whole.headers['content-length'])]).toEqual([200, mp4().length]);
  expect(whole.headers['content-disposition']).toBe('inline');
});

test('pages, answers, refusals and bytes of links are not indexed, sent on as referrers or stored', async () => {
  const { link, session, url } = await addOpened();
  const page = await testServer.app.inject({ url: `/watch/${link.client_id}`, headers: { accept: 'text/html' } });
  const answers = [
    page,
    await links.open(link),
    await links.read(link, session),
    await links.read(link, 'wrong'),
    await links.fetchBytes(url),
    await links.fetchBytes(`${url}0`),
    await testServer.call(`GET /watch/${link.client_id}/session`),
  ];
  for (const { headers } of answers) {
    expect(headers).toMatchObject({
      'x-robots-tag': 'noindex',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
  }
  expect(page.body).toContain('<meta name="robots" content="noindex" />');
});

test('an unknown, expired, revoked or closed link, a wrong token and a wrong code are refused alike and as slowly', async () => {
  const { owner, role } = await calls.addAudition();
  const [good, expired, revoked, closed] = await Promise.all([
    links.makeLink(owner, role.id, { code: 'ghost light' }),
    links.makeLink(owner, role.id, { days: 0.1 }),
    links.makeLink(owner, role.id),
    links.makeLink(owner, role.id, { code: 'ghost light' }),
  ]);
  await links.revoke(owner, revoked.id);
  const { pool } = testServer.database;
  await pool.query("update casting_links set expires_at = '2026-01-01' where id = $1", [expired.id]);
  await pool.query("update casting_links set closed_until = '2027-01-01' where id = $1", [closed.id]);
  const refusals = [
    () => links.open({ ...good, client_id: '5f3c2a9e-0b1d-4c8a-9e54-0d7f6b1a2c3e' }, 'ghost light'),
    () => links.open({ ...good, client_id: 'not-a-uuid' }, 'ghost light'),
    () => links.open({ ...good, token: 'f'.repeat(32) }, 'ghost light'),
    () => links.open(expired),
    () => links.open(revoked),
    () => links.open(closed, 'ghost light'),
    () => links.open(good, 'limelight'),
    () => links.open(good),
  ];
  const told = new Set<string>();
  for (const refusal of refusals) {
    const begun = performance.now();
    const { status, text, headers } = await refusal();
    expect(performance.now() - begun).toBeGreaterThan(145);
    const { 'x-request-id': _id, 'set-cookie': _cookie, date: _date, ...same } = headers;
    told.add(JSON.stringify([status, text, same]));
  }
  expect(told.size).toBe(1);
  expect([...told][0]).toContain('[404,');
  // Capital letters and spaces around it are not what a code is about.
  expect((await links.open(good, ' Ghost Light ')).status).toBe(200);
});

test('twenty wrong codes close a link for an hour, and five such hours end it', async () => {
  const { owner, link, session, url } = await addOpened({ code: 'ghost light' });
  const guess = async (times: number) => {
    for (let at = 0; at < times; at += 1) expect((await links.open(link, `guess ${at}`)).status).toBe(404);
  };
  const { pool } = testServer.database;
  await pool.query('update casting_links set wrong_codes = 18 where id = $1', [link.id]);
  await guess(1);
  expect((await links.open(link, 'ghost light')).status).toBe(200);
  await pool.query('update casting_links set wrong_codes = 18 where id = $1', [link.id]);
  await guess(2);
  expect((await links.open(link, 'ghost light')).status).toBe(404);
  const closed = await getRecord(owner, link);
  expect(Date.parse(closed.closed_until!) - testServer.clock.now().getTime()).toBe(HOUR_MS);
  // Whoever is watching already is not disturbed by somebody who guesses.
  expect((await links.read(link, session)).status).toBe(200);
  testServer.clock.advance(HOUR_MS);
  expect((await links.open(link, 'ghost light')).status).toBe(200);
  await pool.query('update casting_links set wrong_codes = 19, closings = 4 where id = $1', [link.id]);
  await guess(1);
  expect(await getRecord(owner, link)).toMatchObject({ revoked_by: 'wrong codes' });
  testServer.clock.advance(2 * HOUR_MS);
  expect((await links.open(link, 'ghost light')).status).toBe(404);
  expect([(await links.read(link, session)).status, (await links.fetchBytes(url)).status]).toEqual([404, 404]);
});

test('a link ends at its time, an opening after twelve hours, and an address after one', async () => {
  const { link, session, url } = await addOpened({ days: 1 });
  testServer.clock.advance(HOUR_MS);
  expect((await links.fetchBytes(url)).status).toBe(404);
  const renewed = (await links.read(link, session)).body.tapes[0]!.takes[0]!.url;
  expect((await links.fetchBytes(renewed)).status).toBe(200);
  testServer.clock.advance(11 * HOUR_MS);
  expect([(await links.read(link, session)).status, (await links.fetchBytes(renewed)).status]).toEqual([404, 404]);
  const late = await links.open(link);
  expect(late.status).toBe(200);
  testServer.clock.advance(11.5 * HOUR_MS);
  const last = (await links.read(link, late.body.session)).body;
  expect(Date.parse(last.urls_expire_at) - testServer.clock.now().getTime()).toBe(HOUR_MS / 2);
  testServer.clock.advance(HOUR_MS / 2);
  expect([(await links.read(link, late.body.session)).status, (await links.open(link)).status]).toEqual([404, 404]);
});

test('revoking a link ends it at once for who has it open', async () => {
  const opened = await addOpened();
  expect(await getStatuses(opened)).toEqual(WORKS);
  const { status, body } = await links.revoke(opened.owner, opened.link.id);
  expect([status, body.data.revoked_by]).toEqual([200, 'owner']);
  expect(await getStatuses(opened)).toEqual(ENDED);
  // Again, it changes nothing.
  testServer.clock.advance(HOUR_MS);
  expect((await links.revoke(opened.owner, opened.link.id)).body.data).toEqual(body.data);
});

test('bytes that are on their way break off within a second after the link ended, and are checked no more often', async () => {
  const now = vi.spyOn(performance, 'now');
  onTestFinished(() => now.mockRestore());
  let at = 0;
  now.mockImplementation(() => at);
  /** A slow connection: each piece takes 0.6 s. */
  const pieces = Array.from({ length: 10 }, (_, n) => String(n));
  async function* send() {
    for (const piece of pieces) {
      await Promise.resolve();
      at += 600;
      yield piece;
    }
  }
  const isAllowed = vi.fn(() => Promise.resolve(true));
  expect(await text(passWhile(isAllowed, Readable.from(send())))).toBe(pieces.join(''));
  expect(isAllowed).toHaveBeenCalledTimes(pieces.length / 2);
  const passed: string[] = [];
  const ended = passWhile(() => Promise.resolve(passed.length < 3), Readable.from(send()));
  const read = async () => {
    for await (const piece of ended) passed.push(String(piece));
  };
  await expect(read()).rejects.toThrow('ended');
  expect(passed.length).toBeLessThanOrEqual(5);
});

test('a viewer who leaves before the first byte leaves no file open', async () => {
  const source = Readable.from(['never read']);
  const shown = passWhile(() => Promise.resolve(true), source);
  shown.destroy();
  await once(shown, 'close');
  expect(source.destroyed).toBe(true);
});

test('a suspended owner shows nothing, nor does one whose account is deleted', async () => {
  const opened = await addOpened();
  const { owner } = opened;
  const setState = (state: 'active' | 'suspended') =>
    testServer.database.db
      .update(users)
      .set({ state })
      .where(eq(users.id, Number(owner.id)));
  await setState('suspended');
  expect(await getStatuses(opened)).toEqual(ENDED);
  await setState('active');
  expect((await links.read(opened.link, opened.session)).status).toBe(200);
  const body = { password: owner.password };
  expect((await testServer.call('DELETE /account', { token: owner.token, body })).status).toBe(200);
  expect(await getStatuses(opened)).toEqual(ENDED);
});

/** What takes a tape out of every link, and whether it comes back. */
const TAKEN_OUT: Record<string, (tape: Awaited<ReturnType<typeof addOpened>>) => Promise<unknown>> = {
  'its performer blocks the owner': ({ performer, owner }) => block(testServer, performer, owner),
  'it is replaced': ({ performer, requestId }) => calls.sendTape(performer, requestId),
  'its performer deletes their account': ({ performer }) =>
    testServer.call('DELETE /account', { token: performer.token, body: { password: performer.password } }),
  'its performer turns out to be a minor': ({ performer }) =>
    testServer.database.db
      .update(users)
      .set({ isMinor: true })
      .where(eq(users.id, Number(performer.id))),
  'its performer is suspended': ({ performer }) =>
    testServer.database.pool.query("update users set state = 'suspended' where id = $1", [performer.id]),
  'the request is withdrawn': ({ owner, requestId }) =>
    calls.must(owner, `POST /casting/requests/${requestId}/withdraw`, {}),
  'its performer finishes another one that links must not show': ({ performer, requestId }) =>
    calls.announce(performer, requestId, { noLinks: true }),
  'another one that links must not show turned out to be no video': async ({ performer, requestId }) => {
    const { data } = (await calls.announce(performer, requestId, { noLinks: true })).body;
    await testServer.database.pool.query("update audition_tapes set state = 'refused' where id = $1", [data.id]);
  },
};
test.each(Object.entries(TAKEN_OUT))('a tape leaves a link at once when %s', async (_title, takeOut) => {
  const opened = await addOpened();
  await takeOut(opened);
  const { link, session, url, tape } = opened;
  expect((await links.fetchBytes(url)).status).toBe(404);
  const after = await links.read(link, session);
  expect(after.status).toBe(200);
  expect(JSON.stringify(after.body.tapes)).not.toContain(tape.takes[0]!.id);
});

test('links never show tapes whose performers refused it, or who are minors', async () => {
  const { owner, role, performer, requestId } = await calls.addAudition();
  const [minor, other] = [await calls.addPerformer('Too Young'), await calls.addPerformer('Omar Sheikh')];
  const refused = await calls.sendTape(performer, requestId, { noLinks: true });
  expect(refused.no_links).toBe(true);
  const ofMinor = await calls.sendTape(minor, await calls.ask(owner, role.id, minor));
  await testServer.database.db
    .update(users)
    .set({ isMinor: true })
    .where(eq(users.id, Number(minor.id)));
  const shared = await calls.sendTape(other, await calls.ask(owner, role.id, other));
  for (const tapeIds of [null, [refused.id, ofMinor.id, shared.id]]) {
    const opened = await links.open(await links.makeLink(owner, role.id, { tapeIds }));
    expect(opened.body.tapes.map(({ name }) => name)).toEqual(['Omar Sheikh']);
  }
});

test('a link shows the pictures of a take, each by an address of its own', async () => {
  const { owner, performer, role, requestId } = await calls.addAudition();
  const [poster, strip] = [await jpeg(480, 270), await jpeg(960, 90)].map((each) => each.toString('base64'));
  await calls.sendTape(performer, requestId, { posters: [poster!], strips: [strip!] });
  const { body } = await links.open(await links.makeLink(owner, role.id));
  const { url, poster_url: posterUrl, strip_url: stripUrl } = body.tapes[0]!.takes[0]!;
  const answers = await Promise.all([posterUrl!, stripUrl!].map((each) => links.fetchBytes(each)));
  expect(answers.map(({ status, headers }) => [status, headers['content-type']])).toEqual([
    [200, 'image/webp'],
    [200, 'image/webp'],
  ]);
  expect((await links.fetchBytes(stripUrl!.replace('part=strip', 'part=video'))).status).toBe(404);
  expect((await links.fetchBytes(url.replace('part=video', 'part=strip'))).status).toBe(404);
});

test('a link to some tapes shows these, and one to all shows those that come later too', async () => {
  const { owner, role, link, session, tape } = await addOpened();
  const some = await links.makeLink(owner, role.id, { tapeIds: [tape.id] });
  const ofSome = (await links.open(some)).body.session;
  const other = await calls.addPerformer('Omar Sheikh');
  const later = await calls.sendTape(other, await calls.ask(owner, role.id, other));
  expect(await getNames(link, session)).toEqual(['Ila Deshpande', 'Omar Sheikh']);
  expect(await getNames(some, ofSome)).toEqual(['Ila Deshpande']);
  // An address that the one link gave says nothing about the other, and the take is not in it.
  const url = (await links.read(link, session)).body.tapes[1]!.takes[0]!.url;
  expect((await links.fetchBytes(url)).status).toBe(200);
  expect((await links.fetchBytes(url.replace(link.client_id, some.client_id))).status).toBe(404);
  const opening = /opening=(\d+)/.exec((await links.read(some, ofSome)).body.tapes[0]!.takes[0]!.url)![0];
  expect((await links.fetchBytes(url.replace(/opening=\d+/, opening))).status).toBe(404);
  expect((await links.fetchBytes(url.replace('part=video', 'part=poster'))).status).toBe(404);
  await links.change(owner, some.id, { tape_ids: [later.id] });
  expect(await getNames(some, ofSome)).toEqual(['Omar Sheikh']);
});

test('a tape that is gone leaves the choice of a link, as long as another one is left', async () => {
  const { owner, role, tape } = await addOpened();
  const other = await calls.addPerformer('Omar Sheikh');
  const gone = await calls.sendTape(other, await calls.ask(owner, role.id, other));
  const both = await links.makeLink(owner, role.id, { tapeIds: [gone.id, tape.id] });
  const one = await links.makeLink(owner, role.id, { tapeIds: [gone.id] });
  await testServer.database.pool.query('delete from audition_tapes where id = $1', [gone.id]);
  // The form has no box to untick for it, and sends it with the others.
  const changed = await links.change(owner, one.id, { tape_ids: [gone.id, tape.id] });
  expect([changed.status, changed.body.data.tape_ids]).toEqual([200, [tape.id]]);
  expect((await links.makeLink(owner, role.id, { tapeIds: [tape.id, gone.id, tape.id] })).tape_ids).toEqual([tape.id]);
  const empty = await links.change(owner, both.id, { tape_ids: [gone.id] });
  expect([empty.status, empty.body.errors]).toEqual([422, { tape_ids: ['These tapes are no longer there'] }]);
  expect((await getRecord(owner, both)).tape_ids).toEqual([gone.id, tape.id]);
});

test('a link gives nothing but its own tapes: no list, no other role, no call of either side', async () => {
  const { owner, link, session, tape } = await addOpened();
  const other = await calls.addAudition();
  const foreign = await calls.sendTape(other.performer, other.requestId);
  const ofAnotherRole = await calls.addRole(owner, 'Farah');
  const performer = await calls.addPerformer('Omar Sheikh');
  const beside = await calls.sendTape(performer, await calls.ask(owner, ofAnotherRole.id, performer));
  expect(await getNames(link, session)).toEqual(['Ila Deshpande']);
  for (const { takes } of [foreign, beside])
    expect((await links.tellViewed(link, session, takes[0]!.id, 5)).status).toBe(404);
  // A session is no token.
  const asSession = { headers: { 'x-watch-session': session, authorization: `Bearer ${session}` } };
  for (const path of [
    '/sync',
    '/casting/links',
    `/auditions/tapes/${tape.id}/links`,
    tape.takes[0]!.path!,
    '/account/export',
  ])
    expect([401, 404]).toContain((await testServer.call(`GET ${path}`, asSession)).status);
  expect((await testServer.call(`GET /watch`, asSession)).status).toBe(404);
  // The session of one link opens no other.
  const second = await links.makeLink(owner, ofAnotherRole.id);
  expect((await links.read(second, session)).status).toBe(404);
});

test('watching by a link for three seconds tells the performer once, and the owner how long it was', async () => {
  const { owner, performer, link, session, tape } = await addOpened();
  const takeId = tape.takes[0]!.id;
  testServer.clock.advance(90_000);
  await links.tellViewed(link, session, takeId, 2);
  expect((await calls.getAudition(performer)).watched_at).toBeNull();
  await links.tellViewed(link, session, takeId, 1);
  const first = (await calls.getAudition(performer)).watched_at;
  expect(first).toBe(testServer.clock.now().toISOString());
  testServer.clock.advance(60_000);
  await links.tellViewed(link, session, takeId, 60);
  expect((await calls.getAudition(performer)).watched_at).toBe(first);
  const news = await calls.getRecords<Notification>(performer, 'notification');
  expect(news.filter(({ type }) => type === 'audition.watched')).toHaveLength(1);
  expect((await getRecord(owner, link)).openings).toMatchObject([{ seconds: 63 }]);
  // Nobody has watched for longer than the page was open.
  for (let at = 0; at < 3; at += 1) await links.tellViewed(link, session, takeId, LINK_LIMITS.reportSeconds);
  const { rows } = await testServer.database.pool.query('select seconds from casting_link_openings');
  expect(rows.every(({ seconds }) => seconds <= 150)).toBe(true);
});

test('a link is made once, by the owner of the role alone', async () => {
  const { owner, role, performer } = await calls.addAudition();
  const { body } = links.toLink(role.id);
  const make = (person: Person, fields: object = {}) =>
    testServer.call<{ data: ShareLink; errors?: object }>('POST /casting/links', {
      token: person.token,
      body: { ...body, ...fields },
    });
  const first = await make(owner);
  expect([first.status, (await make(owner)).status]).toEqual([201, 200]);
  expect((await make(owner)).body.data).toEqual(first.body.data);
  for (const person of [performer, await testServer.join()]) expect((await make(person)).status).toBe(404);
  const tooLate = new Date(testServer.clock.now().getTime() + 31 * DAY_MS).toISOString();
  const foreign = (await calls.sendTape(performer, (await calls.getAudition(performer)).id)).id;
  const otherRole = await calls.addRole(owner, 'Farah');
  const wrong: [object, string][] = [
    [{ expires_at: testServer.clock.now().toISOString() }, 'expires_at'],
    [{ expires_at: tooLate }, 'expires_at'],
    [{ role_id: otherRole.id, tape_ids: [foreign] }, 'tape_ids'],
    [{ tape_ids: ['x'] }, 'tape_ids'],
    [{ token_hash: 'abc' }, 'token_hash'],
    [{ watermark: ' ' }, 'watermark'],
  ];
  for (const [fields, field] of wrong) {
    const answer = await make(owner, { client_id: '5f3c2a9e-0b1d-4c8a-9e54-0d7f6b1a2c3e', ...fields });
    expect([answer.status, Object.keys(answer.body.errors ?? {})]).toEqual([422, [field]]);
  }
});

test('neither the token nor the code is stored', async () => {
  const { owner, role } = await calls.addAudition();
  const link = await links.makeLink(owner, role.id, { code: 'ghost light' });
  await links.open(link, 'ghost light');
  const { rows } = await testServer.database.pool.query('select row_to_json(l) as row from casting_links l');
  const stored = JSON.stringify(rows);
  expect(stored).toContain(link.client_id);
  for (const secret of [link.token, 'ghost light']) expect(stored).not.toContain(secret);
});

test('a role has twenty links that work, and an expired one is opened again only where there is room', async () => {
  const { owner, role } = await calls.addAudition();
  const first = await links.makeLink(owner, role.id, { days: 0.01 });
  testServer.clock.advance(DAY_MS);
  for (let at = 0; at < LINK_LIMITS.livePerRole; at += 1) await links.makeLink(owner, role.id);
  await expect(links.makeLink(owner, role.id)).rejects.toThrow('up to 20 links');
  const later = { expires_at: new Date(testServer.clock.now().getTime() + DAY_MS).toISOString() };
  expect((await links.change(owner, first.id, later)).status).toBe(422);
  const [, second] = await calls.getRecords<ShareLink>(owner, 'link');
  await links.revoke(owner, second!.id);
  expect((await links.change(owner, first.id, later)).status).toBe(200);
  expect((await links.change(owner, second!.id, later)).status).toBe(409);
});

test('a changed link keeps what is left out', async () => {
  const { owner, link } = await addOpened();
  const changed = await links.change(owner, link.id, { name: 'Farah Khan' });
  expect(changed.body.data).toMatchObject({ name: 'Farah Khan', watermark: 'Anand Rege', tape_ids: null });
});

test('links go with their role, and the owner’s devices hear of it', async () => {
  const owner = await testServer.join();
  const role = await calls.addRole(owner);
  const link = await links.makeLink(owner, role.id);
  type Page = { cursor: string; records: { type: string; id: string; body: object | null }[] };
  const { cursor } = (await testServer.call<Page>('GET /sync', { token: owner.token })).body;
  expect((await testServer.call(`DELETE /casting/roles/${role.id}`, { token: owner.token })).status).toBe(200);
  const { body } = await testServer.call<Page>(`GET /sync?cursor=${cursor}`, { token: owner.token });
  expect(body.records).toContainEqual(expect.objectContaining({ type: 'link', id: link.id, body: null }));
  expect((await links.open(link)).status).toBe(404);
});
