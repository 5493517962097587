import { describe, expect, it } from 'vitest';
import { sectionOf } from '#contract/sections/index.ts';
import { sectionItems } from '#db/single-items.ts';
import { listWaiting } from '#sync/queue/waiting.ts';
import { resolveConflict } from '#sync/queue/resolutions.ts';
import { create, remove, update } from '#sync/queue/outbox.ts';
import { blankRow, bodyOf, useSendingDevice } from './sending-device.ts';

const links = sectionOf('social_link')!;
const device = useSendingDevice();
const { drain, rows } = device;

describe('a second local id of a server record', () => {
  const stored = { id: 5, profile_id: 7, version: 2, client_id: 'first', website_url: 'https://meera.example' };

  it('is acknowledged, and edits under either id share one lane', async () => {
    const first = await create(device.ports, 'social_link', '7', { website_url: null });
    device.answer = () => ({ status: 201, body: { data: { ...stored, version: 1, website_url: null } } });
    await drain();
    // Simulates a tab of an earlier version, which queued a second create instead of editing the first row.
    await device.db.outbox.add({ ...blankRow(), op: 'op-2', target: 'L_second', lane: 'social_link:L_second' });
    await update(device.ports, 'social_link', 'L_second', { facebook_url: 'https://facebook.com/meera' });
    await device.db.outbox
      .where('op')
      .equals('op-2')
      .modify({ patch: { website_url: stored.website_url } });
    device.answer = () => ({ status: 200, body: { data: stored } });
    await drain();
    expect(await rows()).toEqual([]);
    const items = await sectionItems(device.db, links, '7');
    expect(items.map(({ id, serverId, aliases }) => [id, serverId, aliases])).toEqual([[first.id, '5', ['L_second']]]);
    await update(device.ports, 'social_link', 'L_second', { threads_url: 'https://threads.net/meera' });
    expect((await rows()).map(({ target, lane }) => [target, lane])).toEqual([[first.id, `social_link:${first.id}`]]);
  });

  it('moves the rows behind it into the lane of the first id', async () => {
    const first = await create(device.ports, 'social_link', '7', { website_url: null });
    device.answer = () => ({ status: 201, body: { data: { ...stored, version: 1, website_url: null } } });
    await drain();
    await device.db.outbox.add({ ...blankRow(), target: 'L_second', lane: 'social_link:L_second', sentOnce: true });
    await update(device.ports, 'social_link', 'L_second', { facebook_url: 'https://facebook.com/meera' });
    device.answer = ({ method }) =>
      method === 'POST' ? { status: 200, body: { data: stored } } : { status: 503, body: null };
    await drain();
    expect((await rows()).map(({ kind, target, lane }) => [kind, target, lane])).toEqual([
      ['update', first.id, `social_link:${first.id}`],
    ]);
  });

  it('is created when the delete of the first record may have been sent', async () => {
    await device.db.records.put({ type: 'social_link', id: '5', parent: '7', body: stored, version: 2 });
    const { op } = await remove(device.ports, 'social_link', '5');
    await device.db.outbox.where('op').equals(op).modify({ sentOnce: true });
    await create(device.ports, 'social_link', '7', { threads_url: 'https://threads.net/meera' });
    expect((await rows()).map(({ kind }) => kind)).toEqual(['delete', 'create']);
  });

  it('is not created when the list has a record: that record is edited', async () => {
    await device.db.records.put({ type: 'social_link', id: '5', parent: '7', body: stored, version: 2 });
    const made = await create(device.ports, 'social_link', '7', {
      facebook_url: 'https://facebook.com/meera',
      threads_url: null,
    });
    expect(made.id).toBe('5');
    expect(await rows()).toMatchObject([
      { kind: 'update', target: '5', patch: { facebook_url: 'https://facebook.com/meera' }, baseVersion: 2 },
    ]);
  });

  it('is not created while the first create is queued: both merge into one', async () => {
    const first = await create(device.ports, 'social_link', '7', { website_url: 'https://meera.example' });
    const second = await create(device.ports, 'social_link', '7', { facebook_url: 'https://facebook.com/meera' });
    expect(second.id).toBe(first.id);
    expect(await rows()).toMatchObject([
      { kind: 'create', patch: { website_url: 'https://meera.example', facebook_url: 'https://facebook.com/meera' } },
    ]);
  });
});

