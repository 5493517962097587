import type { Page } from '@playwright/test';
import { type Device, openDevice } from '../tests/e2e/support/device.ts';
import { appServer } from '../tests/e2e/support/server.ts';
import { type Figure, paired, ratioAtMost } from './figures.ts';
import { makePerformer, profileShownAt, signInOnce, watchForProfile } from './own-profile.ts';

const FEW = 20;

/** Queues this many changes directly in the store, alternating messages of one conversation and credits of another profile. */
function queueChanges(page: Page, count: number): Promise<void> {
  return page.evaluate(async (rows) => {
    const name = (await indexedDB.databases())
      .map((each) => each.name ?? '')
      .find((each) => /^app:[0-9a-f]+:/.test(each));
    if (name === undefined) throw new Error('There is no store of an account');
    const db = await new Promise<IDBDatabase>((resolve, reject) => {
      const request = indexedDB.open(name);
      request.onsuccess = () => resolve(request.result);
      request.onerror = () => reject(request.error ?? new Error('The store did not open'));
    });
    const common = { v: 1, base: {}, baseVersion: null, deps: [], state: 'queued', tries: 0, sentOnce: false };
    await new Promise<void>((resolve, reject) => {
      const transaction = db.transaction('outbox', 'readwrite');
      const outbox = transaction.objectStore('outbox');
      for (let n = 0; n < rows; n += 1) {
        const row = { ...common, op: crypto.randomUUID(), trouble: 0, notBefore: 0, createdAt: Date.now() };
        const target = `L_${crypto.randomUUID()}`;
        const patch = { message: `Message ${n}`, receiver_id: '1', name: 'Somebody' };
        const credit = { experience_type: 'Movie', experience_title: `Film ${n}` };
        outbox.add(
          n % 2 === 0
            ? { ...row, kind: 'send', type: 'message', target, parent: '999999', lane: 'chat:999999', patch }
            : {
                ...row,
                kind: 'create',
                type: 'experience',
                target,
                parent: '999998',
                lane: `experience:${target}`,
                patch: credit,
              },
        );
      }
      transaction.oncomplete = () => resolve();
      transaction.onabort = () => reject(transaction.error ?? new Error('The changes were not queued'));
    });
    db.close();
  }, count);
}

/** Milliseconds until the own profile is shown in a new window. */
async function openWindow(device: Device): Promise<number> {
  const page = await device.newTab();
  await page.goto('/');
  const shownMs = await profileShownAt(page);
  await page.close();
  return shownMs;
}

/** Measures opening the own profile with the server stopped and `count` queued changes, beside opening it with a few. */
export async function measureLongQueue({ runs, count }: { runs: number; count: number }): Promise<Figure[]> {
  const server = await appServer();
  await server.start();
  const person = await makePerformer(server);
  const devices = [await openDevice({ url: server.url }), await openDevice({ url: server.url })] as const;
  const [short, long] = devices;
  const times = { few: [] as number[], many: [] as number[] };
  try {
    for (const device of devices) {
      await watchForProfile(device, person);
      await signInOnce(device, person);
    }
    await server.stop();
    for (const [device, waiting] of [
      [short, FEW],
      [long, count],
    ] as const) {
      await queueChanges(device.page, waiting);
      await device.open('about:blank');
      // The first window after filling the queue reads a cold store.
      await openWindow(device);
    }
    for (let run = 0; run < runs; run += 1) {
      times.few.push(await openWindow(short));
      times.many.push(await openWindow(long));
    }
  } finally {
    for (const each of devices) await each.dispose();
    await server.dispose();
  }
  return [
    {
      part: 'Opening the app on the own profile, server stopped',
      name: `with ${count.toLocaleString('en')} waiting changes`,
      unit: 'ms',
      ...paired(times.many, { name: `with ${FEW}`, runs: times.few }),
      bar: ratioAtMost(1.3),
    },
  ];
}
