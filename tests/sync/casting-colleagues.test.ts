import { describe, expect, it } from 'vitest';
import { readRole } from '#db/casting-role.ts';
import { readCasting, readProject } from '#db/casting.ts';
import type { FieldValues, OutboxRow } from '#db/rows.ts';
import type { WaitingItem } from '#db/views.ts';
import { getCopyText } from '#features/sync-status/row-text.ts';
import { resolutionsFor } from '#features/sync-status/resolutions.ts';
import { act } from '#sync/queue/acts.ts';
import { createAll } from '#sync/queue/create-all.ts';
import { create, remove, update } from '#sync/queue/outbox.ts';
import { pullChanges } from '#sync/pull/pull.ts';
import { bodyOf, useSendingDevice } from './sending-device.ts';

const device = useSendingDevice();
const { drain, rows } = device;

const person = (user_id: string, name: string) => ({
  user_id,
  name,
  title: null,
  profile_photo: null,
  slug: null,
  profile_type: null,
});
const [OWNER, ME, RAVI] = [person('u9', 'Meera Casting'), person('u1', 'Noor Haddad'), person('u3', 'Ravi Menon')];
const project = { id: '1', version: 1, title: 'The Salt Road', status: 'open', my_role: 'rate' };
const role = { id: '2', version: 1, project_id: '1', name: 'Naseem', status: 'open' };
const request = { id: '3', version: 1, role_id: '2', performer: null, answers: [], withdrawn_at: null };
const tape = { id: '4', version: 1, request_id: '3', number: 1, state: 'arrived', takes: [] };
const place = {
  id: '5',
  version: 2,
  project_id: '1',
  user: ME,
  role: 'rate',
  state: 'active',
  project: { title: 'The Salt Road' },
  owner: OWNER,
};
const mark = (id: string, author_id: string | null | undefined, text: string) => ({
  id,
  version: 1,
  tape_id: '4',
  request_id: '3',
  grade: 'B',
  text,
  ...(author_id !== undefined && { author_id }),
});

const put = (type: string, parent: string | null, body: FieldValues & { id: string; version: number }) =>
  device.db.records.put({ type, id: body.id, parent, body, version: body.version });
async function putProject() {
  await put('project', null, project);
  await put('role', '1', role);
  await put('request', '2', request);
  await put('tape', '3', tape);
  await put('project_member', '1', place);
}
const rate = (fields: FieldValues) =>
  act(device.ports, { type: 'tape', id: '4', act: 'mark', fields, title: 'Ila Deshpande, Naseem' });
const say = (what: 'join' | 'refuse' | 'leave') =>
  act(device.ports, { type: 'project_member', id: '5', act: what, title: 'The Salt Road' });
const waiting = async () => (await rows()).map(({ kind, type, patch }) => `${String(patch.act ?? kind)} ${type}`);
const toItem = (row: OutboxRow): WaitingItem => ({
  op: row.op,
  changeOp: row.op,
  row,
  title: 'Mark',
  state: 'needs',
  blocked: false,
});
const lines = () => device.sent.map(({ method, path }) => `${method} ${path}`);

describe('an invitation', () => {
  it('is written down without signal with others, and sent once each', async () => {
    await put('project', null, { ...project, my_role: 'own' });
    await createAll(device.ports, 'project_member', '1', [
      { user_id: 'u3', role: 'rate', name: RAVI.name, profile_photo: null },
      { user_id: 'u4', role: 'read', name: 'Uma', profile_photo: null },
    ]);
    const { members } = (await readProject(device.db, '1'))!;
    expect(members.map(({ body, state }) => [body.name, body.state, state]).sort()).toEqual([
      [RAVI.name, 'invited', 'phone'],
      ['Uma', 'invited', 'phone'],
    ]);
    device.answer = (sent) => {
      const { user_id, client_id } = bodyOf(sent);
      const data = { ...place, id: `of ${String(user_id)}`, user: person(String(user_id), 'X'), client_id };
      return { status: 201, body: { message: 'Invitation sent', data } };
    };
    await drain();
    expect(lines()).toEqual(['POST /casting/members', 'POST /casting/members']);
    expect(device.sent.map((sent) => bodyOf(sent))).toMatchObject([
      { project_id: '1', user_id: 'u3', role: 'rate' },
      { project_id: '1', user_id: 'u4', role: 'read' },
    ]);
    expect(await rows()).toEqual([]);
  });

  it('that has not left takes a change of mind with it, and is gone when it is taken back', async () => {
    await put('project', null, { ...project, my_role: 'own' });
    const { id } = await create(device.ports, 'project_member', '1', { user_id: 'u3', role: 'rate', name: 'Ravi' });
    await update(device.ports, 'project_member', id, { role: 'read' });
    expect((await rows()).map(({ kind, patch }) => [kind, patch.role])).toEqual([['create', 'read']]);
    await remove(device.ports, 'project_member', id);
    expect((await readProject(device.db, '1'))!.members).toEqual([]);
  });

  it('that is refused says why, and can be sent again or discarded', async () => {
    await put('project', null, { ...project, my_role: 'own' });
    await create(device.ports, 'project_member', '1', { user_id: 'u3', role: 'rate', name: 'Ravi' });
    const errors = { user_id: ['Invite somebody you are connected with'] };
    device.answer = () => ({ status: 422, body: { message: errors.user_id[0], errors } });
    await drain();
    const [row] = await rows();
    const prompt = resolutionsFor(toItem(row!), device.now);
    expect(prompt.message).toBe('Invite somebody you are connected with.');
    expect(prompt.resolutions.map(({ action }) => action)).toEqual(['send', 'discard']);
  });

  it('is answered without signal, by the last word', async () => {
    await put('project_member', '1', { ...place, state: 'invited' });
    expect((await readCasting(device.db)).invitations.map(({ body }) => body.state)).toEqual(['invited']);
    await say('join');
    await say('refuse');
    await say('join');
    expect(await waiting()).toEqual(['join project_member']);
    expect((await readCasting(device.db)).invitations.map(({ body }) => body.state)).toEqual(['active']);
    device.answer = () => ({ status: 200, body: { message: 'Accepted', data: place } });
    await drain();
    expect(lines()).toEqual(['POST /casting/members/5/accept']);
    expect((await readCasting(device.db)).invitations).toEqual([]);
  });

  it('that was taken back meanwhile ends quietly when it was declined, and says so when it was accepted', async () => {
    await put('project_member', '1', { ...place, state: 'invited' });
    device.answer = () => ({ status: 404, body: { message: 'This colleague no longer exists, or you can’t see it' } });
    await say('refuse');
    await drain();
    expect(await rows()).toEqual([]);
    await say('join');
    await drain();
    expect((await rows()).map(({ state, reason }) => [state, reason])).toEqual([['attention', 'gone']]);
  });
});

