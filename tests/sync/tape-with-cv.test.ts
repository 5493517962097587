import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { queueSummary } from '#db/queue-summary.ts';
import { WAITING_FOR_WIFI } from '#lib/mobile-data.ts';
import { listWaiting } from '#sync/queue/waiting.ts';
import { KillableApp, NOW } from './killable-app.ts';

describe('a tape with a CV', () => {
  let app: KillableApp;
  let auditionId: string;

  /** Begins anew with an audition, on a new server and a new device. */
  function begin(): void {
    app = new KillableApp();
    const { store } = app.server;
    auditionId = store.newId();
    const about = { userId: 'u2', clientId: null };
    store.insert({ ...about, type: 'project', id: 'p', profileId: 'p', body: { status: 'open' } }, 'web');
    store.insert({ ...about, type: 'role', id: 'r', profileId: 'p', body: { status: 'open' } }, 'web');
    const facts = { confirmed_at: null, declined_at: null, withdrawn_at: null, announced_at: null, arrived_at: null };
    const body = { performer_id: 'u1', answers: [], asked_at: new Date(NOW).toISOString(), ...facts };
    const request = { ...about, type: 'request', id: auditionId, profileId: 'r', body };
    store.insert(request, 'web');
  }

  beforeEach(() => begin());
  afterEach(() => app.db.close());

  const send = (take: string, cv: string) =>
    app.engine.sendTape({
      auditionId,
      takes: [{ mediaId: take, name: 'take.mp4', label: null }],
      cv: { mediaId: cv, name: 'Ila CV' },
      note: null,
      noLinks: false,
      title: 'Naseem, The Salt Road',
    });
  const names = async () => (await app.rows()).map(({ kind, type }) => `${kind} ${type}`);
  const WAITING = ['upload upload', 'upload upload', 'create tape', 'act tape'];
  const tapes = () => app.server.store.rowsOf('tape', auditionId).map(({ body }) => body);

  it('is announced first, and arrives with one upload of each file', async () => {
    await send(await app.pick(7), await app.pick(8));
    expect(await names()).toEqual(WAITING);
    await app.drain();
    expect(tapes()).toMatchObject([{ state: 'arrived', cv: { name: 'Ila CV', pages: 1 } }]);
    expect([await app.rows(), app.countCreated()]).toEqual([[], 2]);
    expect(app.sent.findLastIndex((line) => line.startsWith('PATCH'))).toBeLessThan(
      app.sent.findIndex((line) => line.endsWith('/arrive')),
    );
    expect(await app.countStored()).toEqual([0, 0]);
  });

  it('arrives once wherever the app is killed', async () => {
    await send(await app.pick(7), await app.pick(8));
    await app.drain();
    const undisturbed = app.sent.length;
    expect(undisturbed).toBeGreaterThan(5);
    for (let after = 1; after < undisturbed; after += 1) {
      app.db.close();
      begin();
      await send(await app.pick(7), await app.pick(8));
      await app.dieAfter(after);
      await app.drain();
      expect([after, await app.rows(), tapes().length]).toEqual([after, [], 1]);
      expect(tapes()).toMatchObject([{ state: 'arrived', cv: { pages: 1 } }]);
      expect([app.server.store.uploads.size, await app.countStored()]).toEqual([0, [0, 0]]);
    }
  });

  it('uploads its CV again if the server has lost the upload', async () => {
    const cv = await app.pick(8);
    await send(await app.pick(7), cv);
    let lost = 0;
    const handle = app.server.handle.bind(app.server);
    app.server.handle = (request, device) => {
      if (request.path.endsWith('/arrive') && lost === 0) lost += Number(app.server.store.uploads.delete(cv));
      return handle(request, device);
    };
    await app.drain();
    expect([lost, await app.rows(), app.server.store.uploads.size]).toEqual([1, [], 0]);
    expect(tapes()).toMatchObject([{ state: 'arrived', cv: { pages: 1 } }]);
  });

  it('uploads its CV once when the app was killed before the form forgot it, and it is sent again', async () => {
    const [take, cv] = [await app.pick(7), await app.pick(8)];
    await app.db.drafts.put({ key: `tape:${auditionId}`, values: { files: [take] }, at: NOW });
    await app.db.drafts.put({ key: `tape-cv:${auditionId}`, values: { files: [cv] }, at: NOW });
    await send(take, cv);
    await send(take, cv);
    expect([await names(), await app.db.media.count()]).toEqual([WAITING, 2]);
    await app.db.drafts.clear();
    await app.drain();
    expect([app.countCreated(), tapes().length, await app.rows()]).toEqual([2, 1, []]);
  });

  it('gives up its CV when a newer one replaces it before it has left', async () => {
    const first = await app.pick(8);
    await send(await app.pick(7), first);
    const second = await app.pick(10);
    await send(await app.pick(9), second);
    expect(await names()).toEqual(WAITING);
    expect([await app.db.media.get(first), (await app.db.media.get(second))?.state]).toEqual([undefined, 'ready']);
  });

  it('needs the person when its CV is refused while its take waits for Wi-Fi', async () => {
    const [take, cv] = [await app.pick(7), await app.pick(8)];
    await send(take, cv);
    const change = (mediaId: string) => app.db.outbox.where('lane').equals(`upload:${mediaId}`);
    await change(take).modify({ lastError: { status: 0, message: WAITING_FOR_WIFI } });
    await change(cv).modify({ state: 'attention', reason: 'toobig' });
    const { needs } = await listWaiting(app.db, 0);
    expect(needs.map(({ row, upload }) => [row.target, upload?.mediaId])).toEqual([[cv, cv]]);
    expect((await queueSummary(app.db)).needs).toBe(1);
  });

  it('is not sent with a CV that is not stored yet', async () => {
    const [take, cv] = [await app.pick(7), await app.pick(8)];
    await app.db.media.update(cv, { state: 'importing' });
    await expect(send(take, cv)).rejects.toThrow();
    expect(await app.rows()).toEqual([]);
  });
});
