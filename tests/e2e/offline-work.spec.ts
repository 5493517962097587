import { PHONE_WORD, makeProfileInWizard, row, signIn, signUp } from './support/actions.ts';
import { expectAllSent, expectOnServer, expectTheWork, workThroughAKill } from './support/offline-work.ts';
import { callAs, stranger } from './support/people.ts';
import { outboxOf } from './support/client-store.ts';
import { expect, test } from './support/test.ts';

test('work done with no server, through a killed browser, arrives once', async ({
  ownPhone: phone,
  server,
  newDevice,
}) => {
  const asha = stranger();
  await signUp(phone.page, asha);
  await expect(phone.page).toHaveURL(/\/profile\/step\/1$/);
  await makeProfileInWizard(phone.page, 'Actor / Performer', 'Stage and screen actor', 'Pune');
  await expect.poll(() => outboxOf(phone.page)).toEqual([]);
  await phone.readyForOffline();

  await workThroughAKill(phone, server);
  await phone.open('/waiting');
  await expect(phone.page.getByRole('heading', { level: 1 })).toContainText(/safe on this phone/);
  await expect(row(phone.page, 'Paper Boats')).toContainText('On this phone');
  await phone.open('/settings');
  await expect(phone.page.getByRole('main').getByText(asha.email)).toBeVisible();

  await server.start();
  // The portrait raises the profile's version on a lane of its own; the edits behind it are merged in silence.
  phone.expectTrouble(/status of 412/);
  await expectAllSent(phone);
  await phone.open('/waiting');
  await expect(phone.page.getByRole('heading', { name: 'Everything is saved' })).toBeVisible();
  await expect(row(phone.page, 'Paper Boats')).toContainText('Saved');
  await expectOnServer(await callAs(server.url, asha), phone.page);

  const laptop = await newDevice({ shape: 'desktop' });
  await signIn(laptop.page, asha);
  await expectTheWork(laptop.page);
  await expect(laptop.page.getByText(PHONE_WORD)).toHaveCount(0);
});
