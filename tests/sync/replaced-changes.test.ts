import { expect, it } from 'vitest';
import { discard, resolveConflict, retryWithEdits, sendAgain } from '#sync/queue/resolutions.ts';
import { endNetworkWaits } from '#sync/send/lease.ts';
import { create, remove, UNDO_MS, update } from '#sync/queue/outbox.ts';
import { openSealed } from '#sync/sealed/open.ts';
import { sealOutbox } from '#sync/sealed/seal.ts';
import { LOCAL } from '#db/canonical.ts';
import { blankRow, bodyOf, useSendingDevice } from './sending-device.ts';

const device = useSendingDevice();
const { drain, rows } = device;

it('resends a refused edit from before the first pull without the version that a later edit saw', async () => {
  const row = {
    ...blankRow(),
    kind: 'update' as const,
    type: 'skill',
    target: '5',
    lane: 'skill:5',
    baseVersion: null,
  };
  const refused = { state: 'attention' as const, reason: 'invalid' as const, sentOnce: true };
  await device.db.outbox.add({ ...row, ...refused, op: 'op-1', patch: { level: 9 } });
  await device.db.outbox.add({
    ...row,
    op: 'op-2',
    patch: { name: 'Fencing' },
    base: { name: 'Riding' },
    baseVersion: 4,
  });
  await retryWithEdits(device.ports, { op: 'op-1', type: 'skill', id: '5' }, { level: 2 });
  expect(await rows()).toMatchObject([{ patch: { level: 2, name: 'Fencing' }, baseVersion: 0 }]);
});

const skill = { ...blankRow(), kind: 'update' as const, type: 'skill', target: '5', lane: 'skill:5', baseVersion: 4 };
const REFUSED = { state: 'attention' as const, reason: 'invalid' as const, sentOnce: true };

it('cancels a refused delete when the record is edited', async () => {
  await device.db.outbox.add({ ...skill, ...REFUSED, kind: 'delete', op: 'op-1', base: { name: 'Riding' } });
  await update(device.ports, 'skill', '5', { name: 'Fencing' });
  expect(await rows()).toMatchObject([{ kind: 'update', patch: { name: 'Fencing' } }]);
});

it('keeps the edit behind a refused delete that is sent again', async () => {
  await device.db.outbox.add({ ...skill, ...REFUSED, kind: 'delete', op: 'op-1', base: { name: 'Riding' } });
  await device.db.outbox.add({ ...skill, op: 'op-2', patch: { name: 'Fencing' } });
  await sendAgain(device.ports, 'op-1');
  expect(await rows()).toMatchObject([
    { kind: 'delete', state: 'queued' },
    { kind: 'update', patch: { name: 'Fencing' } },
  ]);
});

it('keeps a record that was deleted elsewhere until the last change of it is discarded', async () => {
  await device.db.records.put({
    type: 'skill',
    id: '5',
    parent: '7',
    body: { name: 'Riding' },
    version: 4,
    gone: true,
  });
  await device.db.outbox.add({ ...skill, ...REFUSED, reason: 'gone', op: 'op-1', patch: { name: 'Fencing' } });
  await device.db.outbox.add({ ...skill, op: 'op-2', patch: { level: 3 } });
  await discard(device.ports, 'op-1');
  expect(await device.db.records.get(['skill', '5'])).toBeDefined();
  await discard(device.ports, 'op-2');
  expect(await device.db.records.get(['skill', '5'])).toBeUndefined();
});

it('hides a new photo that was refused first', async () => {
  const patch = { media_type: 'video', name: 'Reel', youtube_url: 'https://youtu.be/aqz-KE-bpKQ' };
  const made = await create(device.ports, 'media', '7', patch);
  await update(device.ports, 'media', made.id, { is_hidden: true });
  await device.db.outbox.where('op').equals(made.op!).modify(REFUSED);
  await sendAgain(device.ports, made.op!);
  device.answer = ({ method }) => {
    const record = { id: 8, version: 1, ...patch, is_hidden: method === 'PUT' };
    if (method === 'POST') return { status: 201, body: { message: 'Saved', files: [{ ...record }] } };
    return { status: 200, body: { message: 'Saved', data: record } };
  };
  await drain();
  expect(await rows()).toEqual([]);
  expect(device.sent.map(({ method, ...request }) => [method, bodyOf({ method, ...request }).is_hidden])).toEqual([
    ['POST', true],
    ['PUT', true],
  ]);
});

