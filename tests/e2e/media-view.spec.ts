import { expectAllSaved, card, openSignedIn, ON_THIS_DEVICE, row } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import {
  addDocument,
  addPhoto,
  addRecording,
  addVideo,
  addYouTube,
  submitMedia,
  type StoredMedium,
} from './support/media-factory.ts';
import { getProfilePath, call, makePerson, makeProfile, type Person } from './support/people.ts';
import { picture } from './support/pictures.ts';
import { expect, test } from './support/test.ts';

interface Portfolio {
  profileId: string;
  address: string;
}

/** Creates a portfolio with an item of every kind. */
async function makePortfolio(person: Person, url: string): Promise<Portfolio> {
  const profileId = String((await makeProfile(person, { title: 'Voice and screen' })).id);
  await addPhoto(person, url, profileId, 'Headshot', '#7a4b3a');
  await addPhoto(person, url, profileId, 'On stage', '#2e4057');
  await addPhoto(person, url, profileId, 'Rehearsal', '#66a182');
  await addVideo(person, url, profileId, 'The Long Monsoon', { category_type: 'Drama', role: 'Ira' });
  await addYouTube(person, url, profileId, 'Midnight Local');
  await addRecording(person, url, profileId, 'Warm narration', 12, {
    category_type: 'Narration',
    voice_age: '26 to 34',
  });
  await addRecording(person, url, profileId, 'Radio spot', 20);
  await addDocument(person, url, profileId, 'CV in two pages for casting');
  return { profileId, address: await getProfilePath(person, profileId) };
}

