import { IDBFactory, IDBKeyRange } from 'fake-indexeddb';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { chatDraft } from '#db/messages.ts';
import { clearLoss, recordLoss, readPendingWork, readLoss, writePendingWork } from '#open-store/pending-work-marker.ts';
import { dropDraft, dropSentText, saveChatDraft, saveDraft, loadDraft, restoreDrafts } from '#shared/forms/drafts.ts';
import {
  backUpDraft,
  backUpHeldDrafts,
  forgetHeldDrafts,
  isBackupRefused,
  listBackups,
  readBackup,
} from '#open-store/draft-backup.ts';
import { fakeStorage } from './support/local-storage.ts';

const NOW = 1_800_000_000_000;
const KEY = 'skill:new';

beforeEach(() => {
  vi.stubGlobal('localStorage', fakeStorage());
  vi.spyOn(console, 'warn').mockReturnValue();
});
afterEach(() => {
  forgetHeldDrafts();
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
});

describe('a draft', () => {
  let disk: IDBFactory;
  let db: AccountDb;
  const open = () => new AccountDb('drafts', '1', { indexedDB: disk, IDBKeyRange });
  /** As in WebKit after a long time in the background: only another page can open the store again. */
  const breakStore = async () => {
    await db.open();
    db.close();
  };
  beforeEach(() => {
    disk = new IDBFactory();
    db = open();
  });
  afterEach(() => db.close());

  it('leaves local storage once the store has saved it', async () => {
    saveDraft(db, KEY, { name: 'Kathak' }, NOW);
    expect(listBackups('drafts')).toEqual([KEY]);
    await vi.waitFor(() => expect(listBackups('drafts')).toEqual([]));
    expect(await loadDraft(db, KEY)).toEqual({ name: 'Kathak' });
  });

  it('survives a lost store and a reload', async () => {
    await breakStore();
    saveDraft(db, KEY, { name: 'Kath' }, NOW);
    saveDraft(db, KEY, { name: 'Kathak' }, NOW);
    expect(await loadDraft(db, KEY)).toEqual({ name: 'Kathak' });
    db = open();
    await restoreDrafts(db, NOW);
    expect(listBackups('drafts')).toEqual([]);
    expect((await db.drafts.get(KEY))?.values).toEqual({ name: 'Kathak' });
  });

  it('is backed up again when the store has lost it, unless it was saved or discarded, or the person has signed out', async () => {
    for (const key of [KEY, 'award:new', 'credit:new']) saveDraft(db, key, { name: key }, NOW);
    saveChatDraft(db, '7', 'At nine?', NOW);
    await vi.waitFor(() => expect(listBackups('drafts')).toEqual([]));
    dropSentText(db, '7', 'At nine?');
    await dropDraft(db, 'award:new');
    backUpHeldDrafts();
    expect(listBackups('drafts')).toEqual([KEY, 'credit:new']);
    for (const key of listBackups('drafts')) localStorage.removeItem(`draft:drafts:${key}`);
    forgetHeldDrafts();
    backUpHeldDrafts();
    expect(listBackups('drafts')).toEqual([]);
  });

  it('stays in local storage on a full disk, and the account opens all the same', async () => {
    backUpDraft('drafts', KEY, { name: 'Kathak' });
    const full = new DOMException('The quota has been exceeded', 'QuotaExceededError');
    vi.spyOn(db.drafts, 'put').mockRejectedValue(full);
    await restoreDrafts(db, NOW);
    expect(listBackups('drafts')).toEqual([KEY]);
    expect(await loadDraft(db, KEY)).toEqual({ name: 'Kathak' });
  });

  it('keeps a chat draft in local storage while the store refuses it', async () => {
    await breakStore();
    saveChatDraft(db, '7', 'On my way', NOW);
    await vi.waitFor(() => expect(console.warn).toHaveBeenCalled());
    expect(await loadDraft(db, chatDraft('7'))).toEqual({ message: 'On my way' });
  });

  it('drops the backup of a sent chat message, but not text typed since', async () => {
    await breakStore();
    saveChatDraft(db, '7', 'On my way. Save me', NOW);
    dropSentText(db, '7', 'On my way');
    expect(listBackups('drafts')).toEqual([chatDraft('7')]);
    dropSentText(db, '7', 'On my way. Save me');
    expect(listBackups('drafts')).toEqual([]);
  });

  it('stays in local storage when the store has only an earlier version', () => {
    const forget = backUpDraft('drafts', KEY, { name: 'Kath' });
    backUpDraft('drafts', KEY, { name: 'Kathak' });
    forget();
    expect(readBackup('drafts', KEY)).toEqual({ name: 'Kathak' });
  });

  it('moves from the key under which an older version kept it', async () => {
    await db.drafts.put({ key: 'social_link:7', values: { website_url: 'https://meera.example' }, at: NOW });
    expect(await loadDraft(db, KEY, 'social_link:7')).toEqual({ website_url: 'https://meera.example' });
    expect(await db.drafts.toCollection().primaryKeys()).toEqual([KEY]);
    expect(await loadDraft(db, KEY, 'social_link:7')).toEqual({ website_url: 'https://meera.example' });
  });

  it('is null when neither the store nor local storage has one', async () => {
    await breakStore();
    expect(await loadDraft(db, KEY)).toBeNull();
  });

  it('keeps the photo of a chat draft when text typed during the outage is restored', async () => {
    await db.drafts.put({ key: chatDraft('7'), values: { message: 'On my', photo: 'photo-1' }, at: NOW });
    await breakStore();
    saveChatDraft(db, '7', 'On my way', NOW);
    db = open();
    await restoreDrafts(db, NOW);
    expect((await db.drafts.get(chatDraft('7')))?.values).toEqual({ message: 'On my way', photo: 'photo-1' });
  });

  it('does not return after it was dropped', async () => {
    await breakStore();
    saveDraft(db, KEY, { name: 'Kathak' }, NOW);
    db = open();
    await dropDraft(db, KEY);
    await restoreDrafts(db, NOW);
    expect(await loadDraft(db, KEY)).toBeNull();
  });

  it('counts as refused when local storage is full and the store is lost', async () => {
    await breakStore();
    vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
      throw new DOMException('Full', 'QuotaExceededError');
    });
    saveDraft(db, KEY, { name: 'Kathak' }, NOW);
    expect(isBackupRefused()).toBe(true);
  });

  it('no longer counts as refused once the store has saved it', async () => {
    vi.spyOn(localStorage, 'setItem').mockImplementation(() => {
      throw new DOMException('Full', 'QuotaExceededError');
    });
    saveDraft(db, KEY, { name: 'Kathak' }, NOW);
    await vi.waitFor(() => expect(isBackupRefused()).toBe(false));
    expect(await loadDraft(db, KEY)).toEqual({ name: 'Kathak' });
  });
});

