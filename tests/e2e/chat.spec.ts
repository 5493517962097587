import { expectAccessible } from './support/axe.ts';
import { getProfilePath, connect, makePerson, makeProfile } from './support/people.ts';
import { expect, test } from './support/test.ts';
import type { Device } from './support/device.ts';
import { picture } from './support/pictures.ts';

const box = ({ page }: Device) => page.getByRole('textbox', { name: /^Message / });
const log = ({ page }: Device) => page.getByRole('log');
async function write(device: Device, text: string): Promise<void> {
  await box(device).fill(text);
  await device.page.getByRole('button', { name: /^Send to / }).click();
}
/** Sends a message and waits until the conversation shows it: only then is it stored. */
async function send(device: Device, text: string): Promise<void> {
  await write(device, text);
  await expect(log(device)).toContainText(text);
}
/** Sends a message and returns the milliseconds from the click on Send until the other screen shows it. */
async function measureLatency(from: Device, to: Device, text: string): Promise<number> {
  await write(from, text);
  const sent = performance.now();
  // Checked in every frame: polling from outside the page grows less frequent over time.
  await to.page.waitForFunction((words) => document.querySelector('[role="log"]')?.textContent.includes(words), text);
  return performance.now() - sent;
}
/** Resolves when the server has authorized the device's live channel: from then on the live connection works. */
const waitForLive = ({ page }: Device) =>
  page.waitForResponse((answer) => answer.url().endsWith('/broadcasting/auth') && answer.status() === 200, {
    timeout: 30_000,
  });
/** Two connected people with their conversation open, the first on a phone that is ready to work offline. */
async function openConversation(url: string, newDevice: () => Promise<Device>) {
  const [one, other] = [await makePerson(url), await makePerson(url)];
  for (const person of [one, other]) await makeProfile(person);
  const { conversation: id } = await connect(one, other);
  const phone = await newDevice();
  await phone.signInForOffline(one);
  await phone.open(`/messages/${id}`);
  return { one, other, id, phone, page: phone.page };
}
/** All messages, as the screen shows them. */
const getShownMessages = (device: Device) => log(device).locator('[data-key] [dir]').allTextContents();
const withoutSender = (texts: string[]) => texts.map((text) => text.replace(/^.*?: /, ''));

test('shows both people the same messages after they chat live and then offline', async ({ server, newDevice }) => {
  const [one, other] = [await makePerson(server.url), await makePerson(server.url)];
  await makeProfile(one);
  const profile = await makeProfile(other);
  const phone = await newDevice();
  const desktop = await newDevice({ shape: 'desktop' });
  await phone.signInAs(one);
  await desktop.signInAs(other);
  await phone.open(await getProfilePath(other, profile.id));
  await phone.page.getByRole('button', { name: 'Connect', exact: true }).click();
  const isDesktopLive = waitForLive(desktop);
  await desktop.open('/connections');
  await desktop.page.getByRole('button', { name: `Accept ${one.name}` }).click();
  const isPhoneLive = waitForLive(phone);
  await phone.open('/connections');
  const ways = [
    [phone, other, isPhoneLive],
    [desktop, one, isDesktopLive],
  ] as const;
  for (const [device, receiver, isLive] of ways) {
    const way = device.page.getByRole('link', { name: `Message ${receiver.name}` });
    await expect(way).toBeVisible({ timeout: 20_000 });
    await way.click();
    await expect(box(device)).toBeVisible();
    await isLive;
  }
  const latenciesMs = [
    await measureLatency(phone, desktop, 'Are you on set already?'),
    await measureLatency(desktop, phone, 'Gate 3, look at https://example.org/call.'),
    await measureLatency(phone, desktop, 'Two minutes'),
  ];
  // The median, since a busy machine delays single messages.
  expect(latenciesMs.sort((a, b) => a - b)[1]).toBeLessThan(1000);
  await expect(log(desktop).getByRole('link')).toHaveAttribute('href', 'https://example.org/call');
  await expect(log(phone).getByText('Read', { exact: true })).toHaveCount(2);

  await server.stop();
  await send(phone, 'No signal here');
  await send(phone, 'Walking to Gate 3');
  await send(desktop, 'Where are you?');
  // The offline notice takes its space from the messages, not from the composer.
  await expect(desktop.page.getByRole('complementary', { name: 'Notices' })).toContainText('No signal');
  const hidden = () => document.documentElement.scrollHeight - innerHeight;
  expect(await desktop.page.evaluate(hidden)).toBe(0);
  await expect(log(phone).getByText('Waiting for signal, kept in this order')).toBeVisible();
  await expectAccessible(phone.page);
  await server.start();
  // The longest that a device without a socket waits before it tries to reconnect.
  const backSoon = { timeout: 45_000 };
  await expect(log(phone)).toContainText('Where are you?', backSoon);
  await expect(log(desktop)).toContainText('Walking to Gate 3', backSoon);
  await expect.poll(() => getShownMessages(desktop)).toHaveLength(6);
  expect(withoutSender(await getShownMessages(phone))).toEqual(withoutSender(await getShownMessages(desktop)));
});

