import type { Page } from '@playwright/test';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { LIMITS } from '#contract/limits.ts';
import { type Device, openDevice } from '../tests/e2e/support/device.ts';
import { appServer } from '../tests/e2e/support/server.ts';
import { type Figure, paired } from './figures.ts';
import { makePerformer } from './own-profile.ts';
import { photographs } from './photographs.ts';

/** 12 megapixels, as phones produce them. */
const SHAPE = { width: 4032, height: 3024, quality: 95 };
const COUNT = LIMITS.photosPerPick;
const BARE = '/bare/';

/** Picks files on the open sheet. Returns milliseconds until every file is shown as safe. */
async function pickOnSheet(page: Page, files: string[]): Promise<number> {
  const watch = await page.evaluateHandle((count) => {
    const sheet = document.querySelector('dialog[open]');
    if (sheet === null) throw new Error('There is no sheet');
    let pickedAt = NaN;
    addEventListener('change', ({ timeStamp }) => (pickedAt = timeStamp), { capture: true, once: true });
    const safe = new Promise<number>((resolve, reject) => {
      const observer = new MutationObserver(() => {
        const words = sheet.textContent ?? '';
        if (words.includes('Remove it')) reject(new Error(words));
        if (words.split('Safe on this').length - 1 !== count) return;
        observer.disconnect();
        requestAnimationFrame(() => setTimeout(() => resolve(performance.now() - pickedAt)));
      });
      observer.observe(sheet, { childList: true, characterData: true, subtree: true });
    });
    return { safe };
  }, files.length);
  await page.getByTestId('file-picker').setInputFiles(files);
  return watch.evaluate(({ safe }) => safe);
}

async function pick(page: Page, files: string[]): Promise<number> {
  await page.getByRole('region', { name: 'Photos' }).getByRole('button', { name: /^Add/ }).first().click();
  const sheet = page.getByRole('dialog', { name: 'Add photos' });
  await sheet.getByTestId('file-picker').waitFor({ state: 'attached' });
  const ms = await pickOnSheet(page, files);
  await sheet.getByRole('button', { name: 'Discard' }).click();
  await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
  await sheet.waitFor({ state: 'detached' });
  return ms;
}

/** Opens a page of the same origin with a file picker, bypassing the worker of the app. */
async function barePage(device: Device): Promise<Page> {
  const page = await device.newTab();
  const session = await device.context.newCDPSession(page);
  await session.send('Network.enable');
  await session.send('Network.setBypassServiceWorker', { bypass: true });
  const body = '<!doctype html><input type="file" multiple>';
  await page.route(`**${BARE}`, (route) => route.fulfill({ contentType: 'text/html', body }));
  await page.goto(BARE);
  return page;
}

/**
 * The minimum that any storage of files requires: each file is read and written to IndexedDB with strict durability,
 * one after another. With `seen`, each is also decoded once and drawn as a thumbnail. Returns milliseconds.
 */
async function pickBare(page: Page, files: string[], seen: boolean): Promise<number> {
  await page.locator('input').setInputFiles(files);
  return page.evaluate(async (isSeen) => {
    const opening = indexedDB.open('bare', 1);
    opening.onupgradeneeded = () => opening.result.createObjectStore('files', { autoIncrement: true });
    const store = await new Promise<IDBDatabase>((resolve, reject) => {
      opening.onsuccess = () => resolve(opening.result);
      opening.onerror = () => reject(opening.error ?? new Error('The bare store does not open'));
    });
    const startedAt = performance.now();
    for (const file of document.querySelector('input')?.files ?? []) {
      let thumb: Blob | null = null;
      if (isSeen) {
        const bitmap = await createImageBitmap(file);
        const canvas = document.createElement('canvas');
        canvas.width = 480;
        canvas.height = (480 * bitmap.height) / bitmap.width;
        canvas.getContext('2d')?.drawImage(bitmap, 0, 0, canvas.width, canvas.height);
        bitmap.close();
        thumb = await new Promise<Blob | null>((resolve) => canvas.toBlob(resolve, 'image/jpeg', 0.8));
      }
      const bytes = await file.arrayBuffer();
      const transaction = store.transaction('files', 'readwrite', { durability: 'strict' });
      transaction.objectStore('files').put({ bytes, thumb });
      await new Promise<void>((resolve, reject) => {
        transaction.oncomplete = () => resolve();
        transaction.onabort = () => reject(transaction.error ?? new Error('The bare put was refused'));
      });
    }
    const ms = performance.now() - startedAt;
    store.close();
    await new Promise((resolve) => (indexedDB.deleteDatabase('bare').onsuccess = resolve));
    return ms;
  }, seen);
}

/** Measures from the response of the file picker until the sheet shows every photo as safe on this device. */
export async function measurePicking({ runs }: { runs: number }): Promise<Figure[]> {
  const server = await appServer();
  await server.start();
  const folder = await mkdtemp(path.join(tmpdir(), 'callboard-bench-'));
  const person = await makePerformer(server);
  const device = await openDevice({ url: server.url });
  const found: { ours: number; stored: number; seen: number }[] = [];
  let megabytes = 0;
  try {
    const files: string[] = [];
    for (const { name, buffer } of await photographs(COUNT, SHAPE)) {
      const file = path.join(folder, name);
      await writeFile(file, buffer);
      files.push(file);
      megabytes += buffer.length / 1_000_000 / COUNT;
    }
    await device.signInForOffline(person);
    const plain = await barePage(device);
    // The first time loads the sheet and warms up the code.
    for (let run = -1; run < runs; run += 1) {
      await device.page.bringToFront();
      const ours = await pick(device.page, files);
      await plain.bringToFront();
      const stored = await pickBare(plain, files, false);
      const seen = await pickBare(plain, files, true);
      if (run >= 0) found.push({ ours, stored, seen });
    }
  } finally {
    await device.dispose();
    await server.dispose();
    await rm(folder, { recursive: true, force: true });
  }
  const figure = (name: string, peer: string, of: 'stored' | 'seen'): Figure => ({
    part: `Picking ${COUNT} photos of ${megabytes.toFixed(1)} MB`,
    name,
    unit: 'ms',
    ...paired(
      found.map(({ ours }) => ours),
      { name: peer, runs: found.map((run) => run[of]) },
    ),
  });
  return [
    figure('all safe on this phone', 'bytes into a bare store, strict', 'stored'),
    figure('the same', 'decoded, made small, into a bare store', 'seen'),
  ];
}