it('does not forget that a request was sent when the network is back', async () => {
  const waiting = { ...skill, notBefore: 1_000_060, lastError: { status: 0, message: '' } };
  await device.db.outbox.add({ ...waiting, op: 'op-1', tries: 3, sentOnce: true });
  await device.db.outbox.add({ ...waiting, op: 'op-2', tries: 0, target: '6', lane: 'skill:6' });
  await endNetworkWaits(device.db);
  expect(await rows()).toMatchObject([
    { tries: 1, notBefore: 0 },
    { tries: 0, notBefore: 0 },
  ]);
});

it('discards the contents of a new profile with the profile', async () => {
  const profile = await create(device.ports, 'profile', null, { stage_name: 'Meera' });
  await create(device.ports, 'skill', profile.id, { name: 'Fencing' });
  await update(device.ports, 'attribute', profile.id, { Height: 170 });
  await create(device.ports, 'skill', '7', { name: 'Riding' });
  await discard(device.ports, profile.op!);
  expect((await rows()).map(({ patch }) => patch.name)).toEqual(['Riding']);
});

it('overwrites no facts that another device gave a new profile before those written with it arrived', async () => {
  const profile = await create(device.ports, 'profile', null, { stage_name: 'Meera' });
  await update(device.ports, 'attribute', profile.id, { Height: 170 });
  device.answer = ({ method }) => {
    if (method === 'GET') return { status: 200, body: { records: [], cursor: 'c1', has_more: false } };
    return { status: 201, body: { message: 'Made', data: { id: 8, version: 1, stage_name: 'Meera' } } };
  };
  await drain();
  expect(device.sent.find(({ path }) => path === '/attributes')?.headers['if-match']).toBe('"0"');
});

it('asks nothing about where a photo stands: the last order holds', async () => {
  const theirs = { id: '5', name: 'Stage', position: 2, version: 4 };
  await device.db.records.put({ type: 'media', id: '5', parent: '7', body: { ...theirs, position: 0 }, version: 3 });
  await update(device.ports, 'media', '5', { position: 1 });
  device.answer = ({ headers }) => ({
    status: headers['if-match'] === '"4"' ? 200 : 412,
    body: { message: 'Changed elsewhere', data: theirs },
  });
  await drain();
  expect(await rows()).toEqual([]);
  expect(device.sent.map(bodyOf)).toMatchObject([{ position: 1 }, { position: 1 }]);
});

it('asks before an open form overwrites what came meanwhile, but not about the other fields', async () => {
  const theirs = { id: '5', name: 'Sabre', level: 2, version: 4 };
  await device.db.records.put({ type: 'skill', id: '5', parent: '7', body: theirs, version: 4 });
  await update(device.ports, 'skill', '5', { name: 'Foil', level: 3 }, { name: 'Fencing', level: 2 });
  device.answer = ({ headers }) => ({
    status: headers['if-match'] === '"4"' ? 200 : 412,
    body: { message: 'Changed elsewhere', data: theirs },
  });
  await drain();
  expect(await rows()).toMatchObject([
    {
      state: 'attention',
      reason: 'conflict',
      base: { name: 'Fencing', level: 2 },
      theirs: { body: { name: 'Sabre' } },
    },
  ]);
});

it('asks before an open form overwrites what came behind a change that waits in its field', async () => {
  const put = (body: { name: string; level: number }, version: number) =>
    device.db.records.put({ type: 'skill', id: '5', parent: '7', body: { id: '5', ...body }, version });
  await put({ name: 'Fencing', level: 2 }, 3);
  const first = await update(device.ports, 'skill', '5', { name: 'Foil', level: 3 });
  const theirs = { body: { name: 'Fencing', level: 5 }, version: 4 };
  await device.db.outbox
    .where('op')
    .equals(first.op!)
    .modify({ state: 'attention', reason: 'conflict', sentOnce: true, theirs });
  // The form shows "Foil", whatever a pull brings behind it.
  await put({ name: 'Sabre', level: 5 }, 5);
  await update(device.ports, 'skill', '5', { name: 'Rapier' }, { name: 'Foil' });
  await discard(device.ports, first.op!);
  device.answer = ({ method, headers }) => ({
    status: method === 'GET' || headers['if-match'] === '"5"' ? 200 : 412,
    body: { message: 'Changed elsewhere', data: { id: '5', name: 'Sabre', level: 5, version: 5 } },
  });
  await drain();
  expect(await rows()).toMatchObject([
    { patch: { name: 'Rapier' }, state: 'attention', reason: 'conflict', theirs: { body: { name: 'Sabre' } } },
  ]);
});

