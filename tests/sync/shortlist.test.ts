import { describe, expect, it } from 'vitest';
import { DEFAULT_COLUMNS } from '#contract/casting/shortlist.ts';
import type { PerformerCard } from '#db/casting.ts';
import type { FieldValues } from '#db/rows.ts';
import { listCards, listOpenRoles, readShortlist } from '#db/shortlist.ts';
import { act } from '#sync/queue/acts.ts';
import { create, remove, undo } from '#sync/queue/outbox.ts';
import { discard } from '#sync/queue/resolutions.ts';
import { addCandidates, moveCandidates } from '#sync/queue/shortlist.ts';
import { bodyOf, useSendingDevice } from './sending-device.ts';

const device = useSendingDevice();
const { drain, rows } = device;

const asha: PerformerCard = { profile_id: '8', name: 'Asha Rane', title: 'Actor', profile_photo: null };
const tenzin: PerformerCard = { profile_id: '9', name: 'Tenzin Dolma', title: null, profile_photo: null };

const put = (type: string, parent: string | null, body: FieldValues & { id: string; version: number }) =>
  device.db.records.put({ type, id: body.id, parent, body, version: body.version });
const putRole = async () => {
  await put('project', null, { id: '1', version: 1, title: 'The Salt Road', status: 'open' });
  await put('role', '1', { id: '2', version: 1, project_id: '1', name: 'Naseem', status: 'open' });
};
/** A card as the server sends it. */
const toRecord = (id: string, performer: PerformerCard, fields: FieldValues = {}) => ({
  id,
  client_id: null,
  version: 1,
  role_id: '2',
  column: 'ideas',
  position: 'U',
  performer: { ...performer, user_id: '80', slug: null, profile_type: null, verified: null },
  ...fields,
});
const putCard = (id: string, performer: PerformerCard, fields: FieldValues = {}) =>
  put('candidate', '2', toRecord(id, performer, fields) as never);
const add = (...performers: PerformerCard[]) =>
  addCandidates(device.ports, { roleId: '2', column: 'ideas', performers });
const move = (id: string, column: string, position = 'k') => moveCandidates(device.ports, [{ id, column, position }]);
const cards = async () =>
  (await listCards(device.db, '2')).map(({ performer, column, state }) => `${performer.name}, ${column}, ${state}`);
const lines = () => device.sent.map(({ method, path }) => `${method} ${path}`);

describe('somebody who is added without signal', () => {
  it('is one card, in whichever tab they were added again', async () => {
    await putRole();
    expect(await add(asha, tenzin, asha)).toEqual({ added: 2 });
    expect(await add(asha)).toEqual({ added: 0 });
    expect(await cards()).toEqual(['Asha Rane, ideas, phone', 'Tenzin Dolma, ideas, phone']);
    expect(await rows()).toHaveLength(2);
  });

  it('is one card although another device has added them meanwhile, and stands where that device has put them', async () => {
    await putRole();
    await add(asha);
    const theirs = toRecord('5', asha, { column: 'callback', version: 3 });
    await put('candidate', '2', theirs);
    expect(await cards()).toEqual(['Asha Rane, callback, saved']);
    device.answer = () => ({ status: 200, body: { message: 'Shortlist saved', data: theirs } });
    await drain();
    expect([await cards(), await rows()]).toEqual([['Asha Rane, callback, saved'], []]);
    const [sent] = device.sent;
    expect(bodyOf(sent!)).toMatchObject({ role_id: '2', profile_id: '8', column: 'ideas' });
  });

  it('is sent after the role that was made without signal too', async () => {
    const project = await create(device.ports, 'project', null, { title: 'The Salt Road' });
    const role = await create(device.ports, 'role', project.id, { name: 'Naseem' });
    await addCandidates(device.ports, { roleId: role.id, column: 'ideas', performers: [asha] });
    const bodies: Record<string, FieldValues> = {
      '/casting/projects': { id: '11', version: 1 },
      '/casting/roles': { id: '12', version: 1, project_id: '11' },
      '/casting/candidates': toRecord('13', asha, { role_id: '12' }),
    };
    device.answer = ({ path }) => ({ status: 201, body: { data: bodies[path] } });
    await drain();
    expect(lines()).toEqual(['POST /casting/projects', 'POST /casting/roles', 'POST /casting/candidates']);
    expect(await device.db.records.get(['candidate', '13'])).toMatchObject({ parent: '12' });
  });

  it('stays on the device with a way out when the shortlist is full', async () => {
    await putRole();
    await add(asha);
    device.answer = () => ({ status: 422, body: { message: 'A shortlist has room for 300 performers' } });
    await drain();
    const [row] = await rows();
    expect(row).toMatchObject({ state: 'attention', reason: 'invalid' });
    await discard(device.ports, row!.op);
    expect([await cards(), await rows()]).toEqual([[], []]);
  });
});