describe('a colleague', () => {
  it('reads what everybody thinks, by name, beside what they say themselves', async () => {
    await putProject();
    await put('project_member', '1', { ...place, id: '6', user: RAVI });
    await put('mark', '4', mark('7', 'u9', 'Warm'));
    await put('mark', '4', mark('8', 'u3', 'Cold'));
    await put('mark', '4', mark('9', null, 'Gone'));
    await put('mark', '4', mark('10', 'u1', 'Mine'));
    await rate({ grade: 'A' });
    const [shown] = (await readRole(device.db, '2'))!.requests;
    expect(shown!.mark).toEqual({ grade: 'A', text: 'Mine' });
    expect(shown!.others.map(({ author, text }) => [author, text])).toEqual([
      ['Former colleague', 'Gone'],
      [OWNER.name, 'Warm'],
      [RAVI.name, 'Cold'],
    ]);
  });

  it('is the owner in what an older version of the app stored', async () => {
    await putProject();
    await put('project', null, { id: '1', version: 1, title: 'The Salt Road', status: 'open' });
    await put('mark', '4', mark('7', undefined, 'Warm'));
    const [shown] = (await readRole(device.db, '2'))!.requests;
    expect([shown!.mark.text, shown!.others]).toEqual(['Warm', []]);
  });

  it('who rates without signal and was removed meanwhile keeps the words, with a way out', async () => {
    await putProject();
    await rate({ grade: 'A' });
    await rate({ text: 'Listen to the pause before the last line.' });
    // The project goes with the next pull, while what was written waits.
    const gone = [
      ['project', '1', null],
      ['role', '2', '1'],
      ['request', '3', '2'],
      ['tape', '4', '3'],
      ['project_member', '5', '1'],
    ].map(([type, id, parent]) => ({ type, id, parent, body: null }));
    await device.db.cursors.put({ resource: 'sync', value: 'e.0.1' });
    device.answer = ({ method }) =>
      method === 'GET'
        ? { status: 200, body: { records: gone, cursor: 'e.0.2', has_more: false } }
        : { status: 404, body: { message: 'This tape no longer exists, or you can’t see it' } };
    expect(await pullChanges(device.db, device.createPorts())).toBe('done');
    expect(await readProject(device.db, '1')).toBeNull();
    expect((await readCasting(device.db)).projects).toEqual([]);
    await drain();
    const [row, ...others] = await rows();
    expect(others).toEqual([]);
    expect([row?.state, row?.reason]).toEqual(['attention', 'gone']);
    const item = toItem(row!);
    expect(resolutionsFor(item, device.now).resolutions.map(({ action }) => action)).toEqual(['copy', 'discard']);
    expect(getCopyText(item)).toBe('Listen to the pause before the last line.');
  });

  it('who may only watch by now keeps the words of a note too', async () => {
    await putProject();
    await rate({ text: 'Warmer than the first.' });
    device.answer = () => ({ status: 403, body: { message: 'You can watch in this project, but not rate' } });
    await drain();
    const [row] = await rows();
    const item = toItem(row!);
    expect(resolutionsFor(item, device.now)).toMatchObject({
      message: 'You can watch in this project, but not rate.',
      resolutions: [{ action: 'send' }, { action: 'copy' }, { action: 'discard' }],
    });
  });

  it('who leaves is shown as leaving until it is sent', async () => {
    await putProject();
    await say('leave');
    const [listed] = (await readCasting(device.db)).projects;
    expect([listed?.place?.body.state, listed?.place?.state]).toEqual(['left', 'phone']);
    device.answer = () => ({
      status: 200,
      body: { message: 'You left', data: { ...place, version: 3, state: 'left' } },
    });
    await drain();
    expect(lines()).toEqual(['POST /casting/members/5/leave']);
    expect(await rows()).toEqual([]);
  });
});
