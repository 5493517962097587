import { addCredit, card, pickPortrait, save, sheet } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import { makeProfile } from './support/people.ts';
import { picture } from './support/pictures.ts';
import { expect, test } from './support/test.ts';

test(
  'leads a new profile to the facts that casting looks for, offline',
  { tag: '@full' },
  async ({ person, newDevice }) => {
    await makeProfile(person, { location: null });
    const device = await newDevice();
    const { page } = device;
    device.allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
    await device.signInForOffline(person);
    await device.context.setOffline(true);
    const guide = page.getByRole('region', { name: 'Get ready for casting' });
    await expect(guide).toContainText('0 of 6');
    await expect(guide.getByRole('button', { name: /^Add/ })).toHaveCount(1);
    await expectAccessible(page);

    await guide.getByRole('button', { name: 'Add: Name and city' }).click();
    const form = sheet(page, 'Edit Profile');
    await form.getByLabel('City').fill('Pune');
    await form.getByLabel('Youngest age').fill('24');
    await form.getByLabel('Oldest age').fill('36');
    await save(page, 'Edit Profile');
    await expect(guide).toContainText('2 of 6');
    await expect(guide.getByRole('button', { name: 'Add: A clear photo' })).toBeVisible();
    await pickPortrait(page, await picture('me.jpg', 300, 375));
    await expect(guide).toContainText('3 of 6');
    await addCredit(page, { project: 'Paper Boats', role: 'Meera' });
    await expect(guide).toContainText('3 of 6');
    await addCredit(page, { project: 'Night bus', role: 'Driver' });

    await test.step('shows only the next step afterwards', async () => {
      await expect(guide).toContainText('67%');
      await expect(guide).toContainText('Two steps left: languages, a way to reach you');
      await expectAccessible(page);
      await guide.getByRole('button').click();
      await expect(page.getByRole('dialog')).toBeVisible();
      await page.keyboard.press('Escape');
    });
    await page.reload();
    await expect(guide).toContainText('67%');
    await expect(card(page, 'You')).toContainText('24 to 36');
  },
);