test('writes, searches, stars and reads a conversation offline', async ({ server, newDevice }) => {
  const [one, other, stranger] = [
    await makePerson(server.url),
    await makePerson(server.url),
    await makePerson(server.url),
  ];
  for (const person of [one, other, stranger]) await makeProfile(person);
  const { conversation: id } = await connect(one, other);
  const send = (text: string) =>
    other.call('POST', '/chat/send', { conversation_id: id, receiver_id: String(one.id), message: text });
  await send('Pay the registration fee of ₹2,500 on Google Pay to confirm your role');
  for (let n = 2; n <= 30; n += 1) await send(`Line ${n} of the day`);
  const note = 'Write to me on WhatsApp 98765 43210';
  await stranger.call('POST', `/connections/request/${one.id}`, { message: note });

  const phone = await newDevice();
  const { page } = phone;
  await phone.signInForOffline(one);
  await phone.open('/messages');
  const row = page.getByRole('link', { name: new RegExp(other.name) });
  await expect(row).toContainText('30 unread');
  await expect(page.getByRole('button', { name: 'Unread 1' })).toBeVisible();
  await page.getByRole('button', { name: 'Message Requests 1' }).click();
  await expect(page.getByText(note)).toBeVisible();
  await expect(page.getByRole('note')).toContainText('asks you to move to another app');
  await page.getByRole('button', { name: 'All' }).click();

  await server.stop();
  await row.click();
  await expect(log(phone)).toContainText('Line 30 of the day');
  await page.getByRole('button', { name: `Star ${other.name}` }).click();
  await page.getByRole('button', { name: `More for ${other.name}` }).click();
  await page.getByRole('menuitem', { name: 'Pin to top' }).click();
  await box(phone).fill('Half a thought');
  await page.getByRole('button', { name: `More for ${other.name}` }).click();
  await page.getByRole('menuitem', { name: 'Go to the first message' }).click();
  await expect(page.getByRole('note')).toContainText('asks for money');
  await page.getByRole('button', { name: `More for ${other.name}` }).click();
  await page.getByRole('menuitem', { name: 'Search in conversation' }).click();
  await page.getByRole('searchbox').fill('line 9 OF');
  await expect(page.getByText('1 of 1')).toBeVisible();
  await expect(log(phone).getByText('Line 9 of the day')).toBeInViewport();
  await expectAccessible(page);
  await page.getByRole('button', { name: 'Close the search' }).click();
  await page.getByRole('button', { name: 'Newest' }).click();
  await expect(log(phone).getByText('Line 30 of the day')).toBeInViewport();

  await page.reload();
  await expect(box(phone)).toHaveValue('Half a thought');
  await page.getByRole('button', { name: 'Back to messages' }).click();
  await expect(row).toContainText('Half a thought');
  await expect(row).not.toContainText('unread');
  await page.getByRole('button', { name: 'Starred 1' }).click();
  await expect(row).toBeVisible();
  await expectAccessible(page);

  await server.start();
  const getConversation = async () =>
    (await one.call<{ unread_count: number; starred: boolean; pinned: boolean }[]>('GET', '/conversations')).body[0];
  await expect
    .poll(getConversation, { timeout: 45_000 })
    .toMatchObject({ unread_count: 0, starred: true, pinned: true });
});

