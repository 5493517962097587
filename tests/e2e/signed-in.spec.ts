import { expectAccessibleInBothSchemes } from './support/axe.ts';
import { makeProfile } from './support/people.ts';
import { expect, test } from './support/test.ts';

const pages = [
  '/',
  '/media',
  '/waiting',
  '/settings',
  '/connections',
  '/auditions',
  '/casting',
  '/profile/step/1',
  '/no/such/page',
];

for (const shape of ['phone', 'desktop'] as const) {
  test(
    `signed-in pages are accessible in light and dark mode: ${shape}`,
    { tag: shape === 'desktop' ? ['@full'] : [] },
    async ({ person, newDevice }) => {
      const profile = await makeProfile(person);
      await person.call('POST', '/skills', { profile_id: profile.id, name: 'Kathak', level: 3 });
      const device = await newDevice({ shape });
      const { page } = device;
      await device.signInAs(person);
      for (const address of pages) {
        await device.open(address);
        await expect(page.getByRole('heading', { level: 1 })).toHaveCount(1);
        if (address === '/') await expect(page.getByText('Kathak')).toBeVisible();
        await expectAccessibleInBothSchemes(page);
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([address, overflow]).toEqual([address, 0]);
      }
    },
  );

  test(`forms are accessible in light and dark mode: ${shape}`, { tag: '@full' }, async ({ person, newDevice }) => {
    await makeProfile(person);
    const device = await newDevice({ shape });
    const { page } = device;
    await device.signInAs(person);
    await device.open('/');
    for (const opener of ['Edit Profile', 'Add a credit', 'Add a skill', 'Add photos']) {
      await page.getByRole('button', { name: opener }).first().click();
      const sheet = page.getByRole('dialog');
      await expect(sheet).toBeVisible();
      await expectAccessibleInBothSchemes(page);
      await page.keyboard.press('Escape');
      await expect(sheet).toBeHidden();
    }
  });
}

test('says offline under the title of the form that the kinds of profile were never loaded', async ({
  person,
  newDevice,
}) => {
  await makeProfile(person);
  const device = await newDevice();
  const { page } = device;
  device.allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
  await device.signInForOffline(person);
  await device.context.setOffline(true);
  await device.open('/profile/step/1');
  await expect(page.getByRole('heading', { level: 2, name: 'You need to be online for this' })).toBeVisible();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('What do you want to be cast as?');
});

test('shows no list as empty before a new device’s first pull has finished', async ({
  person,
  tcpProxy,
  newDevice,
}) => {
  await makeProfile(person);
  const device = await newDevice({ url: tcpProxy.url });
  const { page } = device;
  const answer = tcpProxy.holdResponseTo('GET /sync');
  await device.signInAs(person);
  await device.open('/');
  await expect.poll(() => answer.isHeld()).toBe(true);
  await expect(page.getByRole('button', { name: 'Add your city' })).toBeVisible();
  await expect(page.getByRole('button', { name: 'Add your height' })).toHaveCount(0);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Messages' }).click();
  await expect(page.getByRole('group', { name: 'Loading messages' })).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Connections' }).click();
  await expect(page.getByRole('group', { name: 'Loading your connections' })).toBeVisible();
  await expect(page.getByRole('main')).not.toContainText(/All\s*0/);
  answer.release();
  await expect(page.getByRole('group', { name: 'Loading your connections' })).toHaveCount(0);
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Messages' }).click();
  await expect(page.getByText('No conversations yet')).toBeVisible();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Home' }).click();
  await expect(page.getByRole('button', { name: 'Add your height' })).toBeVisible();
});