test('shows each kind in its tab, by keyboard and by Back', async ({ server, person, newDevice }) => {
  await makePortfolio(person, server.url);
  const device = await newDevice({ shape: 'desktop' });
  const { page } = device;
  await openSignedIn(page, person);
  const media = card(page, 'Media');
  await expect(media.getByRole('tab')).toHaveText(['Full 8', 'Photos 3', 'Videos 2', 'Audios 2', 'Docs 1']);
  await expect(media.getByRole('region', { name: 'Docs' })).toBeVisible();

  await media.getByRole('tab', { name: 'Full 8' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(media.getByRole('tab', { name: 'Photos 3' })).toBeFocused();
  await expect(media.getByRole('region')).toHaveCount(1);
  await expect(page).toHaveURL(/[?&]tab=photos/);
  await page.keyboard.press('End');
  await expect(media.getByRole('button', { name: /^CV in two pages for casting, PDF/ })).toBeVisible();
  await page.goBack();
  await expect(media.getByRole('tab', { name: 'Photos 3' })).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expect(media.getByRole('region')).toHaveCount(4);
});

for (const [shape, colorScheme] of [
  ['phone', 'light'],
  ['desktop', 'dark'],
] as const) {
  test(
    `the portfolio is accessible: ${shape}, ${colorScheme}`,
    { tag: '@full' },
    async ({ server, person, newDevice }) => {
      const { address } = await makePortfolio(person, server.url);
      const device = await newDevice({ shape, colorScheme });
      const { page } = device;
      const shows = async () => {
        await expect(page.getByRole('slider', { name: 'Seek in Warm narration' })).toBeVisible();
        await expectAccessible(page);
        expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
      };
      await device.open(address);
      await shows();
      await openSignedIn(page, person);
      await shows();
      await device.open('/media');
      await shows();
    },
  );
}

/** The items of a kind that others see, in order. */
async function listed(person: Person | null, url: string, path: string): Promise<StoredMedium[]> {
  return (await call<StoredMedium[]>(url, person?.token ?? null, 'GET', path)).body;
}

test(
  'renders only nearby items of a long portfolio, numbers each, and keeps the focused one',
  { tag: '@full' },
  async ({ server, person, phone }) => {
    const profileId = String((await makeProfile(person)).id);
    const { buffer: bytes } = await picture('photo.jpg', 40, 50);
    const ten = Array.from({ length: 10 }, () => ({ name: 'photo.jpg', type: 'image/jpeg', bytes }));
    for (let n = 1; n <= 8; n += 1) {
      await submitMedia(person, server.url, { profile_id: profileId, media_type: 'image', name: `Still ${n}` }, ...ten);
    }
    const { page } = phone;
    await phone.signInAs(person);
    await phone.open('/media?tab=photos');
    const tiles = page.locator('[data-media]');
    const first = page.locator('li[aria-posinset="1"] [data-media]');
    const last = page.locator('li[aria-posinset="80"] [data-media]');
    await expect(first.locator('img')).toHaveCount(1);
    await expect(last).toHaveCount(0);
    expect(await tiles.count()).toBeLessThan(60);

    await first.focus();
    await page.keyboard.press('End');
    await expect(last).toHaveAccessibleName('Still 1');
    await expect(page.locator('li[aria-posinset="2"]')).toHaveCount(0);
    await expect(first).toBeFocused();
    await expect(page.getByRole('button', { name: 'More for Still 1', exact: true }).last()).toBeVisible();

    await last.focus();
    await page.keyboard.press('Enter');
    await expect(page.getByRole('dialog')).toHaveAccessibleName('Photo 80 of 80: Still 1');
    await page.keyboard.press('Escape');
    await expect(last).toBeFocused();
    await expect(first).toHaveCount(0);
    await expectAccessible(page);
  },
);

test('lightbox: handles keys, zoom, closing, and files that the browser cannot play', async ({
  server,
  person,
  newDevice,
}) => {
  const { address } = await makePortfolio(person, server.url);
  const device = await newDevice({ shape: 'desktop' });
  const { page } = device;
  const asked: string[] = [];
  await page.route('https://www.youtube-nocookie.com/**', (route) => {
    asked.push(route.request().url());
    return route.fulfill({ contentType: 'text/html', body: '<!doctype html><title>A film</title>' });
  });
  device.allowBrowserError(/youtube-nocookie/);
  await device.open(address);
  const tile = page.getByRole('button', { name: /^On stage/ });
  await tile.focus();
  await page.keyboard.press('Enter');
  const box = page.getByRole('dialog');
  await expect(box).toHaveAccessibleName('Photo 2 of 3: On stage');
  await expect(box.getByRole('img', { name: 'On stage' })).toBeInViewport({ ratio: 1 });
  await expectAccessible(page);
  await page.keyboard.press('+');
  await expect(box.getByRole('button', { name: 'Zoom out' })).toBeVisible();
  await page.keyboard.press('0');
  await expect(box.getByRole('button', { name: 'Zoom out' })).toHaveCount(0);
  await page.keyboard.press('ArrowRight');
  await expect(box).toHaveAccessibleName('Photo 3 of 3: Headshot');
  await expect(box.getByRole('button', { name: 'Next photo' })).toHaveCount(0);
  await page.keyboard.press('Escape');
  await expect(tile).toBeFocused();
  const film = page.getByRole('button', { name: /^Midnight Local/ });
  await film.click();
  await expect(box).toHaveAccessibleName('Video 1 of 2: Midnight Local');
  expect(asked).toEqual([]);
  await box.getByRole('button', { name: 'Play Midnight Local from YouTube' }).click();
  await expect(box.locator('iframe')).toHaveAttribute('src', /^https:\/\/www\.youtube-nocookie\.com\/embed\//);
  await expect.poll(() => asked.length).toBe(1);
  await box.getByRole('button', { name: 'Next video' }).click();
  await expect(box).toHaveAccessibleName('Video 2 of 2: The Long Monsoon');
  await expect(box.getByText(/^This computer can’t play this video/)).toBeVisible();
  await expect(box.getByRole('link', { name: 'Download' })).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(box).toHaveCount(0);
  await expect(film).toBeFocused();
});

test(
  'touch: swipes through tabs and photos, and zooms in on a double tap',
  { tag: '@full' },
  async ({ server, person, phone }) => {
    const { address } = await makePortfolio(person, server.url);
    const { page } = phone;
    await phone.open(address);
    const touch = await page.context().newCDPSession(page);
    const at = (type: 'touchStart' | 'touchMove' | 'touchEnd', ...touchPoints: { x: number; y: number }[]) =>
      touch.send('Input.dispatchTouchEvent', { type, touchPoints });
    const swipe = async (y: number) => {
      await at('touchStart', { x: 320, y });
      await at('touchMove', { x: 200, y });
      await at('touchMove', { x: 80, y });
      await at('touchEnd');
    };
    const full = page.getByRole('tab', { name: /^Full/ });
    await full.scrollIntoViewIfNeeded();
    const below = await page.getByRole('heading', { name: /^Photos/ }).boundingBox();
    await swipe((below?.y ?? 0) + 8);
    await expect(page.getByRole('tab', { name: /^Photos/ })).toHaveAttribute('aria-selected', 'true');

    await page.getByRole('button', { name: /^Rehearsal/ }).click();
    const box = page.getByRole('dialog');
    await expect(box.getByRole('img', { name: 'Rehearsal' })).toBeVisible();
    await swipe(400);
    await expect(box).toHaveAccessibleName('Photo 2 of 3: On stage');
    for (const _ of [1, 2]) {
      await at('touchStart', { x: 200, y: 400 });
      await at('touchEnd');
    }
    await expect(box.getByRole('button', { name: 'Zoom out' })).toBeVisible();
    // While the photo is zoomed in, a swipe pans it and does not change the photo.
    await swipe(400);
    await expect(box).toHaveAccessibleName('Photo 2 of 3: On stage');
    await at('touchStart', { x: 180, y: 400 }, { x: 220, y: 400 });
    await at('touchMove', { x: 199, y: 400 }, { x: 201, y: 400 });
    await at('touchEnd');
    await expect(box.getByRole('button', { name: 'Zoom out' })).toHaveCount(0);
  },
);

test('plays one recording at a time and seeks by keys', { tag: '@full' }, async ({ server, person, newDevice }) => {
  const { address } = await makePortfolio(person, server.url);
  const device = await newDevice({ shape: 'desktop' });
  const { page } = device;
  await device.open(`${address}?tab=audio`);
  await page.getByRole('button', { name: 'Play Warm narration' }).press('Enter');
  await expect(page.getByRole('button', { name: 'Pause Warm narration' })).toBeVisible();
  const seek = page.getByRole('slider', { name: 'Seek in Warm narration' });
  await seek.press('Home');
  await seek.press('ArrowRight');
  await expect(seek).toHaveAttribute('aria-valuetext', /^([5-9]|1\d) of 12 seconds$/);
  expect(await page.evaluate(() => navigator.mediaSession.metadata?.title)).toBe('Warm narration');
  await page.getByRole('button', { name: 'Play Radio spot' }).click();
  await expect(page.getByRole('button', { name: 'Pause Radio spot' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Play Warm narration' })).toBeVisible();
});

test('sends a new order made offline, and removes hidden and deleted items for others', async ({
  server,
  person,
  newDevice,
}) => {
  const { profileId, address } = await makePortfolio(person, server.url);
  const device = await newDevice({ shape: 'desktop' });
  const { page } = device;
  await device.signInForOffline(person);
  const photos = card(page, 'Photos');
  const names = () =>
    photos
      .locator('[data-media]')
      .evaluateAll((all) =>
        all.map((each) => each.querySelector('img')?.alt ?? each.querySelector('.sr-only')?.textContent),
      );
  await expect.poll(names).toEqual(['Rehearsal', 'On stage', 'Headshot']);
  await server.stop();
  await photos.getByRole('button', { name: 'More for Rehearsal' }).click();
  await page.getByRole('menuitem', { name: 'Move later' }).click();
  await expect.poll(names).toEqual(['On stage', 'Rehearsal', 'Headshot']);
  await expect(photos.getByRole('button', { name: 'More for Rehearsal' })).toBeFocused();
  await photos
    .getByRole('listitem')
    .filter({ has: page.getByRole('button', { name: /^Headshot/ }) })
    .dragTo(photos.getByRole('listitem').first());
  await expect.poll(names).toEqual(['Headshot', 'On stage', 'Rehearsal']);
  await page.reload();
  await expect.poll(names).toEqual(['Headshot', 'On stage', 'Rehearsal']);

  await photos.getByRole('button', { name: 'More for On stage' }).click();
  await page.getByRole('menuitem', { name: 'Hide' }).click();
  await expect(photos.getByRole('button', { name: /^On stage.*Hidden/ })).toBeVisible();
  const videos = card(page, 'Videos');
  await videos.getByRole('button', { name: 'More for The Long Monsoon' }).click();
  await page.getByRole('menuitem', { name: 'Delete' }).click();
  await expect(page.getByRole('alertdialog')).toContainText('Are you sure you want to delete this media?');
  await page.getByRole('button', { name: 'Yes I Know!' }).click();
  await expect(videos.getByText('The Long Monsoon')).toHaveCount(0);
  await videos.getByRole('button', { name: 'More for Midnight Local' }).click();
  await page.getByRole('menuitem', { name: 'Edit' }).click();
  await page.getByRole('dialog').getByLabel('Role').fill('Inspector');
  await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
  await expect(videos.getByText('Inspector')).toBeVisible();

  await server.start();
  await expectAllSaved(page);
  const own = await listed(person, server.url, `/media?profile_id=${profileId}`);
  expect(own.map(({ name }) => name)).toEqual(['Headshot', 'On stage', 'Rehearsal']);
  const others = await listed(null, server.url, `/media?profile_id=${profileId}`);
  expect(others.map(({ name }) => name)).toEqual(['Headshot', 'Rehearsal']);
  const films = await listed(null, server.url, `/media/video?profile_id=${profileId}`);
  expect(films.map(({ name }) => name)).toEqual(['Midnight Local']);

  const visitor = await newDevice();
  await visitor.open(address);
  await expect(visitor.page.getByRole('tab')).toHaveText(['Full 6', 'Photos 2', 'Videos 1', 'Audios 2', 'Docs 1']);
  await expect(visitor.page.getByRole('button', { name: /^(More for|Save) / })).toHaveCount(0);
});

test('lists a bookmark on the Saved page, also offline', { tag: '@full' }, async ({ server, person, newDevice }) => {
  const owner = await makePerson(server.url);
  const { address } = await makePortfolio(owner, server.url);
  await makeProfile(person);
  const device = await newDevice();
  const { page } = device;
  await device.signInForOffline(person);
  await device.open(address);
  const bookmark = page.getByRole('button', { name: /^Save Warm narration/ });
  await bookmark.click();
  await expect(bookmark).toHaveAttribute('aria-pressed', 'true');
  await expectAllSaved(page);
  await server.stop();
  const other = page.getByRole('button', { name: /^Save Headshot/ });
  await other.click();
  await expect(other).toHaveAttribute('aria-pressed', 'true');
  await device.open('/saved');
  const saved = card(page, 'Saved media');
  await expect(saved.getByRole('listitem')).toHaveCount(2);
  await expect(saved).toContainText('Warm narration');
  await expect(row(saved, 'Headshot').getByText(ON_THIS_DEVICE)).toBeVisible();
  await server.start();
  await expectAllSaved(page);
  await expectAccessible(page);
});
