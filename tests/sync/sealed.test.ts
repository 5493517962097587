import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { beforeEach, describe, expect, it } from 'vitest';
import { AccountDb } from '#db/database.ts';
import type { OutboxRow } from '#db/rows.ts';
import { createRecord } from '#sync/operations/create-record.ts';
import { NO_VERSION } from '#sync/operations/operation.ts';
import { attachFile } from '#sync/queue/attach-file.ts';
import { create, type OutboxPorts, remove, undo, update, writeJournal } from '#sync/queue/outbox.ts';
import { isStale } from '#sync/queue/planner.ts';
import { discard, retryWithEdits, sendAgain } from '#sync/queue/resolutions.ts';
import { setSaved } from '#sync/queue/toggles.ts';
import { openSealed } from '#sync/sealed/open.ts';
import { packContents, unpackContents } from '#sync/sealed/pack.ts';
import { sealOutbox } from '#sync/sealed/seal.ts';
import { mediaFile } from '../support/media-file.ts';
import { outboxRow } from '../support/outbox-row.ts';

const DAY_MS = 24 * 3_600_000;
const NOW = Date.UTC(2026, 10, 22);

/** A device with an empty store of the same person. */
async function openDevice(name: string): Promise<OutboxPorts> {
  const db = new AccountDb(name, 'u1', { indexedDB: new IDBFactory(), IDBKeyRange });
  await db.open();
  let count = 0;
  const uuid = () => `${name}-${(count += 1)}`;
  return { db, clock: { now: () => NOW, after: () => () => undefined }, chance: { random: () => 0, uuid } };
}

let phone: OutboxPorts;
let laptop: OutboxPorts;
beforeEach(async () => {
  [phone, laptop] = [await openDevice('phone'), await openDevice('laptop')];
});

const rowsOf = ({ db }: OutboxPorts) => db.outbox.orderBy('seq').toArray();
/** Makes the first change of a device too old to be sent without a question. */
const makeOld = ({ db }: OutboxPorts) =>
  db.outbox
    .where('seq')
    .equals(1)
    .modify({ createdAt: NOW - 81 * DAY_MS });
const seal = async (maxBytes?: number) => sealOutbox(phone.db, NOW, maxBytes);
const open = async () => openSealed(laptop, (await seal()).contents);

async function addFile(id: string, bytes: number): Promise<void> {
  const file = mediaFile({
    id,
    size: bytes,
    offset: Math.floor(bytes / 2),
    thumb: Uint8Array.of(1, 2, 3).buffer,
    strip: Uint8Array.of(4, 5).buffer,
    createdAt: NOW,
  });
  await phone.db.media.put(file);
  await phone.db.chunks.put({ media: id, n: 0, bytes: new Uint8Array(bytes).fill(7).buffer });
}
const addPhoto = (mediaId: string) =>
  attachFile(phone, createRecord, {
    type: 'media',
    profileId: '1',
    mediaId,
    patch: { media_type: 'image', name: mediaId },
  });

describe('sealing', () => {
  it('freezes a create: a later edit is a change of its own behind it', async () => {
    const { id } = await create(phone, 'skill', '1', { name: 'Fencing' });
    await seal();
    await update(phone, 'skill', id, { name: 'Stage fencing' });
    const [first, second] = await rowsOf(phone);
    expect([first?.kind, first?.patch, first?.sealedAt]).toEqual(['create', { name: 'Fencing' }, NOW]);
    expect([second?.kind, second?.patch, second?.lane, second?.sealedAt]).toEqual([
      'update',
      { name: 'Stage fencing' },
      first?.lane,
      undefined,
    ]);
  });

  it('keeps a sealed delete from being taken back', async () => {
    const { op } = await remove(phone, 'skill', '5');
    await seal();
    expect(await undo(phone, op)).toBe(false);
  });

  it('keeps a sealed bookmark when it is taken back, and queues the opposite', async () => {
    const card = { id: '9', name: 'Something' } as never;
    await setSaved(phone, 'saved_media', card, true);
    await seal();
    await setSaved(phone, 'saved_media', card, false);
    expect((await rowsOf(phone)).map(({ patch }) => patch.saved)).toEqual([true, false]);
  });

  it('leaves out what is too big, with everything that must come after it, and does not freeze it', async () => {
    await addFile('still', 60);
    await addFile('reel', 90);
    const { id } = await addPhoto('reel');
    await update(phone, 'media', id, { is_hidden: true });
    await addPhoto('still');
    const { contents, leftOut } = await seal(100);
    expect(contents.rows.map(({ kind, deps, target }) => [kind, deps[0] ?? target])).toEqual([
      ['upload', 'still'],
      ['create', 'still'],
    ]);
    expect([leftOut.rows, leftOut.files.map((file) => file.id)]).toEqual([3, ['reel']]);
    expect((await rowsOf(phone)).map(({ sealedAt }) => sealedAt !== undefined)).toEqual([
      false,
      false,
      false,
      true,
      true,
    ]);
  });

  it('keeps the ids under which a value is sent, since another device may not know them', async () => {
    await phone.db.meta.put({ k: 'lookup:category-types', items: [{ id: '4', name: 'Headshot' }] } as never);
    await addFile('still', 10);
    await addPhoto('still');
    const { contents } = await seal();
    expect(contents.rows.at(-1)?.wire).toMatchObject({ name: 'still' });
  });
});

