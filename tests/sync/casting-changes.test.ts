import { describe, expect, it } from 'vitest';
import { isDeclined } from '#contract/casting/state.ts';
import { applyActs, applyCasting } from '#db/casting-acts.ts';
import { readRole } from '#db/casting-role.ts';
import { listAuditions, readCastingWork, readProject } from '#db/casting.ts';
import type { Answer } from '#contract/records/casting.ts';
import type { FieldValues } from '#db/rows.ts';
import { dropRecord } from '#sync/pull/apply.ts';
import { act } from '#sync/queue/acts.ts';
import { createAll } from '#sync/queue/create-all.ts';
import { create, remove, undo, update } from '#sync/queue/outbox.ts';
import { discard, sendAgain } from '#sync/queue/resolutions.ts';
import { bodyOf, useSendingDevice } from './sending-device.ts';

const device = useSendingDevice();
const { drain, rows } = device;
const title = 'Naseem, The Salt Road';

const facts = {
  asked_at: '2026-11-20T10:00:00.000Z',
  updated_at: '2026-11-20T10:00:00.000Z',
  seen_at: null,
  confirmed_at: null,
  declined_at: null,
  decline_text: null,
  answers: [] as Answer[],
  answered_at: null,
  withdrawn_at: null,
  withdraw_text: null,
};
const project = { id: '1', version: 1, title: 'The Salt Road', status: 'open' };
const role = { id: '2', version: 1, project_id: '1', name: 'Naseem', status: 'open' };
const request = { id: '3', version: 1, role_id: '2', instructions: 'Scene 14', deadline_at: '2026-12-01', ...facts };
const audition = { ...request, profile_id: '7', deadline_at: '2026-12-01T10:00:00.000Z', role, project };

const put = (type: string, parent: string | null, body: FieldValues & { id: string; version: number }) =>
  device.db.records.put({ type, id: body.id, parent, body, version: body.version });
const putCasting = async () => {
  await put('project', null, project);
  await put('role', '1', role);
  await put('request', '2', request);
};
const say = (name: 'seen' | 'confirm' | 'decline', at?: string) =>
  act(device.ports, { type: 'audition', id: '3', act: name, fields: at === undefined ? {} : { at }, title });
const answer = (id: string, kind = 'pencil') =>
  act(device.ports, { type: 'request', id, act: 'answer', fields: { kind, text: null }, title });
const withdraw = (id: string) => act(device.ports, { type: 'request', id, act: 'withdraw', title });
const cast = (fields: Record<string, unknown> = { request_ids: [] }) =>
  act(device.ports, { type: 'role', id: '2', act: 'cast', fields, title });
const ask = async (parent = '2') => (await create(device.ports, 'request', parent, { profile_id: '9' })).id;
/** What waits, in order: 'answer request', 'update role'. */
const waiting = async () => (await rows()).map(({ kind, type, patch }) => `${String(patch.act ?? kind)} ${type}`);
const lines = () => device.sent.map(({ method, path }) => `${method} ${path}`);
const park = (kind: string) =>
  device.db.outbox
    .where('op')
    .above('')
    .filter((row) => row.kind === kind);

describe('what is to be watched', () => {
  const arrived = { ...request, arrived_at: '2026-11-20T11:00:00.000Z', watched_at: null };
  const tape = { id: '5', version: 1, request_id: '3', number: 1, state: 'arrived', takes: [] };

  it('is a tape that is on the device, in a project that is open', async () => {
    await put('project', null, project);
    await put('role', '1', role);
    await put('request', '2', arrived);
    // A request outlives its tape.
    expect((await readCastingWork(device.db)).unwatched).toBe(0);
    await put('tape', '3', tape);
    expect((await readCastingWork(device.db)).unwatched).toBe(1);
    expect((await readProject(device.db, '1'))?.roles).toMatchObject([{ asked: 1, unwatched: 1 }]);
  });

  it('leaves out the tape of a request that was withdrawn', async () => {
    await put('project', null, project);
    await put('role', '1', role);
    await put('request', '2', arrived);
    await put('tape', '3', tape);
    await withdraw('3');
    expect((await readCastingWork(device.db)).unwatched).toBe(0);
    expect((await readProject(device.db, '1'))?.roles).toMatchObject([{ asked: 1, unwatched: 0 }]);
  });

  it('leaves out projects that are closed, although another one is open', async () => {
    await put('project', null, { ...project, status: 'closed' });
    await put('project', null, { ...project, id: '8' });
    await put('role', '1', role);
    await put('request', '2', arrived);
    await put('tape', '3', tape);
    expect(await readCastingWork(device.db)).toMatchObject({ projects: [{ id: '8' }], unwatched: 0 });
  });
});

