import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Sides } from '#contract/records/casting.ts';
import { collectFiles } from '#sync/files/collect.ts';
import { listWaiting } from '#sync/queue/waiting.ts';
import { HOUR_MS, KillableApp, NOW } from './killable-app.ts';

const title = 'Naseem, The Salt Road';

describe('PDFs of requests to audition', () => {
  let app: KillableApp;
  let profiles: string[];
  let roleId: string;

  /** Begins anew with a role, on a new server and a new device. */
  async function begin(): Promise<void> {
    app = new KillableApp();
    profiles = ['u2', 'u3', 'u4'].flatMap((user) => app.server.addUser(user, 1));
    const project = await app.engine.create('project', null, { title: 'The Salt Road', type: 'film' });
    roleId = (await app.engine.create('role', project.id, { name: 'Naseem' })).id;
  }

  beforeEach(() => begin());
  afterEach(() => app.db.close());

  const ask = (whom: readonly string[], files: readonly string[]) => {
    const sides = files.map((upload_id) => ({ upload_id, name: 'Scene 14' }));
    const deadline_at = new Date(NOW + 48 * HOUR_MS).toISOString();
    return app.engine.createAll(
      'request',
      roleId,
      whom.map((profile_id) => ({ profile_id, deadline_at, sides })),
      files,
    );
  };
  const requests = () => [...app.server.store.rows.values()].filter(({ type }) => type === 'request');
  const pathsOf = (body: Record<string, unknown>) => (body['sides'] as Sides[]).map(({ path }) => path);

  it('wait for one upload, which all requests share', async () => {
    const pdf = await app.pick(7);
    await ask(profiles, [pdf]);
    expect((await app.rows()).map(({ kind }) => kind)).toEqual([
      'create',
      'create',
      'upload',
      'create',
      'create',
      'create',
    ]);
    await app.drain();
    expect(await app.rows()).toEqual([]);
    expect(requests()).toHaveLength(3);
    expect(new Set(requests().flatMap(({ body }) => pathsOf(body))).size).toBe(1);
    expect(app.countCreated()).toBe(1);
    expect(app.sent.findLastIndex((line) => line.startsWith('PATCH'))).toBeLessThan(
      app.sent.findIndex((line) => line === 'POST /casting/requests'),
    );
    // The bytes are given up with the last request that names them.
    expect(await app.countStored()).toEqual([0, 0]);
  });

  it('arrive once wherever the app is killed', async () => {
    const undisturbed = 14;
    for (let after = 1; after < undisturbed; after += 1) {
      app.db.close();
      await begin();
      await ask(profiles, [await app.pick(7), await app.pick(8)]);
      await app.dieAfter(after);
      await app.drain();
      expect([after, await app.rows(), requests().length]).toEqual([after, [], 3]);
      const paths = requests().map(({ body }) => pathsOf(body));
      expect([paths[0]!.length, new Set(paths.flat()).size]).toEqual([2, 2]);
      expect(await app.countStored()).toEqual([0, 0]);
    }
  });

  it('are given up with the last request that names them, when requests are withdrawn before they leave', async () => {
    const pdf = await app.pick(7);
    await ask(profiles.slice(0, 2), [pdf]);
    const [first, second] = (await app.rows()).filter(({ type }) => type === 'request');
    await app.engine.act({ type: 'request', id: first!.target, act: 'withdraw', title });
    expect((await app.db.media.get(pdf))?.state).toBe('ready');
    expect((await app.rows()).map(({ type }) => type)).toEqual(['project', 'role', 'upload', 'request']);
    await app.engine.act({ type: 'request', id: second!.target, act: 'withdraw', title });
    expect((await app.rows()).map(({ type }) => type)).toEqual(['project', 'role']);
    expect(await app.countStored()).toEqual([0, 0]);
  });

  it('stay with the other requests when one of those that share a refused PDF is discarded', async () => {
    const pdf = await app.pick(7);
    await ask(profiles, [pdf]);
    const waiting = async () => (await app.rows()).filter(({ type }) => type === 'request').map(({ op }) => op);
    const [first, second, third] = await waiting();
    await app.db.outbox.where('lane').equals(`upload:${pdf}`).modify({ state: 'attention', reason: 'toobig' });
    const { needs } = await listWaiting(app.db, 0);
    expect(needs.map(({ changeOp, isFileShared }) => [changeOp, isFileShared])).toEqual([
      [first, true],
      [second, true],
      [third, true],
    ]);
    await app.engine.discard(needs[2]!.changeOp);
    expect(await waiting()).toEqual([first, second]);
    expect((await app.db.media.get(pdf))?.state).toBe('ready');
    await app.engine.discard(needs[1]!.changeOp);
    expect((await listWaiting(app.db, 0)).needs.map(({ isFileShared }) => isFileShared)).toEqual([undefined]);
  });

  it('go back into the form with a refused request, and can be sent again without another upload', async () => {
    const pdf = await app.pick(7);
    await ask(profiles.slice(0, 1), [pdf]);
    await app.drain();
    const other = await app.pick(9);
    // This person was asked already.
    await ask(profiles.slice(0, 2), [other]);
    await app.drain();
    const [refused] = await app.rows();
    expect([refused?.type, refused?.state, requests().length]).toEqual(['request', 'attention', 2]);
    await app.db.drafts.put({ key: 'ask:1', values: { files: [other] }, at: NOW });
    await app.engine.discard(refused!.op);
    expect([await app.rows(), (await app.db.media.get(other))?.state]).toEqual([[], 'sent']);
    await collectFiles(app.db, NOW + 2 * HOUR_MS);
    const uploads = app.countCreated();
    await ask([profiles[2]!], [other]);
    await app.db.drafts.clear();
    await app.drain();
    expect([await app.rows(), app.countCreated() - uploads]).toEqual([[], 0]);
    expect(
      new Set(
        requests()
          .slice(1)
          .flatMap(({ body }) => pathsOf(body)),
      ).size,
    ).toBe(1);
    expect(await app.countStored()).toEqual([0, 0]);
  });

  it('stay for a form that names them while other requests with them arrive', async () => {
    const pdf = await app.pick(7);
    await app.db.drafts.put({ key: 'ask:1', values: { files: [pdf] }, at: NOW });
    await ask(profiles.slice(0, 1), [pdf]);
    await app.drain();
    expect([await app.rows(), (await app.db.media.get(pdf))?.state]).toEqual([[], 'sent']);
    await ask(profiles.slice(1), [pdf]);
    await app.db.drafts.clear();
    await app.drain();
    expect([requests().length, app.countCreated(), await app.countStored()]).toEqual([3, 1, [0, 0]]);
  });

  it('are uploaded again if the server has lost the upload', async () => {
    await ask(profiles.slice(0, 2), [await app.pick(7)]);
    // Every byte has left, and no request.
    await app.dieAfter(6);
    expect(requests()).toEqual([]);
    app.server.store.uploads.clear();
    await app.drain();
    expect([await app.rows(), requests().length, app.countCreated()]).toEqual([[], 2, 2]);
  });
});
