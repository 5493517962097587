import { expectAccessible } from './support/axe.ts';
import { expect, test } from './support/test.ts';

test('opens any URL after one visit, with the server down', async ({ newDevice, server }) => {
  const phone = await newDevice({ isFirstVisit: true });
  await phone.open('/');
  await phone.readyForOffline();
  await server.stop();

  await phone.open('/login');
  await expect(phone.page.getByRole('heading', { level: 1 })).toBeVisible();
  await phone.open('/no/such/page');
  await expect(phone.page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('opens again after both browser and server were killed', { tag: '@full' }, async ({ ownPhone: phone, server }) => {
  await phone.open('/');
  await phone.readyForOffline();
  await server.kill();
  await phone.kill();

  await phone.relaunch();
  await phone.open('/register');
  await expect(phone.page.getByRole('heading', { level: 1 })).toBeVisible();
});

test('reads Help with its pictures, from guide to guide, with the server down', async ({ newDevice, server }) => {
  const device = await newDevice();
  const { page } = device;
  await device.open('/');
  await device.readyForOffline();
  await server.stop();
  await device.open('/help');
  await page.getByRole('link', { name: 'Work without signal' }).click();
  await expect(page.getByRole('heading', { name: 'Work without signal', level: 1 })).toBeVisible();
  await expectAccessible(page);
  for (const picture of await page.getByRole('article').getByRole('img').all()) {
    await picture.scrollIntoViewIfNeeded();
    await expect.poll(() => picture.evaluate((image: HTMLImageElement) => image.naturalWidth)).toBeGreaterThan(0);
  }
  await page.getByRole('link', { name: 'Next: Photos, videos and recordings' }).click();
  await expect(page.getByRole('heading', { name: 'Photos, videos and recordings', level: 1 })).toBeVisible();
  await device.open('/help/nothing-like-it');
  await expect(page.getByRole('heading', { name: 'Help', level: 1 })).toBeVisible();
});

test('requests the files of a signed-in person before the entry has run', async ({ newDevice, person }) => {
  const phone = await newDevice({ isFirstVisit: true });
  const requested: string[] = [];
  let letEntryLoad = (): void => undefined;
  const entryMayLoad = new Promise<void>((resolve) => (letEntryLoad = resolve));
  await phone.page.route('**/assets/*.js', async (route) => {
    const { pathname } = new URL(route.request().url());
    requested.push(pathname);
    if (pathname.startsWith('/assets/index-')) await entryMayLoad;
    await route.continue();
  });
  await phone.signInAs(person);
  const opening = phone.open('/');
  const areForMembers = [/^\/assets\/f-SignedInRoutes-/, /^\/assets\/f-open-account-/];
  await expect
    .poll(() => areForMembers.map((name) => requested.filter((path) => name.test(path)).length))
    .toEqual([1, 1]);
  letEntryLoad();
  await opening;
});

test('requests nothing for signed-in people on a visit without a session', async ({ newDevice }) => {
  const { page } = await newDevice({ isFirstVisit: true });
  const requested: string[] = [];
  page.on('request', (request) => requested.push(new URL(request.url()).pathname));
  await page.goto('/');
  await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
  expect(requested.filter((path) => /f-SignedInRoutes|f-open-account/.test(path))).toEqual([]);
});

test('leaves files and API calls to the server, whatever the worker has cached', async ({ phone }) => {
  await phone.open('/');
  await phone.readyForOffline();
  const missing = await phone.page.evaluate(async () => {
    const answers = await Promise.all(['/nope.js', '/storage/nope.jpg', '/api/nope'].map((path) => fetch(path)));
    return answers.map((answer) => [answer.status, answer.headers.get('content-type')?.includes('html') ?? false]);
  });
  expect(missing).toEqual([
    [404, false],
    [404, false],
    [404, false],
  ]);
  phone.allowBrowserError(/status of 404/);
});