describe('a request that has not left the device', () => {
  it('is removed with everything that waits for it when it is withdrawn', async () => {
    const id = await ask();
    await answer(id);
    await update(device.ports, 'request', id, { instructions: 'Scene 15' });
    expect(await withdraw(id)).toEqual({ op: null });
    expect(await rows()).toEqual([]);
  });

  it('is removed also after the server has refused it', async () => {
    await putCasting();
    const id = await ask();
    device.answer = () => ({ status: 409, body: { message: 'You have asked this person already', data: request } });
    await drain();
    await withdraw(id);
    expect(await rows()).toEqual([]);
  });

  it('is sent and then withdrawn if it may have arrived', async () => {
    await putCasting();
    const id = await ask();
    await park('create').modify({ sentOnce: true });
    expect((await withdraw(id)).op).not.toBeNull();
    device.answer = (sent) => {
      const withdrawn_at = sent.path.endsWith('/withdraw') ? '2026-11-20T11:00:00.000Z' : null;
      return { status: 200, body: { data: { ...request, id: '4', client_id: id.slice(2), withdrawn_at } } };
    };
    await drain();
    expect(lines()).toEqual(['POST /casting/requests', 'POST /casting/requests/4/withdraw']);
    expect(await rows()).toEqual([]);
  });
});

describe('a yes and a no', () => {
  it('replace each other until one of them may have left', async () => {
    await put('audition', null, audition);
    await say('decline');
    await say('confirm');
    expect(await waiting()).toEqual(['confirm audition']);
    await device.db.outbox.toCollection().modify({ sentOnce: true });
    await say('decline');
    expect(await waiting()).toEqual(['confirm audition', 'decline audition']);
  });

  it('leave their time to the server if the clock of the device was set back', async () => {
    await put('audition', null, { ...audition, updated_at: '2026-11-20T12:00:00.000Z' });
    await say('decline', '2026-11-20T09:00:00.000Z');
    await device.db.outbox.toCollection().modify({ sentOnce: true });
    await say('confirm', '2026-11-20T13:00:00.000Z');
    await device.db.outbox.toCollection().modify({ sentOnce: true });
    await say('decline', '2026-11-20T12:30:00.000Z');
    expect((await rows()).map(({ patch }) => patch.fields)).toEqual([{}, { at: '2026-11-20T13:00:00.000Z' }, {}]);
  });

  it('are shown as the person said them last, whatever the clock shows', async () => {
    const confirmed = { ...audition, confirmed_at: '2026-11-20T12:00:00.000Z' };
    await put('audition', null, confirmed);
    device.now = Date.parse('2026-11-20T09:00:00.000Z');
    await say('decline');
    const [shown] = await listAuditions(device.db);
    expect(isDeclined(shown!.body)).toBe(true);
    await say('confirm');
    const [again] = await listAuditions(device.db);
    expect([again!.body.confirmed_at, isDeclined(again!.body)]).toEqual([confirmed.confirmed_at, false]);
  });
});

