import { mp4, wav } from '../server/support/media-files.ts';
import type { Page } from '@playwright/test';
import { expectAllSaved, save, sheet } from './support/actions.ts';
import { makeProfile } from './support/people.ts';
import { picture } from './support/pictures.ts';
import type { Picture } from './support/pictures.ts';
import { expect, test } from './support/test.ts';

/** Shares as the phone's share sheet does: the browser posts to the URL that the manifest names. */
async function share(page: Page, files: readonly Picture[], text = ''): Promise<void> {
  await page.evaluate((words) => {
    const form = document.createElement('form');
    Object.assign(form, { method: 'post', action: '/share', enctype: 'multipart/form-data', id: 'share' });
    const picker = Object.assign(document.createElement('input'), { type: 'file', name: 'files', multiple: true });
    const field = Object.assign(document.createElement('input'), { type: 'hidden', name: 'text', value: words });
    form.append(picker, field);
    document.body.append(form);
  }, text);
  await page.locator('#share input[type=file]').setInputFiles([...files]);
  await Promise.all([
    page.waitForURL(/\/media(\?|$)/),
    page.evaluate(() => (document.getElementById('share') as HTMLFormElement).submit()),
  ]);
}

test('opens shared photos in their sheet offline, and sends them once', async ({ server, person, phone }) => {
  const { id } = await makeProfile(person);
  await phone.signInForOffline(person);
  const { page } = phone;
  await server.stop();
  await share(page, [
    await picture('on-set.jpg', 320, 400),
    { name: 'reel.mp4', mimeType: 'video/mp4', buffer: mp4() },
    { name: 'voice.wav', mimeType: 'audio/wav', buffer: wav() },
  ]);
  for (const title of ['Add photos', 'Add videos', 'Add recordings']) {
    await expect(sheet(page, title)).toContainText('Safe on this phone');
    await save(page, title);
    await page.getByRole('button', { name: 'Got it!' }).click();
  }
  // Shared files are consumed: a second visit finds none.
  await phone.open('/media');
  await expect(page.getByRole('heading', { level: 1, name: 'Media' })).toBeAttached();
  await expect(page.getByRole('dialog')).toHaveCount(0);

  await server.start();
  await expectAllSaved(page);
  for (const list of ['/media', '/media/video', '/media/audio']) {
    const { body } = await person.call<unknown[]>('GET', `${list}?profile_id=${id}`);
    expect([list, body.length]).toEqual([list, 1]);
  }
});

test('a shared file that was not stored yet is offered again', { tag: '@full' }, async ({ person, phone }) => {
  await makeProfile(person);
  await phone.signInForOffline(person);
  const { page } = phone;
  const photos = sheet(page, 'Add photos');
  await share(page, [await picture('first.jpg', 320, 400)]);
  await expect(photos.getByText('Safe on this phone')).toHaveCount(1);
  // Decoding takes as long as the page is open, so that the second photo is not stored.
  await page.addInitScript(() => {
    if (sessionStorage.getItem('is-slow') !== null) globalThis.createImageBitmap = () => new Promise(() => undefined);
  });
  await page.evaluate(() => sessionStorage.setItem('is-slow', ''));
  await share(page, [await picture('second.jpg', 320, 400)]);
  await expect(photos.getByText('Safe on this phone')).toHaveCount(1);
  await expect(photos.getByText('Storing on this phone, 0%')).toBeVisible();
  await page.evaluate(() => sessionStorage.removeItem('is-slow'));
  await phone.open('/media');
  await expect(photos.getByText('Safe on this phone')).toHaveCount(2);
  await save(page, 'Add photos');
  await page.getByRole('button', { name: 'Got it!' }).click();
  await phone.open('/media');
  await expect(page.getByRole('heading', { level: 1, name: 'Media' })).toBeAttached();
  await expect(page.getByRole('dialog')).toHaveCount(0);
});

test('puts a shared YouTube link into the video sheet', { tag: '@full' }, async ({ person, phone }) => {
  await makeProfile(person);
  await phone.signInForOffline(person);
  const { page } = phone;
  await share(page, [], 'Paper Boats, trailer https://youtu.be/dQw4w9WgXcQ');
  await expect(sheet(page, 'Add videos').getByLabel('YouTube links, one per line')).toHaveValue(
    'https://youtu.be/dQw4w9WgXcQ',
  );
});

test('names a shared file that no sheet accepts', { tag: '@full' }, async ({ person, phone }) => {
  await makeProfile(person);
  await phone.signInForOffline(person);
  await share(phone.page, [{ name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('call at six') }]);
  await expect(phone.page.getByRole('complementary', { name: 'Message' })).toContainText(
    'notes.txt can’t be added. Choose a photo, video, recording or document.',
  );
});

test(
  'a share for which there is no room says so, and keeps what fits',
  { tag: '@full' },
  async ({ person, ownPhone, server }) => {
    await makeProfile(person);
    await ownPhone.signInForOffline(person);
    const { page, context } = ownPhone;
    const browser = await context.newCDPSession(page);
    const { usage } = (await browser.send('Storage.getUsageAndQuota', { origin: server.url })) as { usage: number };
    await browser.send('Storage.overrideQuotaForOrigin', { origin: server.url, quotaSize: usage + 1_000_000 });
    const film = Buffer.concat([mp4(), Buffer.alloc(8_000_000)]);
    await share(page, [
      await picture('on-set.jpg', 320, 400),
      { name: 'reel.mp4', mimeType: 'video/mp4', buffer: film },
    ]);
    await expect(sheet(page, 'Add photos').getByRole('alert')).toHaveText(
      'Not everything you shared could be stored. Make room on this phone and share the rest again.',
    );
    await expect(page).toHaveURL(/\/media$/);
    await expect(sheet(page, 'Add photos')).toContainText('Safe on this phone');
  },
);
