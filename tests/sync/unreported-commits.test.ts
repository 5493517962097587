import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { AccountDb } from '#db/database.ts';
import type { Engine } from '#sync/engine.ts';
import { mediaFile } from '../support/media-file.ts';
import { OfflineApp } from './offline-app.ts';
import type { Storage } from './simulation/disk.ts';

const whom = { userId: '3', name: 'Meera Joshi' };
const card = {
  id: '7',
  title: 'Actor',
  stage_name: 'Meera Joshi',
  location: 'Pune',
  profile_type: { id: '1', name: 'Actor / Performer', slug: 'actor-performer' },
  profile_photo: null,
  slug: 'meera-joshi',
};

describe('a write that is stored although the browser reports a failure', () => {
  let app: OfflineApp;
  let storage: Storage;
  let db: AccountDb;
  let engine: Engine;

  beforeEach(async () => {
    app = new OfflineApp();
    ({ storage, db, engine } = app);
    await db.media.put(mediaFile({ id: 'file' }));
  });

  afterEach(() => {
    db.close();
  });

  /** Returns the outbox after the write, whose first transaction commits unreported. */
  async function rowsAfter(write: () => Promise<unknown>): Promise<string[]> {
    const { faultCount } = storage;
    storage.fault = { kind: 'unreported', after: 0, times: 1 };
    await write();
    expect(storage.faultCount).toBeGreaterThan(faultCount);
    return (await db.outbox.orderBy('seq').toArray()).map(({ kind, type }) => `${kind} ${type}`);
  }

  it('keeps one row for a new record', async () => {
    expect(await rowsAfter(() => engine.create('skill', '7', { name: 'Fencing' }))).toEqual(['create skill']);
  });

  it('keeps one row per record of a new profile', async () => {
    const rows = [{ type: 'skill', fields: { name: 'Fencing' }, isSet: false }];
    expect(await rowsAfter(() => engine.createProfile({ profile_type: '1' }, rows))).toEqual([
      'create profile',
      'create skill',
    ]);
  });

  it('keeps one upload and one row for a picked file', async () => {
    expect(await rowsAfter(() => engine.addMedia('7', [{ mediaId: 'file', fields: { media_type: 'image' } }]))).toEqual(
      ['upload upload', 'create media'],
    );
  });

  it('keeps one upload and one row for a profile photo', async () => {
    expect(await rowsAfter(() => engine.setAvatar('7', 'file'))).toEqual(['upload upload', 'avatar profile']);
  });

  it('keeps one row for a message', async () => {
    const to = { conversationId: '4', userId: '3', name: 'Meera Joshi' };
    expect(await rowsAfter(() => engine.sendMessage(to, { message: 'Hello' }))).toEqual(['send message']);
  });

  it('sends nothing for a bookmark that was undone before it was sent', async () => {
    await engine.setSaved('saved_profile', card, true);
    expect(await rowsAfter(() => engine.setSaved('saved_profile', card, false))).toEqual([]);
  });

  it('sends nothing for a connection whose removal was undone', async () => {
    await engine.disconnect(whom, 'remove', '9');
    expect(await rowsAfter(() => engine.connect(whom))).toEqual([]);
  });

  it('reports that a delete was undone', async () => {
    const { op } = await engine.remove('skill', '12');
    let isUndone = false;
    expect(await rowsAfter(async () => (isUndone = await engine.undo(op)))).toEqual([]);
    expect(isUndone).toBe(true);
  });

  describe('when another tab writes before the retry', () => {
    /** Reopens the connection only after the other tab has written this many times. */
    const writeElsewhere = (times: number) => {
      const reopen = db.open.bind(db);
      vi.spyOn(db, 'open').mockImplementationOnce(() =>
        reopen().then(async () => {
          const elsewhere = app.openStore();
          const other = app.startEngine(elsewhere);
          for (let n = 0; n < times; n += 1) await other.create('skill', '8', { name: `Riding ${n}` });
          elsewhere.close();
          return db;
        }),
      );
    };
    const fencing = () => db.outbox.filter(({ patch }) => patch.name === 'Fencing').toArray();

    it('is recognized as done', async () => {
      storage.fault = { kind: 'unreported', after: 0, times: 1 };
      writeElsewhere(1);
      const { op } = await engine.create('skill', '7', { name: 'Fencing' });
      expect(await fencing()).toMatchObject([{ op }]);
      expect(await db.outbox.count()).toBe(2);
    });

    it('is not repeated, however often that tab wrote', async () => {
      storage.fault = { kind: 'unreported', after: 0, times: 1 };
      writeElsewhere(20);
      await expect(engine.create('skill', '7', { name: 'Fencing' })).rejects.toThrow('constraint');
      expect(await fencing()).toHaveLength(1);
    });
  });

  it('returns the id that is stored', async () => {
    storage.fault = { kind: 'unreported', after: 0, times: 1 };
    const { id, op } = await engine.create('skill', '7', { name: 'Fencing' });
    expect(await db.outbox.toArray()).toMatchObject([{ target: id, op }]);
  });
});
