import { makeProfile } from './support/people.ts';
import { picture } from './support/pictures.ts';
import { test, expect } from './support/test.ts';
for (const look of [
  { shape: 'phone', colorScheme: 'light' },
  { shape: 'desktop', colorScheme: 'dark' },
] as const) {
  test(`look ${look.shape}`, async ({ person, newDevice }) => {
    test.setTimeout(90000);
    const { id } = await makeProfile(person, { title: 'Stage and screen actor', location: 'Pune' });
    const device = await newDevice(look);
    const { page } = device;
    device.expectTrouble(/./);
    await device.signInAs(person);
    const shot = (name: string, full = false) => page.screenshot({ path: `/tmp/controls-${look.shape}-${name}.png`, fullPage: full });
    await device.open('/');
    await expect(page.getByText('Get ready for casting')).toBeVisible();
    await shot('home');
    const choosing = page.waitForEvent('filechooser');
    await page.getByRole('button', { name: 'Add photo', exact: true }).click();
    await (await choosing).setFiles(await picture('a.jpg', 1200, 900));
    await expect(page.getByRole('slider', { name: 'Zoom' })).toBeEnabled();
    await shot('crop');
    await page.getByRole('button', { name: 'Use photo' }).click();
    await page.getByRole('button', { name: 'Edit Profile' }).click();
    await page.getByRole('combobox', { name: 'Location' }).fill('p');
    await shot('edit');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog').getByRole('button', { name: 'Save' }).click();
    await person.call('POST', '/profile/experience', { profile_id: id, experience_type: 'Theatre', experience_title: 'A', details: 'B', start_month: 1, start_year: 2020, end_month: 1, end_year: 2020 });
    await person.call('POST', '/profile/experience', { profile_id: id, experience_type: 'Theatre', experience_title: 'A2', details: 'B', start_month: 1, start_year: 2020, end_month: 1, end_year: 2020 });
    await page.waitForTimeout(3000);
    await device.open('/');
    await page.waitForTimeout(1500);
    await shot('ring');
    await page.getByRole('button', { name: /your menu$/ }).click();
    await shot('menu');
    await page.keyboard.press('Escape');
    await device.open('/settings');
    await page.waitForTimeout(800);
    await shot('settings', true);
    await page.getByRole('button', { name: 'Delete account' }).click();
    await shot('delete');
    await page.keyboard.press('Escape');
    await device.open('/profile/step/1');
    await page.getByRole('radio', { name: /Voice/ }).check();
    await page.getByRole('button', { name: /^Next/ }).click();
    await page.getByRole('button', { name: /^Next/ }).click();
    await page.waitForTimeout(300);
    await shot('copy');
    await device.open('/demo');
    await page.waitForTimeout(300);
    await shot('demo');
  });
}
