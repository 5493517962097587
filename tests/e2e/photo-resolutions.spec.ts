import sharp from 'sharp';
import { addPhotos, openSignedIn, openAdd, openWaiting, pickPhotos, pill, row, sheet } from './support/actions.ts';
import { makeProfile } from './support/people.ts';
import { type Picture, heavyPicture } from './support/pictures.ts';
import type { AppServer } from './support/server.ts';
import { getOutbox } from './support/client-store.ts';
import { expect, test as base } from './support/test.ts';

/** A server whose upload limit the test may halve: the next test starts it with the usual one. */
const test = base.extend<{ ownLimits: AppServer }>({
  ownLimits: async ({ server }, use) => {
    await use(server);
    await server.stop();
  },
});
const SMALLER = { MAX_PHOTO_MB: '5' };

interface Photo {
  name: string;
  format: string;
  size: number;
  width: number;
}

test(
  'shrinks a photo over the server’s new limit and sends it',
  { tag: '@full' },
  async ({ newDevice, person, ownLimits: server }) => {
    const profile = await makeProfile(person);
    const phone = await newDevice({ url: server.url });
    const { page } = phone;
    phone.allowBrowserError(/status of 413/);
    await openSignedIn(page, person);
    await phone.readyForOffline();
    await server.stop();
    await addPhotos(page, [await heavyPicture('noise.png')], 'Rehearsal');
    await server.start(SMALLER);
    await page.evaluate(() => dispatchEvent(new Event('online')));

    await expect(pill(page)).toHaveText('1 needs you', { timeout: 20_000 });
    await openWaiting(page);
    await expect(row(page, 'Rehearsal')).toContainText('The limit is 5 MB');
    await row(page, 'Rehearsal').getByRole('button', { name: 'Make smaller' }).click();
    await expect(page.getByRole('heading', { name: 'Everything is saved' })).toBeVisible({ timeout: 20_000 });
    expect(await getOutbox(page)).toEqual([]);
    const photos = (await person.call<Photo[]>('GET', `/media?profile_id=${profile.id}`)).body;
    expect(photos).toMatchObject([{ name: 'Rehearsal', width: 1800 }]);
    expect(photos[0]?.size).toBeLessThan(5 * 1024 * 1024);
  },
);

test(
  'shrinks a photo over the server’s known limit before saving it',
  { tag: '@full' },
  async ({ newDevice, person, ownLimits: server }) => {
    await server.stop();
    await server.start(SMALLER);
    await makeProfile(person);
    const { page } = await newDevice({ url: server.url });
    await openSignedIn(page, person);
    await openAdd(page, 'Photos');
    const form = sheet(page, 'Add photos');
    await expect(form.getByText('Max 5 MB files are allowed')).toBeVisible();
    await pickPhotos(page, [await heavyPicture('noise.png')]);
    await expect(row(form, 'noise.png')).toContainText('Over 5 MB. Make it smaller or remove it');
    await form.getByRole('button', { name: 'Make it smaller' }).click();
    await expect(form.getByText(/^Safe on this/)).toBeVisible();
  },
);

test(
  'converts a photo that the server rejects into a JPEG and sends it',
  { tag: '@full' },
  async ({ phone, person }) => {
    const { page } = phone;
    const profile = await makeProfile(person);
    phone.allowBrowserError(/status of 4(15|22)/);
    await openSignedIn(page, person);
    // A picture with the wrong file extension: only its bytes reveal the type, and only the server reads them.
    const blank = sharp({ create: { width: 320, height: 400, channels: 3, background: '#2e4057' } });
    const misnamed: Picture = { name: 'me.jpg', mimeType: 'image/jpeg', buffer: await blank.webp().toBuffer() };
    await addPhotos(page, [misnamed], 'Backstage');

    await expect(pill(page)).toHaveText('1 needs you', { timeout: 20_000 });
    await openWaiting(page);
    await row(page, 'Backstage').getByRole('button', { name: 'Turn into JPEG' }).click();
    await expect(page.getByRole('heading', { name: 'Everything is saved' })).toBeVisible({ timeout: 20_000 });
    const photos = (await person.call<Photo[]>('GET', `/media?profile_id=${profile.id}`)).body;
    expect(photos).toMatchObject([{ name: 'Backstage', width: 320 }]);
  },
);
