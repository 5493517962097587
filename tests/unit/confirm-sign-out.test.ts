import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { confirmSignOut } from '#features/account/confirm-sign-out.ts';
import { backUpDraft } from '#open-store/draft-backup.ts';
import type { Account } from '#session/account.ts';
import { fakeStorage } from './support/local-storage.ts';

const { ask } = vi.hoisted(() => ({ ask: vi.fn<(question: { title: string }) => Promise<null>>() }));
vi.mock('#ui/confirm.tsx', () => ({ ask, confirm: vi.fn() }));

let db: AccountDb;
beforeEach(() => {
  ask.mockReset().mockResolvedValue(null);
  vi.stubGlobal('localStorage', fakeStorage());
  vi.stubGlobal('matchMedia', () => ({ matches: true }));
  vi.stubGlobal('screen', { width: 390, height: 844 });
  db = new AccountDb('leaving', '1');
});
afterEach(async () => {
  await db.delete();
  vi.unstubAllGlobals();
});

test('a draft that the store has refused is asked about as well, and counted once', async () => {
  await db.drafts.put({ key: 'skill:new:7', values: { name: 'Kathak' }, at: 0 });
  backUpDraft('leaving', 'skill:new:7', { name: 'Kathak' });
  backUpDraft('leaving', 'award:new:7', { name: 'Best newcomer' });
  const signOut = vi.fn();
  await confirmSignOut({ db } as Account, signOut);
  expect(ask.mock.calls[0]?.[0].title).toBe('2 drafts on this phone');
  expect(signOut).not.toHaveBeenCalled();
});
