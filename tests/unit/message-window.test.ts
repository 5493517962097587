import { describe, expect, test } from 'vitest';
import type { Message } from '#contract/records/chat.ts';
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
  media: null,
  created_at: '2026-01-01T00:00:00.000Z',
});

/** A device with some of a conversation, and a server with all of it that may not answer. */
function stage(total: number, here: (seq: number) => boolean, options: { isOnline?: boolean; length?: number } = {}) {
  const { isOnline = true, length = 10 } = options;
  const known = new Set(Array.from({ length: total }, (_, at) => at + 1).filter(here));
  const asked: object[] = [];
  const source: MessageSource = {
    between: (low, high) =>
      Promise.resolve(
        [...known]
          .filter((seq) => seq >= low && seq <= high)
          .sort((a, b) => a - b)
          .map((seq) => message(seq, length)),
      ),
    fetch: (side) => {
      asked.push(side);
      if (!isOnline) return Promise.resolve(false);
      const from = 'before' in side ? side.before - 50 : side.after + 1;
      for (let seq = Math.max(1, from); seq < from + 50 && seq <= total; seq += 1) known.add(seq);
      return Promise.resolve(true);
    },
  };
  return { source, asked };
}

const PHONE = { width: 390, height: 680 };
const seqs = (part: { messages: readonly Message[] } | null) => part?.messages.map(({ seq }) => seq);
const everything = () => true;

describe('the part of a conversation that is drawn', () => {
  test('begins at the newest and grows to the oldest without a gap', async () => {
    const { source, asked } = stage(57, everything);
    let part = await loadNewestWindow(source, 57, PHONE);
    expect(part.isAtEnd).toBe(true);
    while (part.messages[0]!.seq > 1) part = (await extendToOlder(source, part))!;
    expect(seqs(part)).toEqual(Array.from({ length: 57 }, (_, at) => at + 1));
    expect(asked).toEqual([]);
  });

  test('lets go of its far end, and comes back to it', async () => {
    const { source } = stage(1000, everything);
    let part = await loadNewestWindow(source, 1000, PHONE);
    for (let n = 0; n < 30; n += 1) part = (await extendToOlder(source, part))!;
    expect(part.isAtEnd).toBe(false);
    expect(part.messages.length).toBeLessThan(120);
    while (!part.isAtEnd) part = (await extendToNewer(source, part, 1000))!;
    expect(part.messages.at(-1)!.seq).toBe(1000);
    expect(takeContiguous(part.messages, 'start')).toEqual(part.messages);
  });

  test('never skips what is missing on the device: the server is asked for it', async () => {
    const { source, asked } = stage(300, (seq) => seq > 280 || seq <= 40);
    let part = await loadNewestWindow(source, 300, PHONE);
    while (part.messages[0]!.seq > 200) part = (await extendToOlder(source, part))!;
    expect(takeContiguous(part.messages, 'start')).toEqual(part.messages);
    expect(asked.length).toBeGreaterThan(0);
  });

  test('ends where the device ends when nobody answers', async () => {
    const { source } = stage(300, (seq) => seq > 280, { isOnline: false });
    let part = await loadNewestWindow(source, 300, PHONE);
    for (let next = await extendToOlder(source, part); next; next = await extendToOlder(source, part)) part = next;
    expect(part.messages[0]!.seq).toBe(281);
    expect(await loadWindowAt(source, 5, 300, PHONE)).toBeNull();
  });

  test('opens with what fills the screen, and hardly more', async () => {
    const short = await loadNewestWindow(stage(100, everything).source, 100, PHONE);
    const long = await loadNewestWindow(stage(100, everything, { length: 200 }).source, 100, PHONE);
    const low = await loadNewestWindow(stage(100, everything).source, 100, { ...PHONE, height: 300 });
    expect(short.messages.length).toBeGreaterThan(14);
    expect(long.messages.length).toBeGreaterThan(4);
    expect(long.messages.length).toBeLessThan(8);
    expect(low.messages.length).toBeLessThan(9);
    expect([short, long, low].map(({ messages }) => messages.at(-1)!.seq)).toEqual([100, 100, 100]);
  });

  test('goes to any message, with a few before it', async () => {
    const { source } = stage(5000, everything);
    expect(seqs(await loadWindowAt(source, 1, 5000, PHONE))![0]).toBe(1);
    const middle = await loadWindowAt(source, 2500, 5000, PHONE);
    expect(seqs(middle)).toContain(2500);
    expect(middle!.isAtEnd).toBe(false);
  });

  test('draws few long messages at a time, and at least one', async () => {
    const { source } = stage(100, everything, { length: 4000 });
    const part = await loadNewestWindow(source, 100, PHONE);
    expect(part.messages).toHaveLength(1);
    expect(seqs(await extendToOlder(source, part))).toEqual([99, 100]);
  });

  test('is drawn anew where one of its messages turns out to stand further on', async () => {
    const before = stage(20, everything);
    const part = await loadNewestWindow(before.source, 20, PHONE);
    expect(await refreshWindow(before.source, part)).toBe(part);
    const moved: MessageSource = {
      ...before.source,
      between: async (low, high) =>
        (await stage(21, everything).source.between(low, high)).map((each) =>
          each.seq < 20 ? each : { ...each, id: each.seq === 20 ? 'theirs' : '20' },
        ),
    };
    const now = await refreshWindow(moved, part);
    expect(now.messages.map(({ id }) => id)).toEqual([...part.messages.slice(0, -1).map(({ id }) => id), 'theirs']);
    expect((await extendToNewer(moved, now, 21))?.messages.at(-1)?.id).toBe('20');
  });
});
