import type { CDPSession, Page } from '@playwright/test';
import { findFonts } from '../scripts/find-chromium.ts';
import { type Device, openDevice } from '../tests/e2e/support/device.ts';
import { connect, makePerson, makeProfile } from '../tests/e2e/support/people.ts';
import { appServer } from '../tests/e2e/support/server.ts';
import { atMost, type Figure, median, paired, ratioAtMost, spread } from './figures.ts';
import { longTasksOf } from './traced-tasks.ts';

const SLOWED = 4;
const SHORT = 1000;
/** Distance in CSS pixels and speed in CSS pixels per second. */
const DISTANCE = 24_000;
const SPEED = 3000;
/** Repetitions for each conversation and run. The median counts. */
const OPENINGS = 3;

interface Talk {
  id: string;
  count: number;
}

/** Stores messages of 1 to 4,000 characters in several scripts on the device, as a pull would. */
async function fill(page: Page, talks: readonly Talk[], people: readonly [string, string]): Promise<void> {
  await page.evaluate(
    async ({ talks, people }) => {
      const words = ['call', 'तालीम', 'scene', 'ঘর', 'ரயில்', 'سین', '稽古', 'Überblick', 'shawl', '👏🏽', 'gate', 'मंच'];
      // Methods, because a bundler may wrap standalone functions in a helper that does not exist in the page.
      const chance = {
        state: 7,
        next(below: number): number {
          this.state = (Math.imul(this.state, 1664525) + 1013904223) >>> 0;
          return this.state % below;
        },
        /** Most are one line, some a paragraph, a few a page. */
        length(): number {
          if (this.next(50) === 0) return 1 + this.next(4000);
          return 1 + this.next(this.next(8) === 0 ? 400 : 60);
        },
        text(): string {
          const length = this.length();
          let text = words[this.next(words.length)]!;
          while (text.length < length) text += ` ${words[this.next(words.length)]}`;
          return text.slice(0, length);
        },
      };
      const { name } = (await indexedDB.databases()).find((each) => each.name?.endsWith(`:${people[0]}`))!;
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name!);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(new Error(opening.error?.message));
      });
      const began = Date.UTC(2024, 0, 1);
      for (const { id, count } of talks) {
        for (let from = 1; from <= count; from += 5000) {
          const writing = db.transaction('messages', 'readwrite');
          for (let seq = from; seq < from + 5000 && seq <= count; seq += 1) {
            // The text depends on the distance from the end, so that long and short conversations draw the same amount.
            chance.state = Math.imul(count - seq + 1, 2654435761) >>> 0;
            const sender = people[chance.next(2)]!;
            writing.objectStore('messages').put({
              id: `${id}-${seq}`,
              client_id: null,
              conversation_id: id,
              seq,
              sender_id: sender,
              receiver_id: sender === people[0] ? people[1] : people[0],
              message: chance.text(),
              created_at: new Date(began + seq * 400_000).toISOString(),
            });
          }
          await new Promise<void>((resolve, reject) => {
            writing.oncomplete = () => resolve();
            writing.onerror = () => reject(new Error(writing.error?.message));
          });
        }
      }
      const records = db.transaction('records', 'readwrite').objectStore('records');
      for (const { id, count } of talks) {
        const request = records.get(['conversation', id]);
        request.onsuccess = () => {
          const record = request.result as { body: Record<string, unknown> };
          record.body.last_message = {
            conversation_id: id,
            seq: count,
            sender_id: people[1],
            message: 'The last',
            id: `${id}-${count}`,
            created_at: new Date(began + count * 400_000).toISOString(),
          };
          records.put(record);
        };
      }
      await new Promise<void>((resolve) => (records.transaction.oncomplete = () => resolve()));
      db.close();
    },
    { talks, people },
  );
}