test(
  'says at which end of a long conversation messages are missing, and loads them when back online',
  { tag: '@full' },
  async ({ server, newDevice }) => {
    const [one, other] = [await makePerson(server.url), await makePerson(server.url)];
    for (const person of [one, other]) await makeProfile(person);
    const { conversation: id } = await connect(one, other);
    for (let n = 1; n <= 160; n += 1) {
      const message = n === 1 ? 'The beginning' : n === 80 ? 'The middle' : `Line ${n}`;
      await other.call('POST', '/chat/send', { conversation_id: id, receiver_id: String(one.id), message });
    }
    const phone = await newDevice();
    const { page } = phone;
    await phone.signInForOffline(one);
    await phone.open(`/messages/${id}`);
    await expect(log(phone)).toContainText('Line 160');
    await page.getByRole('button', { name: `More for ${other.name}` }).click();
    await page.getByRole('menuitem', { name: 'Go to the first message' }).click();
    await expect(log(phone).getByText('The beginning')).toBeInViewport();
    await server.stop();
    const later = log(phone).getByText('Later messages are not on this device yet.');
    await expect(async () => {
      await log(phone).evaluate((element) => (element.scrollTop = element.scrollHeight));
      await expect(later).toBeInViewport({ timeout: 200 });
    }).toPass();
    await expect(log(phone).getByText('Earlier messages')).toHaveCount(0);
    await log(phone).getByRole('button', { name: 'Try again' }).click();
    await expect(later).toBeVisible();
    await expect(page.getByRole('complementary', { name: 'Notices' })).toContainText('No signal');
    await server.start();
    await expect(later).toHaveCount(0, { timeout: 30_000 });
    await expect(async () => {
      await log(phone).evaluate((element) => (element.scrollTop = element.scrollHeight));
      await expect(log(phone)).toContainText('The middle', { timeout: 200 });
    }).toPass();
  },
);

test('answers a message offline and shows the quote to both', { tag: '@full' }, async ({ server, newDevice }) => {
  const { one, other, id, phone, page } = await openConversation(server.url, newDevice);
  const call = { conversation_id: id, receiver_id: String(one.id), message: 'Can you do Thursday?' };
  await other.call('POST', '/chat/send', call);
  await expect(log(phone)).toContainText(call.message);
  await server.stop();
  await log(phone).getByText(call.message).click();
  await page.getByRole('button', { name: 'Reply', exact: true }).click();
  await expect(page.getByRole('button', { name: 'Cancel reply' })).toBeVisible();
  // The draft keeps what it answers, also across a reload.
  await page.reload();
  await expect(page.getByRole('button', { name: 'Cancel reply' })).toBeVisible();
  await send(phone, 'Thursday is fine');
  await expect(page.getByRole('button', { name: 'Cancel reply' })).toBeHidden();
  const quote = (device: Device) => log(device).getByRole('button', { name: new RegExp(call.message.slice(0, -1)) });
  await expect(quote(phone)).toBeVisible();
  await expectAccessible(page);
  await server.start();
  const desktop = await newDevice({ shape: 'desktop' });
  await desktop.signInAs(other);
  await desktop.open(`/messages/${id}`);
  await expect(log(desktop)).toContainText('Thursday is fine', { timeout: 45_000 });
  await expect(quote(desktop)).toContainText('You');
});

test(
  'keeps text typed while a photo is prepared, even after leaving the conversation',
  { tag: '@full' },
  async ({ server, newDevice }) => {
    const { other, phone, page } = await openConversation(server.url, newDevice);
    await box(phone).fill('Here');
    await page.evaluate(() => {
      const real = createImageBitmap;
      const until = new Promise<void>((resolve) => addEventListener('ready-now', () => resolve()));
      window.createImageBitmap = async (source: ImageBitmapSource) => until.then(() => real(source));
    });
    await page.getByTestId('photo-picker').setInputFiles(await picture('set.jpg', 900, 600));
    await box(phone).fill('Here it is');
    await page.getByRole('button', { name: 'Back to messages' }).click();
    await page.getByRole('link', { name: new RegExp(other.name) }).click();
    await box(phone).fill('Here it is, from this morning');
    await page.evaluate(() => dispatchEvent(new Event('ready-now')));
    await expect(page.getByText('Photo, safe on this phone')).toBeVisible();
    await page.reload();
    await expect(page.getByText('Photo, safe on this phone')).toBeVisible();
    await expect(box(phone)).toHaveValue('Here it is, from this morning');
  },
);

