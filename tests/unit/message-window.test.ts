import { describe, expect, test } from 'vitest';
import type { Message } from '#contract/records/chat.ts';
import { PLAIN_MESSAGE } from '#contract/records/chat.ts';
import {
  extendToNewer,
  loadNewestWindow,
  extendToOlder,
  loadWindowAt,
  refreshWindow,
  type MessageSource,
  takeContiguous,
} from '#features/chat/message-window.ts';

const message = (seq: number, length = 10): Message => ({
  id: String(seq),
  client_id: null,
  conversation_id: '1',
  seq,
  sender_id: '1',
  receiver_id: '2',
  message: 'x'.repeat(length),
  ...PLAIN_MESSAGE,
  created_at: '2026-01-01T00:00:00.000Z',
});

/** A device that has some messages of a conversation, and a server that has all of them but may be offline. */
function createSource(
  total: number,
  isStored: (seq: number) => boolean,
  options: { isOnline?: boolean; length?: number } = {},
) {
  const { isOnline = true, length = 10 } = options;
  const known = new Set(Array.from({ length: total }, (_, at) => at + 1).filter(isStored));
  const requests: object[] = [];
  const source: MessageSource = {
    between: (low, high) =>
      Promise.resolve(
        [...known]
          .filter((seq) => seq >= low && seq <= high)
          .sort((a, b) => a - b)
          .map((seq) => message(seq, length)),
      ),
    fetch: (side) => {
      requests.push(side);
      if (!isOnline) return Promise.resolve(false);
      const from = 'before' in side ? side.before - 50 : side.after + 1;
      for (let seq = Math.max(1, from); seq < from + 50 && seq <= total; seq += 1) known.add(seq);
      return Promise.resolve(true);
    },
  };
  return { source, requests };
}

const PHONE = { width: 390, height: 680 };
const seqs = (window: { messages: readonly Message[] } | null) => window?.messages.map(({ seq }) => seq);
const hasAll = () => true;

describe('the message window', () => {
  test('grows from the newest to the oldest message without a gap', async () => {
    const { source, requests } = createSource(57, hasAll);
    let window = await loadNewestWindow(source, 57, PHONE);
    expect(window.isAtEnd).toBe(true);
    while (window.messages[0]!.seq > 1) window = (await extendToOlder(source, window))!;
    expect(seqs(window)).toEqual(Array.from({ length: 57 }, (_, at) => at + 1));
    expect(requests).toEqual([]);
  });

  test('drops its far end and loads it again', async () => {
    const { source } = createSource(1000, hasAll);
    let window = await loadNewestWindow(source, 1000, PHONE);
    for (let n = 0; n < 30; n += 1) window = (await extendToOlder(source, window))!;
    expect(window.isAtEnd).toBe(false);
    expect(window.messages.length).toBeLessThan(120);
    while (!window.isAtEnd) window = (await extendToNewer(source, window, 1000))!;
    expect(window.messages.at(-1)!.seq).toBe(1000);
    expect(takeContiguous(window.messages, 'start')).toEqual(window.messages);
  });

  test('requests messages that are missing on the device instead of skipping them', async () => {
    const { source, requests } = createSource(300, (seq) => seq > 280 || seq <= 40);
    let window = await loadNewestWindow(source, 300, PHONE);
    while (window.messages[0]!.seq > 200) window = (await extendToOlder(source, window))!;
    expect(takeContiguous(window.messages, 'start')).toEqual(window.messages);
    expect(requests.length).toBeGreaterThan(0);
  });

  test('ends at the last stored message when the server is unreachable', async () => {
    const { source } = createSource(300, (seq) => seq > 280, { isOnline: false });
    let window = await loadNewestWindow(source, 300, PHONE);
    for (let next = await extendToOlder(source, window); next; next = await extendToOlder(source, window))
      window = next;
    expect(window.messages[0]!.seq).toBe(281);
    expect(await loadWindowAt(source, 5, 300, PHONE)).toBeNull();
  });

  test('opens with as many messages as fill the viewport', async () => {
    const short = await loadNewestWindow(createSource(100, hasAll).source, 100, PHONE);
    const long = await loadNewestWindow(createSource(100, hasAll, { length: 200 }).source, 100, PHONE);
    const low = await loadNewestWindow(createSource(100, hasAll).source, 100, { ...PHONE, height: 300 });
    expect(short.messages.length).toBeGreaterThan(14);
    expect(long.messages.length).toBeGreaterThan(4);
    expect(long.messages.length).toBeLessThan(8);
    expect(low.messages.length).toBeLessThan(9);
    expect([short, long, low].map(({ messages }) => messages.at(-1)!.seq)).toEqual([100, 100, 100]);
  });

  test('starts shortly before any message', async () => {
    const { source } = createSource(5000, hasAll);
    expect(seqs(await loadWindowAt(source, 1, 5000, PHONE))![0]).toBe(1);
    const middle = await loadWindowAt(source, 2500, 5000, PHONE);
    expect(seqs(middle)).toContain(2500);
    expect(middle!.isAtEnd).toBe(false);
  });

  test('has the message that it was opened for, however long those before it are', async () => {
    for (const length of [700, 2000]) {
      const { source } = createSource(50, hasAll, { length });
      expect(seqs(await loadWindowAt(source, 20, 50, PHONE))).toContain(20);
    }
  });

  test('requests the message that it is opened for, and is not opened if that is not to be had', async () => {
    const isStored = (seq: number) => seq !== 20;
    expect(seqs(await loadWindowAt(createSource(50, isStored).source, 20, 50, PHONE))).toContain(20);
    const { source } = createSource(50, isStored, { isOnline: false });
    expect(await loadWindowAt(source, 20, 50, PHONE)).toBeNull();
  });

  test('adds few long messages per step, and at least one', async () => {
    const { source } = createSource(100, hasAll, { length: 4000 });
    const window = await loadNewestWindow(source, 100, PHONE);
    expect(window.messages).toHaveLength(1);
    expect(seqs(await extendToOlder(source, window))).toEqual([99, 100]);
  });

  test('reads its messages again when the last one has moved', async () => {
    const before = createSource(20, hasAll);
    const window = await loadNewestWindow(before.source, 20, PHONE);
    expect(await refreshWindow(before.source, window)).toBe(window);
    const moved: MessageSource = {
      ...before.source,
      between: async (low, high) =>
        (await createSource(21, hasAll).source.between(low, high)).map((each) =>
          each.seq < 20 ? each : { ...each, id: each.seq === 20 ? 'theirs' : '20' },
        ),
    };
    const now = await refreshWindow(moved, window);
    expect(now.messages.map(({ id }) => id)).toEqual([...window.messages.slice(0, -1).map(({ id }) => id), 'theirs']);
    expect((await extendToNewer(moved, now, 21))?.messages.at(-1)?.id).toBe('20');
  });
});
