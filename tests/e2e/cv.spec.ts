import { readFile } from 'node:fs/promises';
import type { Page } from '@playwright/test';
import { extractText, getDocumentProxy } from 'unpdf';
import { ON_THIS_DEVICE, card, sheet } from './support/actions.ts';
import { expectAccessibleInBothSchemes } from './support/axe.ts';
import { makeProfile, type Person } from './support/people.ts';
import { picture } from './support/pictures.ts';
import { expect, test } from './support/test.ts';

const OWN_PHONE = '+91 22222 22222';

async function fillProfile(person: Person): Promise<void> {
  const { id } = await makeProfile(person, { title: 'Stage and screen actor', location: 'Pune' });
  await person.call('POST', '/profile/experience', {
    profile_id: id,
    experience_type: 'Theatre',
    experience_title: 'The Winter Bench',
    details: 'कमला',
    start_month: 1,
    start_year: 2024,
    end_month: 3,
    end_year: 2024,
  });
  await person.call('POST', '/skills', { profile_id: id, name: 'Kathak', level: 3 });
  await person.call('POST', '/contact', {
    profile_id: id,
    contact_type: 'basic',
    name: 'Asha',
    mobile: OWN_PHONE,
    email: 'asha@example.com',
    address: '12 Karve Road',
  });
}

const isReady = (page: Page) => expect(page.getByRole('status').filter({ hasText: 'Made on this' })).toBeVisible();

/** Saves the PDF and takes its text out again. */
async function savePdf(page: Page): Promise<{ name: string; text: string; pageCount: number }> {
  const saved = page.waitForEvent('download');
  await page.getByRole('button', { name: 'Save the PDF' }).click();
  const file = await saved;
  const document = await getDocumentProxy(new Uint8Array(await readFile(await file.path())));
  const { text, totalPages } = await extractText(document, { mergePages: true });
  return { name: file.suggestedFilename(), text, pageCount: totalPages };
}

test('makes the CV without a server after the first visit, for the audience that was chosen', async ({
  server,
  person,
  phone,
}) => {
  await fillProfile(person);
  await phone.signInForOffline(person);
  const { page } = phone;
  await page.getByRole('button', { name: 'Share your profile' }).click();
  await page.getByRole('link', { name: 'CV as PDF' }).click();
  await isReady(page);
  await expect(page.getByRole('img', { name: 'Preview of page 1 of 1' })).toContainText('The Winter Bench');
  await expectAccessibleInBothSchemes(page);

  await server.stop();
  await page.reload();
  await isReady(page);
  const forCasting = await savePdf(page);
  expect(forCasting).toMatchObject({ name: `${person.name} CV.pdf`, pageCount: 1 });
  expect(forCasting.text).toContain('2024 The Winter Bench');
  expect(forCasting.text).toContain('Kathak (expert)');
  expect(forCasting.text).not.toContain(OWN_PHONE);

  await page.getByRole('switch', { name: 'Add my own phone and e-mail' }).click();
  await expect(page.getByRole('img', { name: 'Preview of page 1 of 1' })).toContainText(OWN_PHONE);
  await isReady(page);
  expect((await savePdf(page)).text).toContain(OWN_PHONE);

  // The choices stay on this device.
  await page.getByText('Anyone', { exact: true }).click();
  await page.reload();
  await expect(page.getByRole('radio', { name: 'Anyone' })).toBeChecked();
  await isReady(page);
  expect((await savePdf(page)).text).not.toContain(OWN_PHONE);

  // A photo that only this device has is printed, too.
  await phone.open('/');
  const choosing = page.waitForEvent('filechooser');
  await page.getByRole('button', { name: 'Add photo', exact: true }).click();
  await (await choosing).setFiles(await picture('me.jpg', 640, 800));
  await sheet(page, 'Profile photo').getByRole('button', { name: 'Use photo' }).click();
  await expect(card(page, 'You').getByText(ON_THIS_DEVICE)).toBeVisible();
  await phone.open('/cv');
  await expect(page.getByRole('img', { name: 'Preview of page 1 of 1' }).locator('image')).toBeVisible();
  await server.start();
});

test(
  'prints no number that visitors may not see any more, also without a server since the switch was turned off',
  { tag: '@full' },
  async ({ server, person, phone }) => {
    const agentPhone = '+91 33333 33333';
    const { id } = await makeProfile(person);
    const agent = { contact_type: 'representative', name: 'Nandi Artists', address: '1 MG Road' };
    await person.call('POST', '/contact', {
      profile_id: id,
      ...agent,
      mobile: agentPhone,
      email: 'desk@nandi.example',
    });
    await person.call('PUT', '/settings', { privacy: { phone: true } });
    await phone.signInForOffline(person);
    const { page } = phone;
    await phone.open('/cv');
    await page.getByText('Anyone', { exact: true }).click();
    await isReady(page);
    expect((await savePdf(page)).text).toContain(agentPhone);

    await phone.open('/settings');
    const stored = page.waitForResponse((response) => response.request().method() === 'PUT' && response.ok());
    await page.getByRole('switch', { name: 'Phone numbers' }).click();
    await stored;
    await server.stop();
    await phone.open('/cv');
    await isReady(page);
    expect((await savePdf(page)).text).not.toContain(agentPhone);
    await server.start();
  },
);
