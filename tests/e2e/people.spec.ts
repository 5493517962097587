import { expectAllSaved, card, pill, row } from './support/actions.ts';
import { expectAccessible, expectAccessibleInBothSchemes } from './support/axe.ts';
import { getProfilePath, connect, makePerson, makeProfile } from './support/people.ts';
import { getOutbox } from './support/client-store.ts';
import { expect, test } from './support/test.ts';

interface Connection {
  status: string;
  name: string;
  message: string | null;
}
interface Notification {
  type: string;
  read_at: string | null;
}

test('accepts a request with a note, and updates both lists', async ({ server, person, newDevice }) => {
  const other = await makePerson(server.url);
  await makeProfile(person, { title: 'Actor', location: 'Pune' });
  const profile = await makeProfile(other, { title: 'Director', location: 'Goa' });
  const [phone, desk] = [await newDevice(), await newDevice({ shape: 'desktop' })];
  await desk.signInAs(other);
  await desk.open('/connections');
  await expect(desk.page.getByText('Nobody in your network yet')).toBeVisible();
  await phone.signInAs(person);
  await phone.open(await getProfilePath(other, profile.id));
  await phone.page.getByRole('button', { name: `More for ${other.name}` }).click();
  await phone.page.getByRole('menuitem', { name: 'Connect with a note' }).click();
  const sheet = phone.page.getByRole('dialog', { name: `Connect with ${other.name}` });
  await sheet.getByLabel('Note').fill('We met at Prithvi.');
  await expectAccessible(phone.page);
  await sheet.getByRole('button', { name: 'Send request' }).click();
  await expect(phone.page.getByRole('button', { name: 'Pending' })).toBeVisible();
  await expect(phone.page.getByText('Connection request sent').first()).toBeVisible();
  await phone.open('/connections');
  await expect(row(card(phone.page, 'Invitations'), other.name)).toContainText('We met at Prithvi.');
  await expect(phone.page.getByRole('button', { name: /^Pending/ })).toBeDisabled();

  // Without a reload: a live event brings it, or the pull that follows a reconnect.
  const asked = row(card(desk.page, 'Invitations 1'), person.name);
  await expect(asked).toContainText('Actor, Pune', { timeout: 20_000 });
  await expect(asked).toContainText('We met at Prithvi.');
  await expectAccessibleInBothSchemes(desk.page);
  await asked.getByRole('button', { name: `Accept ${person.name}` }).click();
  const network = card(desk.page, 'My Network > All 1');
  await expect(row(network, person.name)).toContainText(/Connected \d+ seconds? ago|Just now/);
  await expect(card(desk.page, 'Invitations')).toHaveCount(0);
  await expect(network.getByRole('link', { name: `Message ${person.name}` })).toHaveAttribute(
    'href',
    /^\/messages\/\d+$/,
  );

  await expect(row(card(phone.page, 'My Network > All 1'), other.name)).toContainText('Director, Goa', {
    timeout: 20_000,
  });
  await expectAccessibleInBothSchemes(phone.page);
  for (const each of [person, other]) {
    const { body } = await each.call<Connection[]>('GET', '/connections/accepted');
    expect(body).toMatchObject([{ status: 'accepted' }]);
  }

  // A disconnect waits for Undo, then applies to both.
  const more = () => desk.page.getByRole('button', { name: `More for ${person.name}` });
  await more().click();
  await desk.page.getByRole('menuitem', { name: 'Remove connection' }).click();
  await expect(desk.page.getByText('Nobody in your network yet')).toBeVisible();
  await desk.page.getByRole('button', { name: 'Undo' }).click();
  await expect(row(network, person.name)).toBeVisible();
  await more().click();
  await desk.page.getByRole('menuitem', { name: 'Block' }).click();
  await desk.page.getByRole('button', { name: 'Block', exact: true }).click();
  await expect(desk.page.getByText('Nobody in your network yet')).toBeVisible();
  await expectAllSaved(desk.page);
  expect((await person.call<Connection[]>('GET', '/connections/accepted')).body).toEqual([]);
});

test(
  'sends requests, responses and disconnects made offline once the server is back',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    const [asker, friend, asked] = [
      await makePerson(server.url),
      await makePerson(server.url),
      await makePerson(server.url),
    ];
    await makeProfile(person, { location: 'Nashik' });
    for (const each of [friend, asked]) await makeProfile(each, { location: 'Nashik' });
    await asker.call('POST', `/connections/request/${person.id}`);
    await connect(person, friend);
    const device = await newDevice();
    const { page } = device;
    await device.signInForOffline(person);
    await device.open('/connections');
    await expect(page.getByRole('button', { name: `Connect with ${asked.name}`, exact: true })).toBeVisible();
    await server.stop();
    await device.open('/connections');

    await page.getByRole('button', { name: `Accept ${asker.name}` }).click();
    await expect(row(page, asker.name)).toContainText('Accepted, on this phone');
    await page.getByRole('button', { name: `Connect with ${asked.name}`, exact: true }).click();
    await expect(row(card(page, 'Invitations'), asked.name)).toContainText('On this phone');
    await page.getByRole('button', { name: `More for ${friend.name}` }).click();
    await page.getByRole('menuitem', { name: 'Remove connection' }).click();
    await expect(card(page, 'My Network > All 0')).toBeVisible();
    await expect(pill(page)).toHaveText('3 waiting');
    await expectAccessible(page);

    await server.start();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expectAllSaved(page);
    const names = async (list: string) =>
      (await person.call<Connection[]>('GET', `/connections/${list}`)).body.map(({ name }) => name);
    expect(await names('accepted')).toEqual([asker.name]);
    expect(await names('requests/sent')).toEqual([asked.name]);
    expect(await names('requests/received')).toEqual([]);
    await expect(row(card(page, 'My Network > All 1'), asker.name)).toBeVisible();
  },
);

