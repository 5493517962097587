import type { Page } from '@playwright/test';
import { fillSignIn, sheet } from './support/actions.ts';
import { getProfilePath, signInByApi, makePerson, makeProfile, buildAccount } from './support/people.ts';
import { expect, test } from './support/test.ts';

const banner = (page: Page) => page.getByRole('banner');
const message = (page: Page) => page.getByRole('complementary', { name: 'Message' });

for (const [shape, widths] of [
  ['phone', [320, 390]],
  ['desktop', [768, 1280]],
] as const) {
  test(
    `offers installing, signing up and signing in on every signed-out page at ${widths.join(' and ')} px`,
    { tag: shape === 'desktop' ? ['@full'] : [] },
    async ({ newDevice, person }) => {
      const { id } = await makeProfile(person);
      const device = await newDevice({ shape });
      const { page } = device;
      device.allowBrowserError(/status of 404/);
      for (const address of [
        '/',
        '/login',
        '/register',
        '/privacy',
        '/terms',
        '/support',
        '/help',
        '/help/without-signal',
        await getProfilePath(person, id),
      ]) {
        await device.open(address);
        await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
        for (const width of widths) {
          await page.setViewportSize({ width, height: 800 });
          for (const name of ['Get on the Stage!', 'Sign in', 'Sign up']) {
            await expect(banner(page).getByRole('link', { name, exact: true })).toBeInViewport({ ratio: 1 });
          }
          await expect(banner(page).getByRole('button', { name: 'Install App' })).toBeInViewport({ ratio: 1 });
          const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
          expect([address, width, overflow]).toEqual([address, width, 0]);
        }
      }
    },
  );
}

test('installs by the browser’s own dialog where there is one, and says when it is installed', async ({ phone }) => {
  const { page } = phone;
  await phone.open('/login');
  await page.evaluate(() => {
    const offer = Object.assign(new Event('beforeinstallprompt', { cancelable: true }), {
      prompt: async () => {
        dispatchEvent(new Event('appinstalled'));
        return { outcome: 'accepted' };
      },
    });
    dispatchEvent(offer);
  });
  const button = banner(page).getByRole('button', { name: 'Install App' });
  await button.click();
  await expect(page.getByRole('dialog')).toHaveCount(0);
  await button.click();
  await expect(sheet(page, 'Callboard is already installed')).toBeVisible();
});

test('opens the guide of this browser where it has no dialog', async ({ phone }) => {
  const { page } = phone;
  await phone.open('/support');
  await banner(page).getByRole('button', { name: 'Install App' }).click();
  await expect(sheet(page, 'Install Callboard').getByRole('listitem')).toHaveCount(3);
});

test('carries out Connect after signing in, once', async ({ person, phone, server }) => {
  const { page } = phone;
  const { id } = await makeProfile(person);
  const address = await getProfilePath(person, id);
  const visitor = await makePerson(server.url);
  type Requests = { sender: { id: string } }[];
  const requests = async () => (await person.call<Requests>('GET', '/connections/requests/received')).body;

  const asked: string[] = [];
  page.on('request', (request) => {
    const { pathname } = new URL(request.url());
    if (request.method() === 'POST' && pathname.startsWith('/connections/request/')) asked.push(pathname);
  });

  await phone.open(address);
  await page.getByRole('main').getByRole('link', { name: 'Connect', exact: true }).click();
  await expect(page.getByText(`Sign in and we’ll ask ${person.name} to connect with you.`)).toBeVisible();
  await page.reload();
  await fillSignIn(page, visitor);

  // The server's response replaces the first toast, perhaps before anybody can read it.
  await expect(message(page)).toContainText(/You asked .+ to connect|Connection request sent/);
  await expect(page).toHaveURL(address);
  await expect(page.getByRole('button', { name: 'Pending' })).toBeVisible();
  await expect.poll(async () => (await requests()).length).toBe(1);

  await page.reload();
  await expect(page.getByRole('button', { name: 'Pending' })).toBeVisible();
  await page.goBack();
  await page.goForward();
  await expect(page.getByRole('button', { name: 'Pending' })).toBeVisible();
  expect(asked).toEqual([`/connections/request/${person.id}`]);
});