describe('what was made without signal', () => {
  it('is sent in its order, under the ids of the server', async () => {
    const made = await create(device.ports, 'project', null, { title: 'The Salt Road' });
    const part = await create(device.ports, 'role', made.id, { name: 'Naseem' });
    const asked = await ask(part.id);
    await answer(asked);
    const ids: Record<string, string> = {
      '/casting/projects': '11',
      '/casting/roles': '12',
      '/casting/requests': '13',
    };
    device.answer = ({ path }) => {
      const id = ids[path];
      const body = id === '11' ? project : id === '12' ? { ...role, project_id: '11' } : { ...request, role_id: '12' };
      return { status: id === undefined ? 200 : 201, body: { data: { ...body, id: id ?? '13' } } };
    };
    await drain();
    expect(lines()).toEqual([
      'POST /casting/projects',
      'POST /casting/roles',
      'POST /casting/requests',
      'POST /casting/requests/13/answer',
    ]);
    expect(device.sent.map((sent) => bodyOf(sent)).map(({ project_id, role_id }) => project_id ?? role_id)).toEqual([
      undefined,
      '11',
      '12',
      undefined,
    ]);
    const stored = await device.db.records
      .where('[type+id]')
      .anyOf([
        ['role', '12'],
        ['request', '13'],
      ])
      .toArray();
    expect(stored.map(({ type, parent }) => [type, parent])).toEqual([
      ['request', '12'],
      ['role', '11'],
    ]);
  });

  it('is stored for all performers or for none', async () => {
    await putCasting();
    const several = ['8', '9'].map((profile_id) => ({ profile_id }));
    await createAll(device.ports, 'request', '2', several);
    expect(await waiting()).toEqual(['create request', 'create request']);
    const bad = { profile_id: '10', cannotBeStored: () => undefined };
    await expect(createAll(device.ports, 'request', '2', [...several, bad])).rejects.toThrow();
    expect(await rows()).toHaveLength(2);
  });

  it('falls with a project that is deleted before it was sent, but not before the delete can no longer be undone', async () => {
    const made = await create(device.ports, 'project', null, { title: 'The Salt Road' });
    const part = await create(device.ports, 'role', made.id, { name: 'Naseem' });
    await ask(part.id);
    const { op } = await remove(device.ports, 'project', made.id);
    expect(await rows()).toHaveLength(4);
    await undo(device.ports, op);
    await remove(device.ports, 'project', made.id);
    device.now += 6000;
    await drain();
    expect(await rows()).toEqual([]);
    expect(device.sent).toEqual([]);
  });

  it('needs attention if another tab has discarded what it belongs to', async () => {
    const made = await create(device.ports, 'project', null, { title: 'The Salt Road' });
    await discard(device.ports, made.op!);
    await create(device.ports, 'role', made.id, { name: 'Naseem' });
    expect((await rows()).map(({ state, reason }) => [state, reason])).toEqual([['attention', 'gone']]);
  });
});

describe('a record that is deleted elsewhere while a refused change of it waits', () => {
  it('goes when the person gives the change up', async () => {
    await putCasting();
    device.answer = () => ({ status: 422, body: { message: 'Check the form', errors: { pay: ['Too long'] } } });
    await update(device.ports, 'role', '2', { pay: 'Scale' });
    await drain();
    await dropRecord(device.db, ['role', '2']);
    expect(await device.db.records.get(['role', '2'])).toMatchObject({ gone: true });
    const [refused] = await rows();
    expect(refused?.reason).toBe('invalid');
    await discard(device.ports, refused!.op);
    expect(await device.db.records.get(['role', '2'])).toBeUndefined();
  });
});

describe('a request that the server refuses', () => {
  it.each([
    [409, 'invalid'],
    [404, 'gone'],
    [422, 'invalid'],
  ])('with %i waits with the reason %s, and can be sent again or discarded', async (status, reason) => {
    await putCasting();
    const id = await ask();
    device.answer = () => ({ status, body: { message: 'This role is cast' } });
    await drain();
    const [refused] = await rows();
    expect(refused).toMatchObject({ state: 'attention', reason, lastError: { status, message: 'This role is cast' } });
    await sendAgain(device.ports, refused!.op);
    const [again] = await rows();
    expect([again?.target, again?.state, again?.op === refused?.op]).toEqual([id, 'queued', false]);
    await drain();
    const [last] = await rows();
    await discard(device.ports, last!.op);
    expect(await rows()).toEqual([]);
  });

  it('lets nobody wait for ever for a role whose project is gone', async () => {
    await put('project', null, project);
    await create(device.ports, 'role', '1', { name: 'Naseem' });
    device.answer = () => ({ status: 404, body: { message: 'No such project' } });
    await drain();
    expect(await rows()).toMatchObject([{ state: 'attention', reason: 'gone' }]);
  });

  it('refuses a change of a request that was withdrawn, which waits with that reason', async () => {
    await putCasting();
    await update(device.ports, 'request', '3', { instructions: 'Scene 15' });
    const data = { ...request, version: 2, withdrawn_at: '2026-11-20T11:00:00.000Z' };
    device.answer = () => ({ status: 409, body: { message: 'This request was withdrawn', data } });
    await drain();
    device.now += 60_000;
    await drain();
    expect(await rows()).toMatchObject([{ state: 'attention', reason: 'invalid' }]);
    expect(device.sent.map(({ headers }) => headers['if-match'])).toEqual(['"1"', '"2"']);
  });
});