describe('opening a sealed file', () => {
  it('adds every change under its own key, with the bytes of its files', async () => {
    await create(phone, 'skill', '1', { name: 'Fencing' });
    await addFile('still', 60);
    await addPhoto('still');
    const { contents } = await seal();
    const opened = await openSealed(laptop, unpackContents(packContents(contents)));
    expect(opened).toEqual({ added: 3, known: 0, stale: 0 });
    const facts = (row: OutboxRow) => [row.op, row.kind, row.target, row.lane, row.patch, row.deps, row.state];
    expect((await rowsOf(laptop)).map(facts)).toEqual((await rowsOf(phone)).map(facts));
    const file = await laptop.db.media.get('still');
    expect([file?.offset, new Uint8Array(file!.thumb!)]).toEqual([0, Uint8Array.of(1, 2, 3)]);
    expect(new Uint8Array(file!.strip!)).toEqual(Uint8Array.of(4, 5));
    const [chunk] = await laptop.db.chunks.toArray();
    expect(new Uint8Array(chunk!.bytes)).toEqual(new Uint8Array(60).fill(7));
  });

  it('passes over what is there, so that opening it twice adds nothing', async () => {
    await create(phone, 'skill', '1', { name: 'Fencing' });
    const { contents } = await seal();
    await openSealed(laptop, contents);
    expect(await openSealed(laptop, contents)).toEqual({ added: 0, known: 1, stale: 0 });
    expect(await openSealed(phone, contents)).toEqual({ added: 0, known: 1, stale: 0 });
    expect(await rowsOf(laptop)).toHaveLength(1);
  });

  it('passes over what was corrected here since, but brings back what was discarded', async () => {
    await create(phone, 'skill', '1', { name: 'Fencing' });
    await create(phone, 'skill', '1', { name: 'Tango' });
    const { contents } = await seal();
    await phone.db.outbox.toCollection().modify({ state: 'attention', reason: 'invalid' });
    const [first, second] = await rowsOf(phone);
    await retryWithEdits(phone, { op: first!.op, type: 'skill', id: first!.target }, { name: 'Stage fencing' });
    await discard(phone, second!.op);
    expect(await openSealed(phone, contents)).toEqual({ added: 1, known: 1, stale: 0 });
    expect((await rowsOf(phone)).map(({ patch }) => patch)).toEqual([{ name: 'Stage fencing' }, { name: 'Tango' }]);
  });

  it('sends the file of a photo that was discarded here once more when opening brings the photo back', async () => {
    await addFile('still', 60);
    await addPhoto('still');
    const { contents } = await seal();
    await openSealed(laptop, contents);
    const [upload, photo] = await rowsOf(laptop);
    // The file has arrived when the server refuses the photo.
    await laptop.db.outbox.delete(upload!.seq);
    await writeJournal(laptop, upload!, 'done');
    await laptop.db.media.update('still', { state: 'sent' });
    await discard(laptop, photo!.op);
    expect(await openSealed(laptop, contents)).toEqual({ added: 2, known: 0, stale: 0 });
    expect((await rowsOf(laptop)).map(({ op }) => op)).toEqual([upload!.op, photo!.op]);
    expect((await laptop.db.media.get('still'))?.state).toBe('ready');
    expect(await laptop.db.chunks.count()).toBe(1);
  });

  it('asks about a change that is older than 80 days', async () => {
    await create(phone, 'skill', '1', { name: 'Fencing' });
    await create(phone, 'skill', '1', { name: 'Tango' });
    await makeOld(phone);
    expect(await open()).toEqual({ added: 2, known: 0, stale: 1 });
    expect((await rowsOf(laptop)).map(({ state, reason }) => [state, reason])).toEqual([
      ['attention', 'stale'],
      ['queued', undefined],
    ]);
  });

  it('uses the name that this device has for a record', async () => {
    await phone.db.ids.put({ local: 'L_a', type: 'skill', server: '5' });
    await laptop.db.ids.put({ local: 'L_b', type: 'skill', server: '5' });
    await update(phone, 'skill', 'L_a', { name: 'Fencing' });
    await open();
    await update(laptop, 'skill', '5', { level: 2 });
    expect((await rowsOf(laptop)).map(({ target, lane }) => [target, lane])).toEqual([
      ['L_b', 'skill:L_b'],
      ['L_b', 'skill:L_b'],
    ]);
    expect(await laptop.db.ids.get('L_a')).toEqual({ local: 'L_a', type: 'skill', server: '5', alias: true });
  });

  it('knows the record of a create that the other device has sent meanwhile', async () => {
    const { id } = await create(phone, 'skill', '1', { name: 'Fencing' });
    const body = { id: '5', client_id: id.slice(2), name: 'Fencing' };
    await laptop.db.records.put({ type: 'skill', id: '5', parent: '1', body, version: 1 });
    await open();
    expect((await laptop.db.ids.get(id))?.server).toBe('5');
  });

  it('sends an old change under its own key when the person wants it sent', async () => {
    await create(phone, 'skill', '1', { name: 'Fencing' });
    await makeOld(phone);
    await open();
    const [asked] = await rowsOf(laptop);
    await sendAgain(laptop, asked!.op);
    const [row] = await rowsOf(laptop);
    expect(row).toMatchObject({ op: asked!.op, state: 'queued', patch: { name: 'Fencing' } });
    expect(isStale(row!, NOW)).toBe(false);
  });

  it('replaces an old wish with a newer one', async () => {
    const card = { id: '7', name: 'Asha' };
    await setSaved(phone, 'saved_profile', card as never, true);
    await makeOld(phone);
    await open();
    await setSaved(laptop, 'saved_profile', card as never, true);
    expect((await rowsOf(laptop)).map(({ state, patch }) => [state, patch.saved])).toEqual([['queued', true]]);
  });

  it('overwrites nothing unseen when the person edits a record that this device has not read yet', async () => {
    const body = { id: '5', name: 'Fencing', level: 2 };
    await phone.db.records.put({ type: 'skill', id: '5', parent: '1', body, version: 3 });
    await update(phone, 'skill', '5', { name: 'Sabre' });
    await open();
    await update(laptop, 'skill', '5', { name: 'Foil', level: 4 });
    expect((await rowsOf(laptop)).map(({ base, baseVersion }) => [base, baseVersion])).toEqual([
      [{ name: 'Fencing' }, 3],
      [{ name: 'Fencing' }, NO_VERSION],
    ]);
  });

  it('asks about what a pull brought behind a change from the file, but not about what was here before it', async () => {
    const put = ({ db }: OutboxPorts, name: string, version: number) =>
      db.records.put({ type: 'skill', id: '5', parent: '1', body: { id: '5', name, level: 2 }, version });
    await put(phone, 'Fencing', 3);
    await update(phone, 'skill', '5', { name: 'Foil' });
    await put(laptop, 'Sabre', 4);
    await open();
    const edit = async () => {
      await update(laptop, 'skill', '5', { name: 'Rapier' }, { name: 'Foil' });
      const { base, baseVersion, seq } = (await rowsOf(laptop))[1]!;
      await laptop.db.outbox.delete(seq);
      return [base.name, baseVersion];
    };
    expect(await edit()).toEqual(['Sabre', 4]);
    await put(laptop, 'Dagger', 5);
    expect(await edit()).toEqual(['Foil', NO_VERSION]);
  });

  it('overwrites nothing unseen when the correction of a refused change adds a field', async () => {
    const body = { id: '5', name: 'Fencing', level: 2 };
    await phone.db.records.put({ type: 'skill', id: '5', parent: '1', body, version: 3 });
    const { op } = await update(phone, 'skill', '5', { level: 3 });
    await open();
    await laptop.db.outbox.where('op').equals(op!).modify({ state: 'attention', reason: 'invalid' });
    await update(laptop, 'skill', '5', { name: 'Foil' });
    expect(await rowsOf(laptop)).toMatchObject([{ patch: { name: 'Foil', level: 3 }, baseVersion: NO_VERSION }]);
  });

  it('keeps the words of a corrected change as its own, since another device may have sent them', async () => {
    const { op } = await create(phone, 'skill', '1', { name: 'Fencing' });
    await seal();
    await phone.db.outbox.where('op').equals(op!).modify({ state: 'attention', reason: 'invalid' });
    await retryWithEdits(phone, { op: op!, type: 'skill', id: '' }, { name: 'Sabre' });
    expect((await rowsOf(phone))[0]).toMatchObject({ patch: { name: 'Sabre' }, givenUp: [{ name: 'Fencing' }] });
  });

  it('lets a corrected record outlive its delete, which has not been sent from here', async () => {
    const { id, op } = await create(phone, 'skill', '1', { name: 'Fencing' });
    await phone.db.outbox.where('op').equals(op!).modify({ state: 'attention', reason: 'toobig' });
    await remove(phone, 'skill', id);
    await seal();
    await retryWithEdits(phone, { op: op!, type: 'skill', id }, { name: 'Sabre' });
    expect((await rowsOf(phone)).map(({ kind, patch }) => [kind, patch.name])).toEqual([['create', 'Sabre']]);
  });

  it('adds nothing when the disk refuses a part of it', async () => {
    await create(phone, 'skill', '1', { name: 'Fencing' });
    const { contents } = await seal();
    const twice = { ...contents, rows: [...contents.rows, ...contents.rows] };
    await expect(openSealed(laptop, twice)).rejects.toThrow();
    expect(await rowsOf(laptop)).toHaveLength(0);
  });
});

it('asks about a sealed change that was not sent for 80 days, since another device may have sent it', () => {
  const row = outboxRow({ createdAt: NOW - 81 * DAY_MS });
  expect([isStale(row, NOW), isStale({ ...row, sealedAt: NOW - 80 * DAY_MS }, NOW)]).toEqual([false, true]);
});