test('keeps a photo picked offline, sends it in order, and opens it in the lightbox for both', async ({
  server,
  newDevice,
}) => {
  const { one, other, id, phone, page } = await openConversation(server.url, newDevice);
  await expect(box(phone)).toBeVisible();
  await server.stop();
  const tray = page.getByText('Photo, safe on this phone');
  const pick = async (name: string, width: number) => {
    await page.getByTestId('photo-picker').setInputFiles(await picture(name, width, 600));
    await expect(tray).toBeVisible();
  };
  await pick('wrong.jpg', 300);
  await page.getByRole('button', { name: 'Remove photo' }).click();
  await expect(tray).toBeHidden();
  await pick('set.jpg', 900);
  // Not sent yet: the draft keeps it, also across a reload.
  await page.reload();
  await expect(tray).toBeVisible();
  await expectAccessible(page);
  await page.getByRole('button', { name: /^Send to / }).click();
  await expect(tray).toBeHidden();
  await send(phone, 'The set this morning');
  const photo = log(phone).getByRole('button', { name: 'Photo from you' });
  await expect(photo.locator('img')).not.toHaveJSProperty('naturalWidth', 0);
  await page.reload();
  await photo.click();
  const large = page.getByRole('dialog', { name: 'Photo from you' });
  await expect(large.getByRole('img')).toHaveJSProperty('naturalWidth', 900);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(large).toBeHidden();

  await server.start();
  const desktop = await newDevice({ shape: 'desktop' });
  await desktop.signInAs(other);
  await desktop.open(`/messages/${id}`);
  const theirs = log(desktop).getByRole('button', { name: `Photo from ${one.name}` });
  await expect(theirs).toBeVisible({ timeout: 45_000 });
  await expect(log(desktop).locator('[data-key]').last()).toContainText('The set this morning');
  await theirs.click();
  const opened = desktop.page.getByRole('dialog', { name: `Photo from ${one.name}` });
  await expect(opened.getByRole('img')).toHaveJSProperty('naturalWidth', 900);
  // Back closes the lightbox.
  await desktop.page.goBack();
  await expect(opened).toBeHidden();
  await expect(theirs).toBeVisible();
  await expect(log(phone).getByText(/Sent|Delivered|Read/)).toBeVisible();
  await expect(log(phone).locator('[data-key]')).toHaveCount(2);
  // A photo that was shown is available offline once the worker has cached it.
  const shown = photo.locator('img[src*="/storage/"]');
  await expect(shown).not.toHaveJSProperty('naturalWidth', 0);
  const isCached = (image: HTMLImageElement) => caches.match(image.src, { ignoreSearch: true }).then(Boolean);
  await expect.poll(() => shown.evaluate(isCached)).toBe(true);
  await server.stop();
  await page.reload();
  await expect(photo.locator('img').last()).not.toHaveJSProperty('naturalWidth', 0);
});

test(
  'neither shows nor sees read receipts when they are turned off',
  { tag: '@full' },
  async ({ server, newDevice }) => {
    const [one, other] = [await makePerson(server.url), await makePerson(server.url)];
    for (const person of [one, other]) await makeProfile(person);
    const { conversation: id } = await connect(one, other);
    const phone = await newDevice();
    await phone.signInAs(one);
    await phone.open(`/messages/${id}`);
    await send(phone, 'Have you seen the new pages?');
    await expect(log(phone).getByText('Sent', { exact: true })).toBeVisible();
    await other.call('POST', `/conversations/${id}/read`, { seq: 1 });
    await expect(log(phone).getByText('Read', { exact: true })).toBeVisible({ timeout: 20_000 });

    const desktop = await newDevice({ shape: 'desktop' });
    await desktop.signInAs(other);
    await desktop.open('/settings');
    const receipts = desktop.page.getByRole('switch', { name: 'Read receipts' });
    await expect(receipts).toBeChecked();
    await receipts.click();
    await expect(log(phone).getByText('Sent', { exact: true })).toBeVisible({ timeout: 20_000 });
    await desktop.page.reload();
    await expect(receipts).not.toBeChecked();
    await expectAccessible(desktop.page);
  },
);
