import { beforeEach, describe, expect, it } from 'vitest';
import type { Actions } from '#sync/actions.ts';
import { mediaFile } from '../support/media-file.ts';
import { OfflineApp } from './offline-app.ts';

const KEY = 'skill:new:7';
const OTHER = 'skill:new:8';

const LINKS = ['https://youtu.be/aqz-KE-bpKQ', 'https://youtu.be/dQw4w9WgXcQ'];

describe('a form whose draft ends with what it saves', () => {
  let app: OfflineApp;

  beforeEach(async () => {
    app = new OfflineApp();
    await app.db.media.put(mediaFile({ id: 'file' }));
    for (const key of [KEY, OTHER]) await putDraft(key);
  });

  const putDraft = (key: string) => app.db.drafts.put({ key, values: { name: 'Fencing' }, at: 0 });
  const getActions = () => app.engine.endingDraft(KEY);
  const save = async () => (await getActions()).create('skill', '7', { name: 'Fencing' });
  const read = () =>
    app.db.transaction('r', app.db.drafts, app.db.outbox, async () => ({
      drafts: await app.db.drafts.toCollection().primaryKeys(),
      rows: await app.db.outbox.count(),
    }));
  const UNSAVED = { drafts: [KEY, OTHER], rows: 0 };
  const SAVED = { drafts: [OTHER], rows: 1 };

  it.each<[string, number, (actions: Actions) => Promise<unknown>]>([
    ['one change', 1, (actions) => actions.create('skill', '7', { name: 'Fencing' })],
    [
      'a file and several links',
      4,
      (actions) =>
        actions.addMedia('7', [
          { mediaId: 'file', fields: { media_type: 'video', name: 'Showreel' } },
          ...LINKS.map((youtube_url) => ({ fields: { youtube_url } })),
        ]),
    ],
  ])(
    'has either the draft or all of %s after a page that was killed between any two requests',
    async (_, rows, act) => {
      // Once without dying: the last moment is when all of it is stored.
      for (let requests = 1, isKilled = true; isKilled; requests += 1) {
        isKilled = await app.dieDuring(async () => act(await getActions()), requests);
        const found = await read();
        if (isKilled && requests === 1) expect(found).toEqual(UNSAVED);
        if (!isKilled) {
          expect(found).toEqual({ ...SAVED, rows });
          expect(requests).toBeGreaterThan(5);
        }
        expect(found).toEqual(found.rows === 0 ? UNSAVED : { ...SAVED, rows });
        await app.db.outbox.clear();
        await putDraft(KEY);
      }
    },
  );

  it('keeps the draft if the device cannot store the change', async () => {
    app.storage.fault = { kind: 'QuotaExceededError', after: 1, times: 10 };
    await expect(save()).rejects.toThrow();
    app.storage.fault = null;
    expect(await read()).toEqual(UNSAVED);
  });

  it('repeats both if the connection is lost in between', async () => {
    app.storage.fault = { kind: 'closed', after: 2, times: 1 };
    await save();
    expect(app.storage.faultCount).toBeGreaterThan(0);
    expect(await read()).toEqual(SAVED);
  });

  it('leaves the drafts alone in other writes', async () => {
    await app.engine.create('skill', '7', { name: 'Fencing' });
    expect(await read()).toEqual({ ...UNSAVED, rows: 1 });
  });
});