describe('links that two devices filled in independently', () => {
  const mine = 'https://facebook.com/mine';
  const theirs = 'https://facebook.com/theirs';
  const website = 'https://meera.example';
  const empty = { facebook_url: null, instagram_url: null, threads_url: null, youtube_url: null, website_url: null };
  let stored: Record<string, unknown>;

  /** Stores another device's links and answers requests for them. */
  const beside = (fields: Record<string, unknown>) => {
    stored = { id: 5, profile_id: 7, client_id: 'other', version: 1, ...empty, ...fields };
    device.answer = (request) => {
      const { method, headers } = request;
      const filled = Object.entries(bodyOf(request)).filter(([field, value]) => field in empty && value !== null);
      const replaces = filled.some(([field, value]) => stored[field] !== null && stored[field] !== value);
      const isLate = 'if-match' in headers && headers['if-match'] !== `"${String(stored.version)}"`;
      if (isLate || (headers['if-none-match'] === '*' && replaces)) {
        return { status: 412, body: { message: 'Changed elsewhere', data: stored } };
      }
      if (method === 'DELETE') return { status: 200, body: { message: 'Deleted' } };
      const given = method === 'PATCH' ? bodyOf(request) : Object.fromEntries(filled);
      stored = { ...stored, ...given, version: Number(stored.version) + 1 };
      return { status: 200, body: { data: stored } };
    };
  };
  const fill = (fields: Record<string, unknown>) => create(device.ports, 'social_link', '7', { ...empty, ...fields });
  /** Marks the row as sent, so that a later edit gets its own row. */
  const alreadyLeft = (op: string | null) => device.db.outbox.where('op').equals(op!).modify({ sentOnce: true });
  const shown = async () => (await sectionItems(device.db, links, '7')).map(({ body }) => body);

  it('become a conflicting edit of the existing record when both wrote one field', async () => {
    const made = await fill({ facebook_url: mine, website_url: website });
    beside({ facebook_url: theirs, youtube_url: 'https://youtube.com/@meera' });
    await drain();
    expect(stored.facebook_url).toBe(theirs);
    expect(await rows()).toMatchObject([
      {
        kind: 'update',
        target: made.id,
        state: 'attention',
        reason: 'conflict',
        patch: { facebook_url: mine, website_url: website },
        theirs: { body: { facebook_url: theirs }, version: 1 },
      },
    ]);
    expect(await sectionItems(device.db, links, '7')).toMatchObject([{ id: made.id, serverId: '5' }]);
    expect((await listWaiting(device.db, 0)).needs).toMatchObject([
      { op: made.op, title: expect.stringContaining('Facebook') },
    ]);
  });

  it.each(['mine', 'theirs'] as const)('keep %s in the conflicting field and all other fields', async (choice) => {
    const made = await fill({ facebook_url: mine, website_url: website });
    beside({ facebook_url: theirs, youtube_url: 'https://youtube.com/@meera' });
    await drain();
    await resolveConflict(device.ports, made.op!, { facebook_url: choice });
    await drain();
    expect(await rows()).toEqual([]);
    expect(stored).toMatchObject({
      facebook_url: choice === 'mine' ? mine : theirs,
      youtube_url: 'https://youtube.com/@meera',
      website_url: website,
    });
    expect(await shown()).toMatchObject([{ ...stored }]);
    const [first, second] = device.sent;
    expect([first?.method, second?.method, second?.headers['if-match']]).toEqual(['POST', 'PATCH', '"1"']);
    expect(second?.headers['idempotency-key']).not.toBe(first?.headers['idempotency-key']);
  });

  it('are acknowledged without a conflict when both wrote the same value', async () => {
    await fill({ facebook_url: theirs, website_url: website });
    beside({ facebook_url: theirs });
    await drain();
    expect(device.sent.map(({ method }) => method)).toEqual(['POST']);
    expect(await rows()).toEqual([]);
  });

  it('keep a field that only the other device filled in', async () => {
    await fill({ website_url: website });
    beside({ facebook_url: theirs });
    await drain();
    expect(await rows()).toEqual([]);
    expect(stored).toMatchObject({ facebook_url: theirs, website_url: website });
  });

  it.each([{ facebook_url: mine }, { website_url: website }])(
    'ask about a queued edit that would replace an unseen value: %o',
    async (first) => {
      const made = await fill(first);
      await alreadyLeft(made.op);
      await update(device.ports, 'social_link', made.id, { youtube_url: 'https://youtube.com/@mine' });
      beside({ facebook_url: theirs, youtube_url: 'https://youtube.com/@theirs' });
      await drain();
      await resolveConflict(device.ports, made.op!, { facebook_url: 'mine' });
      await drain();
      expect(stored).toMatchObject({ ...first, youtube_url: 'https://youtube.com/@theirs' });
      expect(await rows()).toMatchObject([{ kind: 'update', state: 'attention', reason: 'conflict' }]);
    },
  );

  it.each(['mine', 'theirs'] as const)(
    'ask once, about the latest value, when a queued edit changed the field again: %s',
    async (choice) => {
      const made = await fill({ facebook_url: mine });
      await alreadyLeft(made.op);
      const mended = 'https://facebook.com/mended';
      const edit = await update(device.ports, 'social_link', made.id, { facebook_url: mended });
      beside({ facebook_url: theirs });
      await drain();
      expect(await rows()).toMatchObject([{ state: 'attention', reason: 'conflict', patch: { facebook_url: mended } }]);
      await resolveConflict(device.ports, edit.op!, { facebook_url: choice });
      await drain();
      expect(await rows()).toEqual([]);
      expect(stored.facebook_url).toBe(choice === 'mine' ? mended : theirs);
    },
  );

  it('are not deleted by a user who has not seen the other device’s links', async () => {
    const made = await fill({ facebook_url: mine });
    await alreadyLeft(made.op);
    await remove(device.ports, 'social_link', made.id);
    device.now += 10_000;
    beside({ facebook_url: theirs });
    await drain();
    expect(device.sent.map(({ method }) => method)).toEqual(['POST', 'DELETE']);
    expect(await rows()).toMatchObject([{ kind: 'delete', state: 'attention', reason: 'conflict' }]);
  });
});

