import { ON_THIS_DEVICE, makeProfileInWizard, row, signIn, signUp } from './support/actions.ts';
import {
  expectChangesSent,
  expectChangesOnServer,
  expectChangesShown,
  makeChangesAndKillBrowser,
} from './support/offline-work.ts';
import { signInByApi, buildAccount } from './support/people.ts';
import { getOutbox } from './support/client-store.ts';
import { expect, test } from './support/test.ts';

test('sends work done offline exactly once, through a killed browser', async ({
  ownPhone: phone,
  server,
  newDevice,
}) => {
  const asha = buildAccount();
  await signUp(phone.page, asha);
  await expect(phone.page).toHaveURL(/\/profile\/step\/1$/);
  await makeProfileInWizard(phone.page, 'Actor / Performer', 'Stage and screen actor', 'Pune');
  await expect.poll(() => getOutbox(phone.page)).toEqual([]);
  await phone.readyForOffline();

  await makeChangesAndKillBrowser(phone, server);
  await phone.open('/waiting');
  await expect(phone.page.getByRole('heading', { level: 1 })).toContainText(/safe on this phone/);
  await expect(row(phone.page, 'Paper Boats')).toContainText('On this phone');
  await phone.open('/settings');
  await expect(phone.page.getByRole('main').getByText(asha.email)).toBeVisible();

  await server.start();
  // The portrait raises the profile's version in its own lane; the edits behind it are merged without asking.
  phone.allowBrowserError(/status of 412/);
  await expectChangesSent(phone);
  await phone.open('/waiting');
  await expect(phone.page.getByRole('heading', { name: 'Everything is saved' })).toBeVisible();
  await expect(row(phone.page, 'Paper Boats')).toContainText('Saved');
  await expectChangesOnServer(await signInByApi(server.url, asha), phone.page);

  const laptop = await newDevice({ shape: 'desktop' });
  await signIn(laptop.page, asha);
  await expectChangesShown(laptop.page);
  await expect(laptop.page.getByText(ON_THIS_DEVICE)).toHaveCount(0);
});
