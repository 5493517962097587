import { expect, it } from 'vitest';
import { update } from '#sync/queue/outbox.ts';
import { useSendingDevice } from './sending-device.ts';

const device = useSendingDevice();
const { drain, drainInWorker, rows } = device;

const theirs = { id: '7', version: 2, location: 'Pune' };

/** An edit of a profile that another device has changed meanwhile, and one of another profile. */
async function editBoth(): Promise<void> {
  await device.db.records.put({ type: 'profile', id: '8', parent: null, body: { id: '8', version: 1 }, version: 1 });
  await update(device.ports, 'profile', '7', { stage_name: 'Ila' });
  await update(device.ports, 'profile', '8', { stage_name: 'Noor' });
  device.answer = ({ method, body }) => {
    if (method === 'GET') return { status: 200, body: theirs };
    const { profile_id: id, stage_name } = (body?.kind === 'json' ? body.value : {}) as Record<string, string>;
    const isOutdated = id === '7' && device.sent.at(-1)!.headers['if-match'] !== '"2"';
    return isOutdated
      ? { status: 412, body: { message: 'Changed meanwhile', data: theirs } }
      : { status: 200, body: { data: { ...(id === '7' ? theirs : { id, version: 2 }), stage_name } } };
  };
}

it('leaves a conflict that a worker has met to a page, which merges it without waiting', async () => {
  await editBoth();
  await drainInWorker();
  const [left, ...others] = await rows();
  expect(others).toEqual([]);
  expect(left).toMatchObject({ target: '7', state: 'queued', forPage: true, notBefore: device.now });
  // It is not a matter of the connection.
  expect(left!.lastError?.message).toBe('Waiting for the app to be opened');
  await drain();
  expect(await rows()).toEqual([]);
});

it('does not send it again from the worker, whatever time has passed', async () => {
  await editBoth();
  await drainInWorker();
  const { length } = device.sent;
  device.now += 3_600_000;
  await drainInWorker();
  expect([device.sent.length, (await rows()).length]).toEqual([length, 1]);
});

it('lets the page finish the merge, although the worker starts meanwhile and no lock keeps it away', async () => {
  await editBoth();
  await drainInWorker();
  const { answer } = device;
  let merges = 0;
  device.answer = async (request) => {
    if (request.method === 'GET' && (merges += 1) < 4) await drainInWorker();
    return answer(request);
  };
  await drain();
  expect([merges, await rows()]).toEqual([1, []]);
});

it('leaves it to the next page if a page ends in the middle', async () => {
  await editBoth();
  await drainInWorker();
  const [row] = await rows();
  await device.db.outbox.put({ ...row!, state: 'sending', attempt: 'of a page that has ended' });
  const { length } = device.sent;
  await drainInWorker();
  expect(device.sent.length).toBe(length);
  await drain();
  expect(await rows()).toEqual([]);
});

it('leaves it to pages also after one that had no connection', async () => {
  await editBoth();
  await drainInWorker();
  const { answer } = device;
  device.answer = () => ({ status: 0, body: null });
  await drain();
  device.answer = answer;
  device.now += 3_600_000;
  const { length } = device.sent;
  await drainInWorker();
  expect(device.sent.length).toBe(length);
});

it('sends from the worker again what the person has decided', async () => {
  await editBoth();
  await device.db.records.update(['profile', '7'], { body: { id: '7', version: 1, stage_name: 'Ila J.' } });
  await drainInWorker();
  const conflicting = device.answer;
  device.answer = (request) =>
    request.method === 'GET' ? { status: 200, body: { ...theirs, stage_name: 'Asha' } } : conflicting(request);
  await drain();
  const [asked] = await rows();
  expect(asked).toMatchObject({ state: 'attention', reason: 'conflict' });
  expect(asked).not.toHaveProperty('forPage');
});
