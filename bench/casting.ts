import type { Locator, Page } from '@playwright/test';
import { readFile } from 'node:fs/promises';
import { ask, FILM, makeRole, sendTape } from '../tests/e2e/support/casting.ts';
import { openDevice } from '../tests/e2e/support/device.ts';
import { makePerson, makeProfile, type Person } from '../tests/e2e/support/people.ts';
import { appServer, type AppServer } from '../tests/e2e/support/server.ts';
import { getSize } from './bytes.ts';
import { atMost, type Figure, paired, spread } from './figures.ts';
import { atRest } from './gallery.ts';
import { photographs } from './photographs.ts';
import { longTasksOf, type Task } from './traced-tasks.ts';

const SLOWED = 4;
/** The size of the first frame that a performer's device sends. */
const POSTER = { width: 480, height: 270, quality: 70 };
const CONCURRENCY = 2;
const KEYS = ['a', 'b', 'c'] as const;
const NOTE = 'Brave.';
const BARE_WALK = 'the same keys, bare page';

interface Cast {
  person: Person;
  projectId: string;
  roleId: string;
}

/** A casting director with a role for which everybody who was asked has sent a tape. @param film an MP4 */
export async function fillRole(server: AppServer, count: number, film: Buffer): Promise<Cast> {
  const person = await makePerson(server.url);
  await makeProfile(person, { title: 'Casting director' });
  const { id: roleId, project_id: projectId } = await makeRole(person);
  const posters = await photographs(count, POSTER);
  const work = async () => {
    for (let poster = posters.pop(); poster !== undefined; poster = posters.pop()) {
      const performer = await makePerson(server.url);
      const profile = await makeProfile(performer, { title: 'Actor' });
      const request = await ask(person, roleId, profile.id);
      await sendTape(server.url, performer, request.id, { film, poster: poster.buffer });
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return { person, projectId, roleId };
}

/** Milliseconds from a click until as many pictures are in the page and painted. The page has a list of them. */
function untilPainted(link: Locator, count: number): Promise<number> {
  return link.evaluate(
    (element: HTMLElement, count) =>
      new Promise<number>((resolve) => {
        const startedAt = performance.now();
        const observer = new MutationObserver(() => {
          if (document.querySelectorAll('main ul.grid > li').length < count) return;
          observer.disconnect();
          // The next frame paints them. A message posted in it arrives when that is done.
          const { port1, port2 } = new MessageChannel();
          port1.onmessage = () => resolve(performance.now() - startedAt);
          requestAnimationFrame(() => port2.postMessage(null));
        });
        observer.observe(document, { childList: true, subtree: true });
        element.click();
      }),
    count,
  );
}

/** Reads the same records from the store, once, and draws their names and pictures in a plain grid. */
function openBare(page: Page, { person, roleId }: Cast): Promise<number> {
  return page.evaluate(
    async ({ userId, roleId }) => {
      const { name } = (await indexedDB.databases()).find((each) => each.name?.endsWith(`:${userId}`))!;
      const db = await new Promise<IDBDatabase>((resolve, reject) => {
        const opening = indexedDB.open(name!);
        opening.onsuccess = () => resolve(opening.result);
        opening.onerror = () => reject(new Error(opening.error?.message));
      });
      const startedAt = performance.now();
      const records = db.transaction('records').objectStore('records');
      type Body = { id: string; performer: { name: string }; request_id: string; takes: { poster_path: string }[] };
      // A method, because a bundler may wrap a standalone function in a helper that does not exist in the page.
      const store = {
        read(source: IDBObjectStore | IDBIndex, range: IDBKeyRange): Promise<Body[]> {
          return new Promise((resolve) => {
            const request = source.getAll(range);
            request.onsuccess = () => resolve((request.result as { body: Body }[]).map(({ body }) => body));
          });
        },
      };
      const [requests, tapes] = await Promise.all([
        store.read(records.index('[parent+type]'), IDBKeyRange.only([roleId, 'request'])),
        store.read(records, IDBKeyRange.bound(['tape', ''], ['tape', '\uffff'])),
      ]);
      const grid = document.createElement('ul');
      for (const { id, performer } of requests) {
        const tile = document.createElement('li');
        const src = tapes.find(({ request_id: of }) => of === id)?.takes[0]?.poster_path ?? '';
        tile.append(Object.assign(new Image(), { src, loading: 'lazy', width: 160 }), performer.name);
        grid.append(tile);
      }
      document.body.append(grid);
      await new Promise<void>((resolve) => {
        const { port1, port2 } = new MessageChannel();
        port1.onmessage = () => resolve();
        requestAnimationFrame(() => port2.postMessage(null));
      });
      const took = performance.now() - startedAt;
      grid.remove();
      db.close();
      return took;
    },
    { userId: String(person.id), roleId },
  );
}

/** Goes through all tapes by keyboard alone: grades each, writes a note about each, and goes on. */
async function walk(page: Page, count: number): Promise<void> {
  const player = page.getByRole('dialog');
  for (let at = 0; at < count; at += 1) {
    await player.getByText(`${at + 1} of ${count}`, { exact: true }).waitFor();
    await page.keyboard.press('n');
    await page.keyboard.type(NOTE);
    await page.keyboard.press('Escape');
    // A grade goes on to the next tape.
    await page.keyboard.press(KEYS[at % KEYS.length]!);
  }
}

/** Draws as many pictures, and over them a dialog that takes the same keys: a field for a note, grades, and nothing that is stored. */
async function drawBare(page: Page, count: number): Promise<void> {
  await page.goto('about:blank');
  await page.evaluate(
    async ({ count, keys, width, height }) => {
      const canvas = Object.assign(document.createElement('canvas'), { width, height });
      const pen = canvas.getContext('2d')!;
      for (let n = 0; n < count; n += 1) {
        pen.fillStyle = `hsl(${n * 6} 50% 50%)`;
        pen.fillRect(0, 0, width, height);
        document.body.append(Object.assign(new Image(), { src: canvas.toDataURL('image/jpeg'), width: 160 }));
      }
      const dialog = document.createElement('dialog');
      const place = document.createElement('p');
      const picture = Object.assign(new Image(), { width: 320 });
      const note = document.createElement('textarea');
      dialog.append(place, picture, note);
      document.body.append(dialog);
      const notes: string[] = [];
      // A method, because a bundler may wrap a standalone function in a helper that does not exist in the page.
      const page = {
        show(at: number) {
          place.textContent = `${at + 1} of ${count}`;
          picture.src = document.images[at]!.src;
          note.value = notes[at] ?? '';
        },
      };
      note.addEventListener('input', () => (notes[Number.parseInt(place.textContent, 10) - 1] = note.value));
      document.addEventListener('keydown', (event) => {
        if (event.key === 'Escape') {
          event.preventDefault();
          note.blur();
        } else if (event.target === note) return;
        else if (event.key === 'n') {
          event.preventDefault();
          note.focus();
        } else if (keys.includes(event.key)) page.show(Math.min(Number.parseInt(place.textContent, 10), count - 1));
      });
      page.show(0);
      dialog.showModal();
      note.blur();
      await Promise.all([...document.images].map((image) => image.decode()));
    },
    { count, keys: [...KEYS] as string[], width: POSTER.width, height: POSTER.height },
  );
}

/** Bytes of the scripts of the page that others have not loaded, compressed as they are sent. */
async function getScriptBytes(page: Page, before: ReadonlySet<string>): Promise<number> {
  const loaded = (await getScripts(page)).filter((address) => !before.has(address));
  const sizes = await Promise.all(loaded.map((address) => getSize(address, 'br')));
  return sizes.reduce((sum, each) => sum + each, 0);
}

const getScripts = (page: Page): Promise<string[]> =>
  page.evaluate(() => [
    ...new Set(
      performance.getEntriesByType('resource').flatMap(({ name }) => (/\/assets\/.*\.js$/.test(name) ? [name] : [])),
    ),
  ]);

interface Run {
  opened: number;
  bare: number;
  slowed: number;
  longTasks: Task[];
  bareTasks: Task[];
}

/** Measures a role with many tapes on a phone with the server stopped: opening it, and going through all tapes by keyboard. */
export async function measureCasting({ runs, count }: { runs: number; count: number }): Promise<Figure[]> {
  const server = await appServer();
  await server.start();
  const found: Run[] = [];
  let bytes = 0;
  const device = await openDevice({ url: server.url });
  try {
    const cast = await fillRole(server, count, await readFile(FILM));
    await device.signInForOffline(cast.person);
    const { page } = device;
    const link = page.locator(`main a[href="/casting/roles/${cast.roleId}"]`);
    await atRest(page);
    const before = new Set(await getScripts(page));
    await device.open(`/casting/roles/${cast.roleId}`);
    const tiles = page.getByRole('region', { name: 'Tapes' }).getByRole('listitem');
    await tiles.nth(count - 1).waitFor();
    await atRest(page);
    bytes = await getScriptBytes(page, before);
    // The worker has every first frame once it was on the screen.
    for (const tile of await tiles.all()) await tile.scrollIntoViewIfNeeded();
    await server.stop();
    const session = await page.context().newCDPSession(page);
    const slow = (rate: number) => session.send('Emulation.setCPUThrottlingRate', { rate });
    for (let run = 0; run < runs; run += 1) {
      const open = async (rate: number) => {
        await device.open(`/casting/projects/${cast.projectId}`);
        // The code of the page is loaded by the second opening, so that only the page is measured.
        await link.click();
        await tiles.nth(count - 1).waitFor();
        await page.goBack();
        await link.waitFor();
        await slow(rate);
        return untilPainted(link, count);
      };
      const opened = await open(1);
      const bare = await openBare(page, cast);
      const slowed = await open(SLOWED);
      await tiles.first().getByRole('button').focus();
      await page.keyboard.press('Enter');
      await page.getByRole('dialog').waitFor();
      const longTasks = await longTasksOf(session, () => walk(page, count));
      await drawBare(page, count);
      const bareTasks = await longTasksOf(session, () => walk(page, count));
      await slow(1);
      found.push({ opened, bare, slowed, longTasks, bareTasks });
    }
  } finally {
    await device.dispose();
    await server.dispose();
  }
  const of = (name: 'opened' | 'bare' | 'slowed') => found.map((run) => run[name]);
  /** Of each run, the longest task over 50 ms by this measure; 0 if there is none. Beside it those of the bare page. */
  const longest = (measure: (task: Task) => number) => {
    const of = (tasks: readonly Task[]) => Math.max(0, ...tasks.map(measure).filter((ms) => ms > 50));
    return {
      value: spread(found.map(({ longTasks }) => of(longTasks))),
      peer: { name: BARE_WALK, value: spread(found.map(({ bareTasks }) => of(bareTasks))) },
    };
  };
  const bare = { name: 'records read once, plain grid', runs: of('bare') };
  const part = `A role with ${count} tapes on a phone, server stopped`;
  const slow = `processor slowed down ${SLOWED} times`;
  return [
    { part, name: 'opens from a tap to the paint', unit: 'ms', ...paired(of('opened'), bare), bar: atMost(300) },
    { part, name: `the same, ${slow}`, unit: 'ms', value: spread(of('slowed')) },
    {
      part,
      name: `${count} grades and notes by keyboard, ${slow}: longest task (0: none over 50 ms)`,
      unit: 'ms',
      ...longest(({ took }) => took),
    },
    {
      part,
      // The browser collects garbage about once in such a walk, and chooses the task in which it does.
      name: 'the same without the browser’s garbage collection',
      unit: 'ms',
      ...longest(({ took, garbage }) => took - garbage),
      bar: atMost(50),
    },
    {
      part,
      name: 'tasks over 50 ms',
      unit: 'tasks',
      value: spread(found.map(({ longTasks }) => longTasks.length)),
      peer: { name: BARE_WALK, value: spread(found.map(({ bareTasks }) => bareTasks.length)) },
    },
    { part, name: 'scripts of its page', unit: 'KiB', value: spread([bytes / 1024]) },
  ];
}