it('sends the fields of a corrected medium that the server has without them, but not what kind it is', async () => {
  const link = { media_type: 'video', youtube_url: 'https://youtu.be/dQw4w9WgXcQ' };
  const { id } = await create(device.ports, 'media', '7', { ...link, name: 'Reel', category_type: 'Scene' });
  const stored = { id: '9', client_id: id.slice(LOCAL.length), version: 2, media_type: 'youtube', name: 'Reel' };
  device.answer = ({ method, body }) => {
    if (method === 'GET') return { status: 200, body: { records: [], cursor: 'c1', has_more: false } };
    if (method === 'POST') return { status: 200, body: { files: [{ ...stored, metadata: [] }] } };
    const { category_type: value } = (body as { value: { category_type: string } }).value;
    const metadata = [{ key: 'category_type', value }];
    return { status: 200, body: { data: { ...stored, version: 3, metadata } } };
  };
  await drain();
  expect(device.sent.filter(({ method }) => method === 'PUT').map(bodyOf)).toEqual([
    { profile_id: '7', category_type: 'Scene' },
  ]);
});

it('sends no value of a new profile after the one that replaced it', async () => {
  const profile = await create(device.ports, 'profile', null, { stage_name: 'Meera', description: 'First' });
  await device.db.outbox.where('op').equals(profile.op!).modify({ sealedAt: device.now });
  await update(device.ports, 'profile', profile.id, { stage_name: 'Meera Iyer' });
  await sealOutbox(device.db, device.now);
  await update(device.ports, 'about_me', profile.id, { description: 'Second' });
  device.answer = ({ method, body }) => {
    if (method === 'GET') return { status: 200, body: { records: [], cursor: 'c1', has_more: false } };
    if (method === 'POST') return { status: 201, body: { data: { id: 8, version: 1, stage_name: 'Meera' } } };
    const { value } = body as { value: object };
    return { status: 200, body: { data: { ...value, id: 8, version: device.sent.length } } };
  };
  await drain();
  const descriptions = device.sent.map((request) => bodyOf(request).description).filter((text) => text !== undefined);
  expect(descriptions.at(-1)).toBe('Second');
});

it('asks about no two values of this device when a create is discarded that another device sent', async () => {
  const made = await create(device.ports, 'skill', '7', { name: 'Fencing', level: 1 });
  await sealOutbox(device.db, device.now);
  await update(device.ports, 'skill', made.id, { name: 'Sabre' });
  const body = { id: '9', client_id: made.id.slice(LOCAL.length), name: 'Fencing', level: 1, version: 1 };
  await device.db.records.put({ type: 'skill', id: '9', parent: '7', body, version: 1 });
  await device.db.ids.put({ local: made.id, type: 'skill', server: '9' });
  await update(device.ports, 'skill', made.id, { level: 3 });
  await device.db.outbox.where('op').equals(made.op!).modify({ state: 'attention', reason: 'stale' });
  await discard(device.ports, made.op!);
  expect(await rows()).toMatchObject([{ patch: { name: 'Sabre', level: 3 }, base: { name: 'Fencing', level: 1 } }]);
});

it('deletes the record of a refused create that another device has corrected and sent', async () => {
  const made = await create(device.ports, 'skill', '7', { name: 'Fencing' });
  await device.db.outbox.where('op').equals(made.op!).modify({ state: 'attention', reason: 'invalid', sentOnce: true });
  await device.db.ids.put({ local: made.id, type: 'skill', server: '9' });
  await remove(device.ports, 'skill', made.id);
  device.now += UNDO_MS;
  device.answer = () => ({ status: 200, body: { message: 'Deleted' } });
  await drain();
  expect(device.sent.map(({ method, path }) => `${method} ${path}`)).toEqual(['DELETE /skills/9']);
  expect(await rows()).toEqual([]);
});