describe('the pending-work marker', () => {
  it('becomes a loss by kind until it is cleared', () => {
    writePendingWork('1', { born: 5, kinds: { skill: 2, chat: 1, media: 0 } });
    recordLoss('1');
    expect(readLoss('1')).toEqual({ skill: 2, chat: 1 });
    expect(readPendingWork('1')).toBeNull();
    clearLoss('1');
    expect(readLoss('1')).toEqual({});
  });

  it('adds up losses that were not cleared yet', () => {
    writePendingWork('1', { born: 5, kinds: { skill: 2 } });
    recordLoss('1');
    writePendingWork('1', { born: 6, kinds: { skill: 1 } });
    recordLoss('1');
    expect(readLoss('1')).toEqual({ skill: 3 });
  });

  it('is separate for each user of the device', () => {
    writePendingWork('1', { born: 5, kinds: { skill: 2 } });
    writePendingWork('2', { born: 6, kinds: {} });
    recordLoss('2');
    expect(readLoss('2')).toEqual({});
    expect(readPendingWork('1')?.kinds).toEqual({ skill: 2 });
  });

  it('reads the marker of an older version', () => {
    localStorage.setItem('waiting', JSON.stringify({ userId: '1', pending: 3 }));
    recordLoss('2');
    localStorage.setItem('waiting', JSON.stringify({ userId: '1', pending: 3 }));
    recordLoss('1');
    expect(readLoss('2')).toEqual({});
    expect(readLoss('1')).toEqual({ '': 3 });
  });
});