/** Milliseconds from a click until a message is painted. */
function untilPainted(page: Page, click: string, seq: number): Promise<number> {
  return page.evaluate(
    ({ click, seq }) =>
      new Promise<number>((resolve) => {
        const start = performance.now();
        const looker = {
          check(): void {
            if (!document.querySelector(`[role="log"] [data-seq="${seq}"]`)) {
              requestAnimationFrame(() => this.check());
              return;
            }
            // This frame draws the message. A message posted now arrives after it and before other work of the page.
            const { port1, port2 } = new MessageChannel();
            port1.onmessage = () => resolve(performance.now() - start);
            port2.postMessage(null);
          },
        };
        document.querySelector<HTMLElement>(click)!.click();
        looker.check();
      }),
    { click, seq },
  );
}

/** Reads the same newest messages once and draws them as plain paragraphs. */
function bareOpening(page: Page, { id, count }: Talk, userId: string): Promise<number> {
  return page.evaluate(
    async ({ id, count, userId }) => {
      const { name } = (await indexedDB.databases()).find((each) => each.name?.endsWith(`:${userId}`))!;
      const db = await new Promise<IDBDatabase>((resolve) => {
        const opening = indexedDB.open(name!);
        opening.onsuccess = () => resolve(opening.result);
      });
      const start = performance.now();
      const rows = await new Promise<{ message: string }[]>((resolve) => {
        const range = IDBKeyRange.bound([id, count - 19], [id, count]);
        const request = db.transaction('messages').objectStore('messages').getAll(range);
        request.onsuccess = () => resolve(request.result as { message: string }[]);
      });
      const list = document.createElement('div');
      for (const { message } of rows) list.append(Object.assign(document.createElement('p'), { textContent: message }));
      document.body.append(list);
      await new Promise<void>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        requestAnimationFrame(() => port2.postMessage(null));
      });
      const took = performance.now() - start;
      list.remove();
      db.close();
      return took;
    },
    { id, count, userId },
  );
}

async function scrollBy(session: CDPSession, yDistance: number): Promise<void> {
  await session.send('Input.synthesizeScrollGesture', {
    x: 200,
    y: 420,
    yDistance,
    speed: SPEED,
    gestureSourceType: 'touch',
    preventFling: true,
  });
}

interface Times {
  open: number;
  first: number;
  bare: number;
}
interface Run {
  /** Keyed by number of messages and then by CPU slowdown. */
  times: Record<number, Record<number, Times>>;
  tasks: number[];
}

/** The time, in milliseconds, that a person looks at the list. The live connection is open by then. */
const LIST_VIEW_MS = 2500;

/** Waits until the page is idle, as it is when a person taps. */
async function waitUntilIdle(page: Page, minMs = 0): Promise<void> {
  await page.waitForTimeout(minMs);
  await page.evaluate(() => new Promise<void>((resolve) => requestIdleCallback(() => resolve(), { timeout: 5000 })));
}

async function play(device: Device, talks: readonly Talk[], userId: string): Promise<Run> {
  const { page } = device;
  const run: Run = { times: {}, tasks: [] };
  const session = await page.context().newCDPSession(page);
  const slow = (rate: number) => session.send('Emulation.setCPUThrottlingRate', { rate });
  for (const talk of talks) {
    const way = page.locator(`a[href="/messages/${talk.id}"]`);
    run.times[talk.count] = {};
    for (const rate of [1, SLOWED]) {
      await device.open('/messages');
      // The code of the page is loaded by the second opening, so that only the conversation is measured.
      await way.click();
      await page.locator(`[data-seq="${talk.count}"]`).waitFor();
      await page.getByRole('button', { name: 'Back to messages' }).click();
      await way.waitFor();
      await waitUntilIdle(page, LIST_VIEW_MS);
      await slow(rate);
      await waitUntilIdle(page);
      const bare = await bareOpening(page, talk, userId);
      const opened: number[] = [];
      while (opened.length < OPENINGS) {
        await waitUntilIdle(page);
        opened.push(await untilPainted(page, `a[href="/messages/${talk.id}"]`, talk.count));
        if (opened.length === OPENINGS) continue;
        await slow(1);
        await page.getByRole('button', { name: 'Back to messages' }).click();
        await way.waitFor();
        await waitUntilIdle(page, LIST_VIEW_MS);
        await slow(rate);
      }
      const open = median(opened);
      await slow(1);
      await page.getByRole('button', { name: /^More for / }).click();
      await page.getByRole('menuitem', { name: 'Go to the first message' }).waitFor();
      await page.evaluate(() => {
        const rows = [...document.querySelectorAll<HTMLElement>('[role="menuitem"]')];
        rows.find((row) => row.textContent === 'Go to the first message')!.id = 'first-message';
      });
      await slow(rate);
      await waitUntilIdle(page);
      const first = await untilPainted(page, '#first-message', 1);
      run.times[talk.count]![rate] = { bare, open, first };
    }
    if (talk.count > SHORT) {
      const tasks = await longTasksOf(session, async () => {
        // Scrolls down from the oldest message and up again.
        await scrollBy(session, -DISTANCE);
        await scrollBy(session, DISTANCE / 2);
      });
      run.tasks = tasks.map(({ took }) => took);
    }
    await slow(1);
  }
  await session.detach();
  return run;
}