describe('moves of a card', () => {
  it('are sent as the last one', async () => {
    await putRole();
    await putCard('5', asha);
    await move('5', 'to-ask', 'A');
    await move('5', 'callback', 'B');
    await move('5', 'pencil', 'C');
    expect((await rows()).map(({ patch }) => patch)).toEqual([{ column: 'pencil', position: 'C' }]);
  });

  it('of one that was not sent yet are sent with it', async () => {
    await putRole();
    await add(asha);
    const [card] = await listCards(device.db, '2');
    await move(card!.id, 'pencil', 'C');
    const [row, ...others] = await rows();
    expect([row!.kind, row!.patch.column, others]).toEqual(['create', 'pencil', []]);
  });

  it('say nothing of versions, so that the last one to arrive holds', async () => {
    await putRole();
    await putCard('5', asha, { version: 4 });
    await move('5', 'pencil', 'C');
    device.answer = () => ({
      status: 200,
      body: { data: toRecord('5', asha, { column: 'pencil', position: 'C', version: 9 }) },
    });
    await drain();
    expect(device.sent[0]?.headers?.['if-match'] ?? null).toBeNull();
    expect(await cards()).toEqual(['Asha Rane, pencil, saved']);
  });

  it('keep a card in sight that was taken off elsewhere, until the person lets it go', async () => {
    await putRole();
    await putCard('5', asha);
    await move('5', 'pencil', 'C');
    device.answer = () => ({ status: 404, body: { message: 'This candidate does not exist' } });
    await drain();
    const [card] = await listCards(device.db, '2');
    expect(card).toMatchObject({ state: 'needs', reason: 'gone', column: 'pencil' });
    await discard(device.ports, card!.op!);
    expect(await rows()).toEqual([]);
  });
});

describe('taking somebody off', () => {
  it('can be undone, and is sent whatever happened to the card meanwhile', async () => {
    await putRole();
    await putCard('5', asha, { version: 4 });
    const { op } = await remove(device.ports, 'candidate', '5');
    expect(await cards()).toEqual([]);
    await undo(device.ports, op);
    expect(await cards()).toEqual(['Asha Rane, ideas, saved']);
    await remove(device.ports, 'candidate', '5');
    device.now += 6000;
    device.answer = () => ({ status: 200, body: { message: 'Removed' } });
    await drain();
    expect(lines()).toEqual(['DELETE /casting/candidates/5']);
    expect(device.sent[0]?.headers?.['if-match'] ?? null).toBeNull();
    expect([await cards(), await rows()]).toEqual([[], []]);
  });

  it('sends nothing of somebody who was added and taken off without signal', async () => {
    await putRole();
    await add(asha);
    const [card] = await listCards(device.db, '2');
    await remove(device.ports, 'candidate', card!.id);
    device.now += 6000;
    await drain();
    expect([device.sent, await rows()]).toEqual([[], []]);
  });
});

describe('the columns of a shortlist', () => {
  const change = (...columns: { id: string; name: string | null }[]) =>
    act(device.ports, { type: 'role', id: '2', act: 'columns', fields: { columns }, title: 'Naseem' });
  const columns = async () => (await readShortlist(device.db, '2'))!.columns.map(({ name }) => name);

  it('are the usual ones until somebody changes them', async () => {
    await putRole();
    expect(await columns()).toEqual(DEFAULT_COLUMNS.map(({ name }) => name));
  });

  it('show changes at once and send them as one', async () => {
    await putRole();
    await change({ id: 'new', name: 'Maybe' });
    await change({ id: 'ideas', name: 'Long list' });
    await change({ id: 'new', name: 'Perhaps' });
    await change({ id: 'pencil', name: null });
    expect(await columns()).toEqual(['Long list', 'To ask', 'Callback', 'Perhaps']);
    expect((await rows()).map(({ patch }) => patch.fields)).toEqual([
      {
        columns: [
          { id: 'new', name: 'Perhaps' },
          { id: 'ideas', name: 'Long list' },
          { id: 'pencil', name: null },
        ],
      },
    ]);
  });

  it('lose no card when one is removed: it stands in the first one', async () => {
    await putRole();
    await putCard('5', asha, { column: 'pencil' });
    await change({ id: 'pencil', name: null });
    const [first] = (await readShortlist(device.db, '2'))!.columns;
    expect([first!.id, first!.cards.map(({ performer }) => performer.name)]).toEqual(['ideas', ['Asha Rane']]);
  });
});

it('shows with each card the request that its performer was sent', async () => {
  await putRole();
  await putCard('5', asha);
  await putCard('6', tenzin, { position: 'V' });
  const performer = { ...asha, user_id: '80', slug: null, profile_type: null, verified: null };
  await put('request', '2', { id: '3', version: 1, role_id: '2', performer, answers: [], withdrawn_at: null });
  const [ideas] = (await readShortlist(device.db, '2'))!.columns;
  expect(ideas!.cards.map(({ request }) => request?.serverId ?? null)).toEqual(['3', null]);
});

it('offers the shortlists of open roles in open projects, and says on which somebody is', async () => {
  await putRole();
  await put('role', '1', { id: '4', version: 1, project_id: '1', name: 'Closed', status: 'closed' });
  await add(asha);
  const found = await listOpenRoles(device.db, '8');
  expect(found.map(({ role, isListed }) => [role.body.name, isListed])).toEqual([['Naseem', true]]);
  expect((await listOpenRoles(device.db, '9'))[0]?.isListed).toBe(false);
});
