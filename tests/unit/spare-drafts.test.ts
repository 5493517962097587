import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { chatDraft } from '#db/messages.ts';
import { forgetLoss, noteLoss, readCanary, readLoss, writeCanary } from '#session/canary.ts';
import { dropDraft, dropSentWords, keepChatDraft, keepDraft, loadDraft, restoreDrafts } from '#session/drafts.ts';
import { areSparesRefused, keepSpare, readSpare, spareKeys } from '#session/spare-drafts.ts';
import { fakeStorage } from './support/local-storage.ts';

const NOW = 1_800_000_000_000;
const KEY = 'skill:new';

beforeEach(() => {
  vi.stubGlobal('localStorage', fakeStorage());
  vi.spyOn(console, 'warn').mockReturnValue();
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('a draft', () => {
  let disk: IDBFactory;
  let db: AccountDb;
  const open = () => new AccountDb('drafts', '1', { indexedDB: disk, IDBKeyRange });
  /** As in WebKit after a long time in the background: only another page opens the store again. */
  const breakStore = async () => {
    await db.open();
    db.close();
  };
  beforeEach(() => {
    disk = new IDBFactory();
    db = open();
  });
  afterEach(() => db.close());

  it('leaves local storage once the store has it', async () => {
    keepDraft(db, KEY, { name: 'Kathak' }, NOW);
    expect(spareKeys('drafts')).toEqual([KEY]);
    await vi.waitFor(() => expect(spareKeys('drafts')).toEqual([]));
    expect(await loadDraft(db, KEY)).toEqual({ name: 'Kathak' });
  });

  it('survives a lost store and a reload', async () => {
    await breakStore();
    keepDraft(db, KEY, { name: 'Kath' }, NOW);
    keepDraft(db, KEY, { name: 'Kathak' }, NOW);
    expect(await loadDraft(db, KEY)).toEqual({ name: 'Kathak' });
    db = open();
    await restoreDrafts(db, NOW);
    expect(spareKeys('drafts')).toEqual([]);
    expect((await db.drafts.get(KEY))?.values).toEqual({ name: 'Kathak' });
  });

  it('of a message waits in local storage while the store refuses it', async () => {
    await breakStore();
    keepChatDraft(db, '7', 'On my way', NOW);
    await vi.waitFor(() => expect(console.warn).toHaveBeenCalled());
    expect(await loadDraft(db, chatDraft('7'))).toEqual({ message: 'On my way' });
  });

  it('of a message is let go once these words were sent, and not those typed since', async () => {
    await breakStore();
    keepChatDraft(db, '7', 'On my way. Save me', NOW);
    dropSentWords(db, '7', 'On my way');
    expect(spareKeys('drafts')).toEqual([chatDraft('7')]);
    dropSentWords(db, '7', 'On my way. Save me');
    expect(spareKeys('drafts')).toEqual([]);
  });

  it('stays in local storage when only earlier words are in the store', () => {
    const forget = keepSpare('drafts', KEY, { name: 'Kath' });
    keepSpare('drafts', KEY, { name: 'Kathak' });
    forget();
    expect(readSpare('drafts', KEY)).toEqual({ name: 'Kathak' });
  });

  it('counts as none where neither the store nor local storage has it', async () => {
    await breakStore();
    expect(await loadDraft(db, KEY)).toBeNull();
  });

  it('keeps the photo of a message beside the words typed while the store was lost', async () => {
    await db.drafts.put({ key: chatDraft('7'), values: { message: 'On my', photo: 'photo-1' }, at: NOW });
    await breakStore();
    keepChatDraft(db, '7', 'On my way', NOW);
    db = open();
    await restoreDrafts(db, NOW);
    expect((await db.drafts.get(chatDraft('7')))?.values).toEqual({ message: 'On my way', photo: 'photo-1' });
  });

  it('does not come back after it was dropped', async () => {
    await breakStore();
    keepDraft(db, KEY, { name: 'Kathak' }, NOW);
    db = open();
    await dropDraft(db, KEY);
    await restoreDrafts(db, NOW);
    expect(await loadDraft(db, KEY)).toBeNull();
  });

  it('is known to be at risk when local storage refuses it too', async () => {
    await breakStore();
    vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
      throw new DOMException('Full', 'QuotaExceededError');
    });
    keepDraft(db, KEY, { name: 'Kathak' }, NOW);
    expect(areSparesRefused()).toBe(true);
  });

  it('is at risk no more once the store has it', async () => {
    vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
      throw new DOMException('Full', 'QuotaExceededError');
    });
    keepDraft(db, KEY, { name: 'Kathak' }, NOW);
    await vi.waitFor(() => expect(areSparesRefused()).toBe(false));
    expect(await loadDraft(db, KEY)).toEqual({ name: 'Kathak' });
  });
});

describe('the note of what waits', () => {
  it('becomes a loss that is told once, by kind', () => {
    writeCanary('1', { born: 5, kinds: { skill: 2, chat: 1, media: 0 } });
    noteLoss('1');
    expect(readLoss('1')).toEqual({ skill: 2, chat: 1 });
    expect(readCanary('1')).toBeNull();
    forgetLoss('1');
    expect(readLoss('1')).toEqual({});
  });

  it('adds up losses the person was not told of yet', () => {
    writeCanary('1', { born: 5, kinds: { skill: 2 } });
    noteLoss('1');
    writeCanary('1', { born: 6, kinds: { skill: 1 } });
    noteLoss('1');
    expect(readLoss('1')).toEqual({ skill: 3 });
  });

  it('is kept for each person of the device', () => {
    writeCanary('1', { born: 5, kinds: { skill: 2 } });
    writeCanary('2', { born: 6, kinds: {} });
    noteLoss('2');
    expect(readLoss('2')).toEqual({});
    expect(readCanary('1')?.kinds).toEqual({ skill: 2 });
  });

  it('is read as an older version wrote it', () => {
    localStorage.setItem('waiting', JSON.stringify({ userId: '1', pending: 3 }));
    noteLoss('2');
    localStorage.setItem('waiting', JSON.stringify({ userId: '1', pending: 3 }));
    noteLoss('1');
    expect(readLoss('2')).toEqual({});
    expect(readLoss('1')).toEqual({ '': 3 });
  });
});
