import 'fake-indexeddb/auto';
import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { AccountDb } from '#db/database.ts';
import { conversationViews } from '#db/conversations.ts';
import { CONVERSATION } from '#db/messages.ts';
import { getChatLane } from '#db/patches.ts';
import { outboxRow } from '../support/outbox-row.ts';

let db: AccountDb;
beforeEach(async () => {
  db = new AccountDb('conversation-list', '1');
  const body = (id: string) => ({ conversation_id: id, connection_id: id, last_message: null, read_seq: 0 });
  await db.records.bulkPut(
    ['1', '2', '3'].map((id) => ({ type: CONVERSATION, id, parent: '', body: body(id), version: 1 })),
  );
});
afterEach(async () => {
  vi.restoreAllMocks();
  await db.delete();
});

const pendingTexts = async () =>
  Object.fromEntries((await conversationViews(db)).map(({ id, pending }) => [id, pending?.message]));

/** WebKit 2.50 fails to open a cursor over distinct keys if there are no keys, with "Unable to open cursor". */
function failUniqueCursors(): void {
  for (const method of ['openCursor', 'openKeyCursor'] as const) {
    const open = IDBIndex.prototype[method] as IDBIndex['openCursor'];
    vi.spyOn(IDBIndex.prototype, method).mockImplementation(function (this: IDBIndex, range, direction) {
      if (direction?.endsWith('unique')) throw new DOMException('Unable to open cursor', 'UnknownError');
      return open.call(this, range, direction);
    });
  }
}

it('lists conversations in a browser that cannot open a cursor over distinct keys', async () => {
  failUniqueCursors();
  expect(await pendingTexts()).toEqual({ 1: undefined, 2: undefined, 3: undefined });
});

it('shows the newest unsent message of each conversation', async () => {
  const waiting = ([conversation, message]: string[], n: number) =>
    outboxRow({
      seq: n + 1,
      op: `op-${n}`,
      kind: 'send',
      type: 'message',
      target: `local:${n}`,
      parent: conversation!,
      lane: getChatLane(conversation!),
      patch: { message },
    });
  const texts = [
    ['1', 'On my way'],
    ['3', 'First'],
    ['1', 'Save me a seat'],
    ['3', 'Second'],
  ];
  await db.outbox.bulkAdd(texts.map(waiting));
  await db.outbox.add(outboxRow({ seq: 5, op: 'other', kind: 'update', target: '7', lane: 'profile:7' }));
  expect(await pendingTexts()).toEqual({ 1: 'Save me a seat', 2: undefined, 3: 'Second' });
});
