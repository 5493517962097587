import { randomUUID } from 'node:crypto';
import { expectAccessibleInBothSchemes } from './support/axe.ts';
import { makePerson, makeProfile } from './support/people.ts';
import { expect, test } from './support/test.ts';

/**
 * Six performers in a city of their own, and five without a city. Insights hide a city when it would reveal how few people
 * have none, and other tests decide who else is on this server.
 */
async function makeCity(url: string): Promise<string> {
  for (let place = 0; place < 5; place += 1) await makeProfile(await makePerson(url));
  const town = `Town ${randomUUID().slice(0, 8)}`;
  for (let place = 0; place < 6; place += 1) {
    const person = await makePerson(url);
    const { id: profile_id } = await makeProfile(person, { location: `${town}, India` });
    await person.call('PUT', '/profile/update', { profile_id, per_day: 10_000 + place * 1000 });
  }
  return town;
}

test(
  'shows a visitor the insights as bars and as tables, also offline',
  { tag: '@full' },
  async ({ server, phone }) => {
    const town = await makeCity(server.url);
    // Insights are cached for ten minutes; a restarted server has none.
    await server.stop();
    await server.start();
    const { page } = phone;
    await phone.open('/insights');
    const cities = page.getByRole('region', { name: 'People by city' });

    await test.step('shows bars, and the same figures as a table', async () => {
      await expect(page.getByRole('heading', { name: 'Industry Insights', level: 1 })).toBeVisible();
      await expect(page.getByText(/^As of \d{1,2} [A-Z][a-z]{2} \d{4}$/)).toBeVisible();
      await expect(cities.getByRole('figure', { name: /^People with an active profile/ })).toBeVisible();
      await expect(cities.getByText(town).first()).toBeVisible();
      await cities.getByText('As a table').click();
      await expect(cities.getByRole('row', { name: `${town} 5 or more` })).toBeVisible();
      await expectAccessibleInBothSchemes(page);
      await page.setViewportSize({ width: 320, height: 700 });
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    });

    await test.step('keeps the last figures offline', async () => {
      await phone.readyForOffline();
      await server.stop();
      await page.reload();
      await expect(page.getByText('No signal. As last seen on this phone')).toBeVisible();
      await expect(cities.getByText(town).first()).toBeVisible();
      await server.start();
      await phone.open('/insights');
      await expect(cities.getByText(town).first()).toBeVisible();
      await expect(page.getByText('No signal. As last seen on this phone')).toBeHidden();
    });
  },
);

test('explains that a server without insights has none', { tag: '@full' }, async ({ basicApi, newDevice }) => {
  const phone = await newDevice({ url: basicApi.url });
  phone.allowBrowserError(/status of 404/);
  await phone.open('/insights');
  await expect(phone.page.getByRole('heading', { name: 'Industry Insights are not available' })).toBeVisible();
});
