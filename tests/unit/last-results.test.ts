import { expect, test, vi } from 'vitest';
import type { AccountDb } from '#db/database.ts';
import { keepLastResult, readLastResult } from '#features/search/last-results.ts';
import { usePeopleActions } from '#shared/people/use-people-actions.ts';

const { account } = vi.hoisted(() => ({
  account: { db: {}, engine: { disconnect: () => Promise.resolve({ op: 'op-1', mayBeThere: false }) } },
}));
vi.mock('#ui/Toast.tsx', () => ({ toast: () => undefined }));
vi.mock('#ui/confirm.tsx', () => ({ confirm: () => Promise.resolve(true) }));
vi.mock('#session/session.tsx', () => ({ useAccount: () => account }));

const db = account.db as AccountDb;

test('Back does not restore results from before somebody was blocked', async () => {
  keepLastResult(db, { query: 'q=meera', found: { status: 'loaded', source: 'server', rows: [], cursor: null } });
  expect(readLastResult(db, 'q=meera')).not.toBeNull();
  await usePeopleActions().block({ userId: '3', name: 'Meera Kulkarni' }, null);
  expect(readLastResult(db, 'q=meera')).toBeNull();
});
