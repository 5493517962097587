import { card, sheet } from './support/actions.ts';
import { expectAccessibleInBothSchemes } from './support/axe.ts';
import { letWorkAtDesk } from './support/desk-worker.ts';
import { makePerson, makeProfile } from './support/people.ts';
import { expect, test } from './support/test.ts';

const WORDS = 'Callboard does not allow fees for auditions. You can read, but not write, until we have talked.';

for (const shape of ['phone', 'desktop'] as const) {
  test(`a report is decided with words to the person, and the decision is undone: ${shape}`, async ({
    person,
    server,
    newDevice,
  }) => {
    const { url } = server;
    const reported = await makePerson(url, { name: `Farah Iranii ${shape}` });
    const reporter = await makePerson(url, { name: 'Zoya Sheikh' });
    const profile = await makeProfile(reported, { title: 'Casting' });
    await reporter.call('POST', '/reports', {
      user_id: reported.id,
      reason: 'scam',
      text: 'They ask for money before the audition.',
      target_type: 'profile',
      target_id: String(profile.id),
    });
    await letWorkAtDesk(server, person);
    const device = await newDevice({ shape });
    const { page } = device;
    await device.signInAs(person);
    await device.open('/desk');
    const entry = page.getByRole('listitem').filter({ hasText: reported.name });
    await expect(entry).toContainText('Profile');
    await expectAccessibleInBothSchemes(page);
    await entry.getByRole('link').click();
    await expect(card(page, 'What was reported')).toContainText('They ask for money before the audition.');
    await expectAccessibleInBothSchemes(page);

    await page.getByRole('button', { name: 'Suspend' }).click();
    const form = sheet(page, `Suspend ${reported.name}`);
    await form.getByLabel(`What ${reported.name} reads`).fill(WORDS);
    await expectAccessibleInBothSchemes(page);
    await form.getByRole('button', { name: `Suspend ${reported.name}` }).click();
    await expect(card(page, 'Log')).toContainText(WORDS);
    expect((await reported.call('GET', '/user')).body).toMatchObject({ is_suspended: true });
    await page.getByRole('button', { name: /^Undo: .* suspended the person/ }).click();
    await expect(card(page, 'Log')).toContainText('lifted the suspension');
    expect((await reported.call('GET', '/user')).body).toMatchObject({ is_suspended: false });
  });
}

test('the desk does not exist for somebody who does not work there', async ({ person, phone }) => {
  await makeProfile(person);
  await phone.signInAs(person);
  phone.allowBrowserError(/status of 404/);
  await phone.open('/desk');
  await expect(phone.page.getByRole('heading', { level: 1 })).toHaveText('There is nothing here');
});