test(
  'carries out Save after signing up, and leads back to the page',
  { tag: '@full' },
  async ({ person, phone, server }) => {
    const { page } = phone;
    const { id } = await makeProfile(person);
    const address = await getProfilePath(person, id);
    const newcomer = buildAccount();

    await phone.open(address);
    await page
      .getByRole('main')
      .getByRole('link', { name: `Save ${person.name}` })
      .click();
    await page.getByRole('main').getByRole('link', { name: 'Sign up' }).click();
    await expect(page.getByText(`Sign up and we’ll save ${person.name} for you.`)).toBeVisible();
    await page.getByLabel('Your name').fill(newcomer.name);
    await page.getByLabel('E-mail').fill(newcomer.email);
    await page.getByLabel('Password').fill(newcomer.password);
    await page.getByLabel('Date of birth').fill('1994-08-17');
    await page.getByRole('button', { name: 'Sign up' }).click();
    await expect(message(page)).toContainText(`${person.name} is saved`);

    await page.getByRole('radio').first().check({ force: true });
    await page.getByRole('button', { name: /^Next/ }).click();
    await page.getByRole('button', { name: 'Make my profile' }).click();
    await expect(page).toHaveURL(address);
    await expect(page.getByRole('button', { name: `Save ${person.name}` })).toHaveAttribute('aria-pressed', 'true');
    const signedUp = await signInByApi(server.url, newcomer);
    await expect
      .poll(async () => (await signedUp.call<{ is_saved: number }>('GET', `/profile/details/${id}`)).body.is_saved)
      .toBe(1);
  },
);

test(
  'asks for a profile while the code of its page is on the way, once, and fetches no code of members',
  { tag: '@full' },
  async ({ newDevice, person }) => {
    const { id } = await makeProfile(person);
    const address = await getProfilePath(person, id);
    const { page } = await newDevice({ isFirstVisit: true });
    const requested: string[] = [];
    page.on('request', (request) => requested.push(new URL(request.url()).pathname));
    const isAsked = page.waitForRequest((request) => new URL(request.url()).pathname.startsWith('/profiles/page/'));
    await page.route('**/assets/f-PublicPage-*.js', async (route) => {
      await isAsked;
      await route.continue();
    });
    await page.goto(address);
    await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible();
    expect(requested.filter((path) => path.startsWith('/profiles/page/'))).toHaveLength(1);
    expect(requested.filter((path) => /f-(SignedInRoutes|open-account)-/.test(path))).toEqual([]);
  },
);

for (const how of ['throws', 'is null']) {
  test(`shows a visitor every public page where local storage ${how}`, async ({ person, newDevice }) => {
    const { id } = await makeProfile(person);
    const device = await newDevice({ isFirstVisit: true });
    const { page } = device;
    await page.addInitScript((isNull) => {
      const get = () => {
        if (isNull) return null;
        throw new DOMException('Access is denied for this document.', 'SecurityError');
      };
      Object.defineProperty(window, 'localStorage', { get });
    }, how === 'is null');
    for (const address of ['/', '/search', await getProfilePath(person, id)]) {
      await device.open(address);
      await expect(page.getByRole('heading', { level: 1 })).toBeAttached();
      // The page answers, and has not gone blank after its first paint.
      await banner(page).getByRole('link', { name: 'Sign in', exact: true }).click();
      await expect(page.getByLabel('E-mail')).toBeVisible();
    }
    await page.getByLabel('E-mail').fill(person.email);
    await page.getByLabel('Password', { exact: true }).fill(person.password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await expect(page.getByRole('alert')).toContainText('This browser does not let Callboard store anything.');
  });
}
