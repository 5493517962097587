import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { abortTransactionsOnFreeze } from '#open-store/store.ts';
import { retryOnStorageLoss } from '#sync/storage-error.ts';

let db: AccountDb;
let page: EventTarget;
const control = new AbortController();
beforeEach(() => {
  page = new EventTarget();
  vi.stubGlobal('addEventListener', page.addEventListener.bind(page));
  db = new AccountDb('store-freeze', '1');
  abortTransactionsOnFreeze(db, control.signal);
});
afterEach(async () => {
  vi.unstubAllGlobals();
  await db.delete();
});

const leave = (persisted: boolean) => page.dispatchEvent(Object.assign(new Event('pagehide'), { persisted }));

/** Starts a transaction that writes until it is told to end. */
function writeOn() {
  const writing = { isEnding: false, rounds: 0 };
  const done = db.transaction('rw', db.drafts, async () => {
    writing.rounds += 1;
    do await db.drafts.put({ key: 'profile', values: {}, at: 1 });
    while (!writing.isEnding);
  });
  return { writing, done };
}

it('aborts running transactions when the page is frozen', async () => {
  await db.open();
  const { writing, done } = writeOn();
  const outcome = expect(done).rejects.toMatchObject({ name: 'AbortError' });
  await vi.waitFor(() => expect(writing.rounds).toBe(1));
  leave(true);
  await outcome;
  expect(await db.drafts.count()).toBe(0);
});

it('repeats an aborted save when the page comes back', async () => {
  await db.open();
  let tries = 0;
  const saved = retryOnStorageLoss(db, async () =>
    db.transaction('rw', db.drafts, async () => {
      tries += 1;
      await db.drafts.put({ key: 'profile', values: {}, at: 1 });
      if (tries === 1) leave(true);
      await db.drafts.put({ key: 'about', values: {}, at: 1 });
    }),
  );
  await saved;
  expect(tries).toBe(2);
  expect(await db.drafts.count()).toBe(2);
});

it('lets transactions finish when the page is not frozen', async () => {
  await db.open();
  const { writing, done } = writeOn();
  leave(false);
  writing.isEnding = true;
  await done;
  expect(await db.drafts.count()).toBe(1);
});