describe('an edit beside something that was done with its record', () => {
  const refuseCast = async () => {
    await putCasting();
    await cast();
    device.answer = () => ({ status: 409, body: { message: 'This role is cast already', data: role } });
    await drain();
  };

  it('stays a change of its own behind a refusal, also when that is sent again', async () => {
    await refuseCast();
    await update(device.ports, 'role', '2', { name: 'Nasreen' });
    const [refused] = await rows();
    await sendAgain(device.ports, refused!.op);
    expect((await rows()).map(({ kind, patch }) => [kind, patch])).toEqual([
      ['act', { act: 'cast', fields: { request_ids: [] }, title: `Role is cast: ${title}` }],
      ['update', { name: 'Nasreen' }],
    ]);
  });

  it('does not overwrite what another device wrote between the two', async () => {
    await put('project', null, project);
    const { id } = await create(device.ports, 'role', '1', { name: 'Naseem' });
    await act(device.ports, { type: 'role', id, act: 'cast', fields: { request_ids: [] }, title });
    await update(device.ports, 'role', id, { name: 'Nasreen' });
    // The laptop renames the new role. Casting it asks for no version, so this device has not seen the name.
    const theirs = { ...role, version: 3, name: 'Naseema', status: 'cast' };
    device.answer = (sent) => {
      if (sent.path === '/casting/roles') return { status: 201, body: { data: role } };
      if (sent.path.endsWith('/cast')) return { status: 200, body: { data: theirs, requests: [] } };
      return { status: 412, body: { message: 'Changed meanwhile', data: theirs } };
    };
    await drain();
    expect(device.sent.at(-1)?.headers['if-match']).toBe('"1"');
    expect(await rows()).toMatchObject([{ kind: 'update', state: 'attention', reason: 'conflict' }]);
  });

  it('leaves nothing of what was done in a delete, which compares it with the record', async () => {
    await putCasting();
    await cast();
    await remove(device.ports, 'role', '2');
    expect((await rows()).at(-1)?.base).toEqual(role);
  });
});

describe('a response', () => {
  it('to casting stores the answers of all requests of the role', async () => {
    await putCasting();
    await cast({ request_ids: [], text: 'Thank you' });
    const answers = [{ kind: 'no_thank_you', text: 'Thank you', at: '2026-11-20T11:00:00.000Z' }];
    const other = { ...request, id: '5', version: 4, answers };
    const requests = [{ ...request, version: 2, answers }, other, 'nothing'];
    device.answer = () => ({ status: 200, body: { data: { ...role, version: 2, status: 'cast' }, requests } });
    await drain();
    const stored = await device.db.records.where('[parent+type]').equals(['2', 'request']).toArray();
    expect(stored.map(({ id, version, body }) => [id, version, body.answers])).toEqual([
      ['3', 2, answers],
      ['5', 4, answers],
    ]);
    expect((await device.db.records.get(['role', '2']))?.body).toMatchObject({ status: 'cast', version: 2 });
  });

  it('keeps an audition where the feed has it, under nothing', async () => {
    await put('audition', null, audition);
    await say('confirm');
    device.answer = () => ({ status: 200, body: { data: { ...audition, version: 2 } } });
    await drain();
    expect((await device.db.records.get(['audition', '3']))?.parent).toBeNull();
  });

  it('that repeats an earlier one has everything read again, since the role in it may be an older one', async () => {
    await put('audition', null, audition);
    await device.db.cursors.put({ resource: 'sync', value: 'c1' });
    await say('confirm');
    await device.db.outbox.toCollection().modify({ sentOnce: true, tries: 1 });
    device.answer = () => ({ status: 200, body: { data: { ...audition, version: 2 } } });
    await drain();
    expect(await device.db.cursors.get('sync')).toBeUndefined();
  });

  it('that has lost its audition ends that it was seen, and leaves a yes for the person', async () => {
    await put('audition', null, audition);
    await say('seen');
    await say('confirm');
    device.answer = () => ({ status: 404, body: { message: 'No such audition' } });
    await drain();
    expect(await rows()).toMatchObject([{ patch: { act: 'confirm' }, state: 'attention', reason: 'gone' }]);
  });
});

