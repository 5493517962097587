import { card, sheet } from './support/actions.ts';
import { expectAccessible, expectAccessibleInBothSchemes } from './support/axe.ts';
import { letWorkAtDesk } from './support/desk-worker.ts';
import { addPhoto } from './support/media-factory.ts';
import { connect, getProfilePath, makePerson, makeProfile } from './support/people.ts';
import { expect, test } from './support/test.ts';
import type { Device } from './support/device.ts';

/** Fills the open report and sends it. */
async function sendReport({ page }: Device, title: string): Promise<void> {
  const form = sheet(page, title);
  await form.getByText('Harassment or threats').click();
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Report', exact: true }).click();
  await expect(page.getByText(/Thank you\./).first()).toBeVisible();
  await expect(form).toHaveCount(0);
}

test(
  'a photo, feedback and a message are reported where they are shown, and hidden at the desk',
  { tag: '@full' },
  async ({ person, server, newDevice }) => {
    const { url } = server;
    const [reported, host] = [await makePerson(url, { name: 'Vik Anandh' }), await makePerson(url)];
    await makeProfile(person);
    const profile = await makeProfile(reported);
    const hostProfile = await makeProfile(host);
    await addPhoto(reported, url, String(profile.id), 'Not mine');
    const { conversation } = await connect(person, reported);
    await connect(host, reported);
    await reported.call('POST', '/feedback', {
      profile_id: String(hostProfile.id),
      feedback: 'Nobody should work here.',
    });
    await reported.call('POST', '/chat/send', {
      conversation_id: conversation,
      receiver_id: String(person.id),
      message: 'You will be sorry.',
    });

    const phone = await newDevice({ shape: 'phone' });
    await phone.signInAs(person);
    await phone.open(await getProfilePath(reported, profile.id));
    await phone.page.locator('[data-media]').first().click();
    await phone.page.getByRole('button', { name: 'Report Not mine' }).click();
    await sendReport(phone, 'Report Not mine');
    await phone.open(await getProfilePath(host, hostProfile.id));
    await phone.page.getByRole('button', { name: 'Report feedback from Vik Anandh' }).click();
    await sendReport(phone, 'Report feedback from Vik Anandh');
    await phone.open(`/messages/${conversation}`);
    await phone.page.getByRole('log').getByText('You will be sorry.').click();
    await phone.page.getByRole('button', { name: 'Report', exact: true }).click();
    await sendReport(phone, 'Report a message from Vik Anandh');

    const worker = await makePerson(url, { name: 'Ishaan Sethi' });
    await letWorkAtDesk(server, worker);
    const desktop = await newDevice({ shape: 'desktop' });
    await desktop.signInAs(worker);
    const { page } = desktop;
    for (const [what, words] of [
      ['Message', 'You will be sorry.'],
      ['Feedback', 'Nobody should work here.'],
      ['File', 'Not mine'],
    ] as const) {
      await desktop.open('/desk');
      await page
        .getByRole('listitem')
        .filter({ hasText: reported.name })
        .filter({ has: page.getByText(what, { exact: true }) })
        .getByRole('link')
        .click();
      await expect(card(page, 'What was reported')).toContainText(words);
      if (what === 'File') {
        await page.getByRole('button', { name: 'Show the file' }).click();
        await expect(page.getByRole('img', { name: 'What was reported' })).toBeVisible();
      }
      await expectAccessibleInBothSchemes(page);
      await page.getByRole('button', { name: `Hide the ${what.toLowerCase()}` }).click();
      await sheet(page, `Hide the ${what.toLowerCase()}`)
        .getByRole('button', { name: `Hide the ${what.toLowerCase()}`, exact: true })
        .click();
      await expect(card(page, 'Log')).toContainText('hid it');
    }
    await phone.open(`/messages/${conversation}`);
    await expect(phone.page.getByRole('log')).toContainText('This message was hidden');
  },
);

for (const shape of ['phone', 'desktop'] as const) {
  const tag = shape === 'desktop' ? ['@full'] : [];
  test(
    `an operator verifies an office, sees a name that looks like it, and takes the badge back: ${shape}`,
    { tag },
    async ({ person, server, newDevice }) => {
      const { url } = server;
      const name = `Gulmohar Pictures ${shape}`;
      const [office, other] = [await makePerson(url, { name: 'Farah Irani' }), await makePerson(url, { name })];
      await letWorkAtDesk(server, person);
      const device = await newDevice({ shape });
      const { page } = device;
      await device.signInAs(person);
      await device.open('/desk/offices');
      await page.getByLabel('E-mail of a person').fill(office.email);
      await expectAccessibleInBothSchemes(page);
      await page.getByRole('button', { name: 'Open', exact: true }).click();
      await expect(page.getByRole('heading', { level: 2, name: 'Farah Irani' })).toBeVisible();
      await page.getByRole('button', { name: 'More acts' }).click();
      await page.getByRole('menuitem', { name: 'Verify as an office' }).click();
      const form = sheet(page, 'Verify as an office');
      await form.getByLabel('Name of the office').fill(name);
      await form.getByLabel('Website').fill('gulmohar.example');
      await expectAccessibleInBothSchemes(page);
      await form.getByRole('button', { name: 'Verify as an office', exact: true }).click();
      await expect(page.getByText(`${name}, verified office since`)).toBeVisible();
      await expect(card(page, 'Log')).toContainText('verified the office');
      await expectAccessibleInBothSchemes(page);
      await page.screenshot({ path: test.info().outputPath('person.png'), fullPage: true });
      await device.open(`/desk/people/${other.id}`);
      await expect(page.getByText(`The name looks like ${name}, a verified office.`)).toBeVisible();
      await page.screenshot({ path: test.info().outputPath('lookalike.png'), fullPage: true });
      await device.open('/desk/offices');
      await page.screenshot({ path: test.info().outputPath('offices.png'), fullPage: true });
      await page.getByRole('button', { name: `Take the badge of ${name} back` }).click();
      await sheet(page, 'Take the badge back')
        .getByRole('button', { name: 'Take the badge back', exact: true })
        .click();
      await expect(page.getByRole('button', { name: `Take the badge of ${name} back` })).toHaveCount(0);
    },
  );
}

for (const shape of ['phone', 'desktop'] as const) {
  const tag = shape === 'desktop' ? ['@full'] : [];
  test(
    `feedback on one’s own profile is reported from its menu: ${shape}`,
    { tag },
    async ({ person, server, newDevice }) => {
      const profile = await makeProfile(person);
      const author = await makePerson(server.url, { name: 'Vik Anandh' });
      await connect(author, person);
      await author.call('POST', '/feedback', { profile_id: String(profile.id), feedback: 'Nobody should work here.' });
      const device = await newDevice({ shape });
      const { page } = device;
      await device.signInAs(person);
      await device.open('/');
      await page.getByRole('button', { name: 'More for Nobody should work here.' }).click();
      await expect(page.getByRole('menuitem')).toHaveText(['Hide from others', 'Report', 'Delete']);
      await page.getByRole('menuitem', { name: 'Report' }).click();
      await sendReport(device, 'Report feedback from Vik Anandh');
      const worker = await makePerson(server.url, { name: 'Ishaan Sethi' });
      await letWorkAtDesk(server, worker);
      const { body } = await worker.call<{ data: { target_type: string; person: { id: string } }[] }>(
        'GET',
        '/desk/reports?limit=100',
      );
      expect(body.data).toContainEqual(
        expect.objectContaining({
          target_type: 'feedback',
          person: expect.objectContaining({ id: String(author.id) }),
        }),
      );
    },
  );
}