describe('links of which two devices cleared one each', () => {
  const before = {
    id: 5,
    version: 1,
    facebook_url: 'https://facebook.com/meera',
    website_url: 'https://meera.example',
  };
  const theirs = { ...before, version: 2, facebook_url: null };
  const clearWebsite = async () => {
    await device.db.records.put({ type: 'social_link', id: '5', parent: '7', body: before, version: 1 });
    await update(device.ports, 'social_link', '5', { website_url: null });
  };

  it('deletes the record when none is left', async () => {
    await clearWebsite();
    device.answer = ({ method, headers }) => {
      if (headers['if-match'] === '"1"') return { status: 412, body: { message: 'Changed elsewhere', data: theirs } };
      if (method === 'DELETE') return { status: 200, body: { message: 'Deleted' } };
      return { status: 422, body: { message: 'Not saved', errors: { facebook_url: ['Add at least one link'] } } };
    };
    await drain();
    expect(device.sent.map(({ method, headers }) => [method, headers['if-match']])).toEqual([
      ['PATCH', '"1"'],
      ['DELETE', '"2"'],
    ]);
    expect(await rows()).toEqual([]);
    expect(await sectionItems(device.db, links, '7')).toEqual([]);
  });

  it('keeps the record when the other device added a link meanwhile', async () => {
    await clearWebsite();
    const stored = { ...theirs, threads_url: 'https://threads.net/@meera' };
    device.answer = ({ headers, body }) =>
      headers['if-match'] === '"1"'
        ? { status: 412, body: { message: 'It has been changed on another device', data: stored } }
        : {
            status: 200,
            body: { data: { ...stored, ...(body?.kind === 'json' ? (body.value as object) : {}), version: 3 } },
          };
    await drain();
    expect(device.sent.map(({ method }) => method)).toEqual(['PATCH', 'PATCH']);
    expect((await sectionItems(device.db, links, '7'))[0]?.body).toMatchObject({
      website_url: null,
      threads_url: 'https://threads.net/@meera',
    });
  });
});

it('asks about the other device’s value when an edit before it turns out to be the same on both', async () => {
  const before = { id: 5, version: 1, facebook_url: null, website_url: null };
  await device.db.records.put({ type: 'social_link', id: '5', parent: '7', body: before, version: 1 });
  const { op } = await update(device.ports, 'social_link', '5', { website_url: 'https://meera.example' });
  await device.db.outbox.where('op').equals(op!).modify({ sentOnce: true });
  await update(device.ports, 'social_link', '5', { facebook_url: 'https://facebook.com/mine' });
  const stored = {
    ...before,
    version: 2,
    website_url: 'https://meera.example',
    facebook_url: 'https://facebook.com/theirs',
  };
  device.answer = ({ headers, body }) =>
    headers['if-match'] === '"1"'
      ? { status: 412, body: { message: 'Changed elsewhere', data: stored } }
      : { status: 200, body: { data: { ...stored, ...(body as { value: object }).value, version: 3 } } };
  await drain();
  expect(await rows()).toMatchObject([
    { state: 'attention', reason: 'conflict', theirs: { body: { facebook_url: 'https://facebook.com/theirs' } } },
  ]);
});