/** Measures a long conversation on a slow phone (open, jump to the beginning, scroll) beside a short one. */
export async function measureConversation({ runs, count }: { runs: number; count: number }): Promise<Figure[]> {
  findFonts();
  const server = await appServer();
  await server.start();
  const found: Run[] = [];
  try {
    const [self, one, other] = [
      await makePerson(server.url),
      await makePerson(server.url),
      await makePerson(server.url),
    ];
    for (const person of [self, one, other]) await makeProfile(person);
    const talks: Talk[] = [
      { id: (await connect(self, one)).conversation, count: SHORT },
      { id: (await connect(self, other)).conversation, count },
    ];
    const device = await openDevice({ url: server.url });
    try {
      await device.signInForOffline(self);
      await device.open('/messages');
      await device.page.locator(`a[href="/messages/${talks[0]!.id}"]`).waitFor();
      await fill(device.page, talks, [String(self.id), String(other.id)]);
      for (let at = 0; at < runs; at += 1) found.push(await play(device, talks, String(self.id)));
    } finally {
      await device.dispose();
    }
  } finally {
    await server.dispose();
  }
  const part = `A conversation of ${count.toLocaleString('en')} messages`;
  const of = (which: keyof Times, size: number, rate: number) => found.map(({ times }) => times[size]![rate]![which]);
  const longest = found.map(({ tasks }) => Math.max(0, ...tasks));
  const slowed = `processor slowed down ${SLOWED} times`;
  const shown = (rate: number): Figure[] => {
    const bare = { name: 'a bare read, drawn as paragraphs', runs: of('bare', count, rate) };
    const how = rate === 1 ? '' : `, ${slowed}`;
    return [
      {
        part,
        name: `opened at the newest${how}`,
        unit: 'ms',
        ...paired(of('open', count, rate), bare),
        bar: atMost(100),
      },
      {
        part,
        name: `jump to the oldest${how}`,
        unit: 'ms',
        ...paired(of('first', count, rate), bare),
        bar: atMost(100),
      },
      {
        part,
        name: `opened, beside one of 1,000${how}`,
        unit: 'ms',
        ...paired(of('open', count, rate), { name: '1,000 messages', runs: of('open', SHORT, rate) }),
        ratio: median(of('open', count, rate)) / median(of('open', SHORT, rate)),
        bar: ratioAtMost(1.2),
      },
    ];
  };
  return [
    ...shown(1),
    ...shown(SLOWED),
    {
      part,
      name: `longest task while scrolling, ${slowed} (0: none over 50 ms)`,
      unit: 'ms',
      value: spread(longest),
      bar: atMost(50),
    },
    {
      part,
      name: `tasks over 50 ms, ${slowed}`,
      unit: 'tasks',
      value: spread(found.map(({ tasks }) => tasks.length)),
    },
  ];
}