describe('the screens', () => {
  it('show nothing of an audition that was taken away or that this device has not read', async () => {
    await put('audition', null, audition);
    await say('confirm');
    await act(device.ports, { type: 'audition', id: '6', act: 'confirm', title });
    expect((await listAuditions(device.db)).map(({ id }) => id)).toEqual(['3']);
  });

  it('show an answer once while its response is under way', async () => {
    await putCasting();
    const said: Answer = { kind: 'pencil', text: null, at: '2026-11-20T11:00:00.000Z' };
    await answer('3');
    await device.db.outbox.toCollection().modify({ sentOnce: true });
    const before = await readRole(device.db, '2');
    expect(before?.requests[0]?.body.answers).toHaveLength(1);
    // A pull brings what the server did.
    await put('request', '2', { ...request, version: 2, answers: [said] });
    expect((await readRole(device.db, '2'))?.requests[0]?.body.answers).toEqual([said]);
    await answer('3');
    expect((await readRole(device.db, '2'))?.requests[0]?.body.answers).toHaveLength(2);
  });

  it('show a cast role with everybody answered before it was sent', async () => {
    await putCasting();
    await cast({ request_ids: ['3'], cast_text: 'Yes!', text: 'No' });
    const view = await readRole(device.db, '2');
    expect([view?.role.body.status, view?.requests[0]?.body.answers.map(({ kind }) => kind)]).toEqual([
      'cast',
      ['cast'],
    ]);
    const stored = await rows();
    const other = { ...view!.requests[0]!.body, ...request, id: '4' };
    expect(applyCasting(other, stored).answers.map(({ kind }) => kind)).toEqual(['no_thank_you']);
    const declined = { ...other, declined_at: '2026-11-20T11:00:00.000Z' };
    expect(applyCasting(declined, stored).answers).toEqual([]);
    expect(
      applyActs(
        declined,
        stored.map((row) => ({ ...row, state: 'attention' as const })),
      ),
    ).toEqual(declined);
  });

  it('list roles and requests of a project that only this device has', async () => {
    const made = await create(device.ports, 'project', null, { title: 'The Salt Road' });
    const part = await create(device.ports, 'role', made.id, { name: 'Naseem' });
    await ask(part.id);
    const view = await readProject(device.db, made.id);
    expect(view?.roles.map(({ role: each, asked }) => [each.id, asked])).toEqual([[part.id, 1]]);
  });
});

describe('a request that was written long before its first try', () => {
  const DAY_MS = 86_400_000;

  it('asks before it is sent', async () => {
    await putCasting();
    await ask();
    device.now += DAY_MS + 1;
    await drain();
    expect(device.sent).toEqual([]);
    const [row] = await rows();
    expect(row).toMatchObject({ state: 'attention', reason: 'stale' });
    await sendAgain(device.ports, row!.op);
    device.answer = () => ({ status: 503, body: { message: 'Later' } });
    await drain();
    expect(lines()).toEqual(['POST /casting/requests']);
  });

  it('is removed when it is withdrawn instead', async () => {
    await putCasting();
    const id = await ask();
    device.now += DAY_MS + 1;
    await drain();
    await withdraw(id);
    expect(await rows()).toEqual([]);
  });

  it('is sent without a question within a day, and after a first try', async () => {
    await putCasting();
    await ask();
    device.now += DAY_MS;
    device.answer = () => ({ status: 503, body: { message: 'Later' } });
    await drain();
    device.now += 2 * DAY_MS;
    await drain();
    expect(lines()).toEqual(['POST /casting/requests', 'POST /casting/requests']);
  });
});

describe('a performer who has left', () => {
  it('is not answered when the role is cast', async () => {
    await putCasting();
    await put('request', '2', { ...request, performer: { profile_id: '9', name: 'Asha Rane' } });
    await put('request', '2', { ...request, id: '4', performer: null });
    await cast();
    const view = await readRole(device.db, '2');
    const answers = Object.fromEntries(
      view!.requests.map(({ id, body }) => [id, body.answers.map(({ kind }) => kind)]),
    );
    expect(answers).toEqual({ 3: ['no_thank_you'], 4: [] });
  });
});