it('does not bring a deleted record back from the sealed file that has its create and its delete', async () => {
  const made = await create(device.ports, 'skill', '7', { name: 'Fencing' });
  await remove(device.ports, 'skill', made.id);
  const { contents } = await sealOutbox(device.db, device.now);
  await device.db.outbox
    .where('op')
    .equals(made.op!)
    .modify({ state: 'attention', reason: 'forbidden', sentOnce: true });
  device.now += UNDO_MS;
  await drain();
  expect(await openSealed(device.ports, contents)).toEqual({ added: 0, known: 2, stale: 0 });
});

it('keeps the edits of a discarded create that the server already stored', async () => {
  const made = await create(device.ports, 'skill', '7', { name: 'Fencing' });
  await device.db.outbox.where('op').equals(made.op!).modify({ state: 'attention', reason: 'failed', sentOnce: true });
  await device.db.ids.put({ local: made.id, type: 'skill', server: '9' });
  await update(device.ports, 'skill', made.id, { level: 3 });
  await discard(device.ports, made.op!);
  expect((await rows()).map(({ kind }) => kind)).toEqual(['update']);
});

it('asks about no two values of this device when an edit follows one that was discarded after it had arrived', async () => {
  const skill = (name: string, version: number) => ({ id: '5', name, level: 2, version });
  await device.db.records.put({ type: 'skill', id: '5', parent: '7', body: skill('Fencing', 3), version: 3 });
  const first = await update(device.ports, 'skill', '5', { name: 'Foil' });
  // The server has stored it, but its answer could not be stored here.
  await device.db.outbox.where('op').equals(first.op!).modify({ state: 'attention', reason: 'failed', sentOnce: true });
  await discard(device.ports, first.op!);
  await update(device.ports, 'skill', '5', { name: 'Rapier' }, { name: 'Fencing' });
  await update(device.ports, 'skill', '5', { name: 'Sabre' }, { name: 'Rapier' });
  device.answer = ({ headers }) =>
    headers['if-match'] === '"4"'
      ? { status: 200, body: { message: 'Saved', data: skill('Sabre', 5) } }
      : { status: 412, body: { message: 'Changed elsewhere', data: skill('Foil', 4) } };
  await drain();
  expect(await rows()).toEqual([]);
  expect(device.sent.map(({ headers }) => headers['if-match'])).toEqual(['"3"', '"4"']);
});

it('asks about no two values of this device when one that was dropped in a conflict is sent from a sealed file', async () => {
  const skill = (name: string, version: number) => ({ id: '5', name, level: 2, version });
  const changed = (name: string, version: number) => ({
    status: 412,
    body: { message: 'Changed elsewhere', data: skill(name, version) },
  });
  await device.db.records.put({ type: 'skill', id: '5', parent: '7', body: skill('Fencing', 3), version: 3 });
  const first = await update(device.ports, 'skill', '5', { name: 'Foil' });
  await sealOutbox(device.db, device.now);
  device.answer = () => changed('Dagger', 4);
  await drain();
  await resolveConflict(device.ports, first.op!, { name: 'theirs' });
  await update(device.ports, 'skill', '5', { name: 'Rapier' }, { name: 'Dagger' });
  // On the other device, the person preferred the value of the file.
  device.answer = ({ headers }) =>
    headers['if-match'] === '"5"'
      ? { status: 200, body: { message: 'Saved', data: skill('Rapier', 6) } }
      : changed('Foil', 5);
  await drain();
  expect(await rows()).toEqual([]);
});

it.each([
  ['of another version', 'Fencing'],
  ['that was not on this device', null],
])('asks about a value that was given up here once a pull has brought a record %s', async (_, known) => {
  const skill = (name: string, version: number) => ({ id: '5', name, level: 2, version });
  const put = (name: string, version: number) =>
    device.db.records.put({ type: 'skill', id: '5', parent: '7', body: skill(name, version), version });
  if (known !== null) await put(known, 3);
  const first = await update(device.ports, 'skill', '5', { name: 'Foil' });
  await device.db.outbox.where('op').equals(first.op!).modify({ state: 'attention', reason: 'failed', sentOnce: true });
  await discard(device.ports, first.op!);
  // This pull shows that the server has not applied it.
  await put('Dagger', 4);
  await update(device.ports, 'skill', '5', { name: 'Rapier' }, { name: 'Dagger' });
  device.answer = () => ({ status: 412, body: { message: 'Changed elsewhere', data: skill('Foil', 5) } });
  await drain();
  expect(await rows()).toMatchObject([{ state: 'attention', reason: 'conflict', theirs: { body: { name: 'Foil' } } }]);
});