test('counts, shows and marks notifications as read, also offline', async ({ server, person, newDevice }) => {
  const [asker, fan] = [await makePerson(server.url), await makePerson(server.url)];
  const profile = await makeProfile(person);
  await asker.call('POST', `/connections/request/${person.id}`);
  await fan.call('POST', `/profile/${profile.id}/save`);
  await fan.call('POST', '/feedback', { profile_id: profile.id, feedback: 'Never late.' });
  const device = await newDevice();
  const { page } = device;
  // Recorded where the test can read it: a browser window shows no app badge.
  await page.addInitScript(() => {
    const saveBadge = (count: number) => {
      localStorage.setItem('badge', String(count));
      return Promise.resolve();
    };
    Object.assign(navigator, { setAppBadge: saveBadge, clearAppBadge: () => saveBadge(0) });
  });
  const getBadge = () => page.evaluate(() => localStorage.getItem('badge'));
  await device.signInForOffline(person);
  const tab = page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: /^Notifications/ });
  await expect(tab).toHaveAccessibleName('Notifications 3 new');
  // The icon counts conversations and requests, as pushes do.
  await expect.poll(getBadge).toBe('1');
  await tab.click();
  const fresh = card(page, 'New 3');
  await expect(fresh.getByRole('listitem')).toHaveText([
    new RegExp(`${fan.name} left you feedback: “Never late.”`),
    new RegExp(`${fan.name} saved your profile`),
    new RegExp(`${asker.name} wants to connect`),
  ]);
  await expectAccessibleInBothSchemes(page);
  await server.stop();
  await page.getByRole('button', { name: `Accept ${asker.name}` }).click();
  await expect(row(card(page, 'Earlier'), asker.name)).toContainText('You’ll be connected when this is sent');
  await expect(tab).toHaveAccessibleName('Notifications 2 new');
  await expect.poll(getBadge).toBe('0');
  await page.getByRole('button', { name: 'Mark all read' }).click();
  await expect(card(page, 'New')).toHaveCount(0);
  await expect(tab).toHaveAccessibleName('Notifications');
  // A change that was already attempted is not modified: another one follows it.
  expect(new Set((await getOutbox(page)).map(({ kind }) => kind))).toEqual(new Set(['accept', 'seen']));
  await expectAccessible(page);

  await server.start();
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expectAllSaved(page);
  const { body } = await person.call<Notification[]>('GET', '/notifications');
  expect(body.filter(({ read_at }) => read_at === null)).toEqual([]);
  expect((await asker.call<Notification[]>('GET', '/notifications')).body).toMatchObject([
    { type: 'connection.accepted' },
  ]);

  await fan.call('POST', `/connections/request/${person.id}`);
  await page.evaluate(() => dispatchEvent(new Event('online')));
  await expect.poll(getBadge).toBe('1');
  await page.getByRole('button', { name: `${person.name}, your menu` }).click();
  await page.getByRole('menuitem', { name: 'Sign Out' }).click();
  await expect(page).toHaveURL(/\/login$/);
  expect(await getBadge()).toBe('0');
});

test('reports a person with a reason', async ({ server, person, newDevice }) => {
  const other = await makePerson(server.url);
  const profile = await makeProfile(other);
  await makeProfile(person);
  const device = await newDevice({ shape: 'desktop' });
  const { page } = device;
  await device.signInAs(person);
  await device.open(await getProfilePath(other, profile.id));
  await page.getByRole('button', { name: `More for ${other.name}` }).click();
  await page.getByRole('menuitem', { name: 'Report' }).click();
  const sheet = page.getByRole('dialog', { name: `Report ${other.name}` });
  await sheet.getByRole('button', { name: 'Report', exact: true }).click();
  await expect(sheet.getByText('Choose a reason')).toBeVisible();
  await sheet.getByText('Asks for money or personal documents').click();
  await sheet.getByLabel('What happened').fill('500 rupees for an audition.');
  await expectAccessible(page);
  await sheet.getByRole('button', { name: 'Report', exact: true }).click();
  await expect(page.getByText(/Thank you\./).first()).toBeVisible();
  await expect(sheet).toHaveCount(0);
});
