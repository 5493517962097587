import { expectAllSaved, openSignedIn } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import { startTcpProxy } from './support/tcp-proxy.ts';
import type { Device } from './support/device.ts';
import { connect, makePerson, makeProfile, type Person } from './support/people.ts';
import type { BasicApiProxy } from './support/basic-api.ts';
import { getOutbox } from './support/client-store.ts';
import { expect, test } from './support/test.ts';

/** Two connected people on the server itself, and a function by which the second sends messages there. */
async function setUp(url: string) {
  const [one, other] = [await makePerson(url), await makePerson(url)];
  for (const person of [one, other]) await makeProfile(person);
  const { connection, conversation: id } = await connect(one, other);
  const sendFromOther = (text: string) =>
    other.call('POST', '/chat/send', { conversation_id: id, receiver_id: String(one.id), message: text });
  return { one, other, id, sendFromOther, connection };
}

/** All messages, as the server has them. */
async function getServerMessages(person: Person, connection: string): Promise<string[]> {
  type Page = { messages: { message: string }[] };
  const { body } = await person.call<Page>('GET', `/chat/${connection}?after_seq=0&limit=100`);
  return body.messages.map(({ message }) => message);
}

const log = ({ page }: Device) => page.getByRole('log');
async function write({ page }: Device, text: string): Promise<void> {
  await page.getByRole('textbox', { name: /^Message / }).fill(text);
  await page.getByRole('button', { name: /^Send to / }).click();
}
const getShownMessages = async (device: Device) =>
  (await log(device).locator('[data-key] [dir]').allTextContents()).map((text) => text.replace(/^.*?: /, ''));
const getRejectedExtensions = (basicApi: BasicApiProxy) =>
  basicApi.rejectedCalls().filter((call) => call.includes('/conversations'));

test(
  'reads a whole conversation and writes to it offline, on a server that only has the list',
  { tag: '@full' },
  async ({ server, basicApi, newDevice }) => {
    const { one, other, sendFromOther, connection } = await setUp(server.url);
    for (let n = 1; n <= 60; n += 1) await sendFromOther(`Line ${n} of the day`);
    const phone = await newDevice({ url: basicApi.url });
    const { page } = phone;
    phone.allowBrowserError(/status of 404/);
    await openSignedIn(page, one);
    await phone.readyForOffline();
    await page.goto('/messages');
    const row = page.getByRole('link', { name: new RegExp(other.name) });
    await expect(row).toContainText('Line 60 of the day');
    await expect(row).not.toContainText('unread');
    await expect(page.getByRole('button', { name: /^Starred/ })).toHaveCount(0);
    await expectAccessible(page);

    await sendFromOther('Where are you?');
    await row.click();
    await expect(log(phone)).toContainText('Where are you?');
    await expect(page.getByRole('button', { name: /star /i })).toHaveCount(0);

    await server.stop();
    await page.getByRole('button', { name: `More for ${other.name}` }).click();
    await page.getByRole('menuitem', { name: 'Go to the first message' }).click();
    await expect(log(phone).getByText('Line 1 of the day')).toBeInViewport();
    await page.getByRole('button', { name: 'Newest' }).click();
    await write(phone, 'Walking to Gate 3');
    await write(phone, 'No signal here');
    await expect(log(phone).getByText('Waiting for signal, kept in this order')).toBeVisible();

    await server.start();
    await sendFromOther('Still there?');
    await expectAllSaved(page);
    const all = await getServerMessages(one, connection);
    expect(all.filter((text) => /Gate 3|signal/.test(text))).toEqual(['Walking to Gate 3', 'No signal here']);
    await page.getByRole('button', { name: 'Back to messages' }).click();
    await row.click();
    await expect(log(phone)).toContainText('Still there?');
    await expect.poll(async () => (await getShownMessages(phone)).slice(-4)).toEqual(all.slice(-4));
    await expect(log(phone).getByText('Sent', { exact: true })).toHaveCount(1);
    await expect(log(phone).getByText(/^(Delivered|Read)$/)).toHaveCount(0);
    await expectAccessible(page);
    expect(getRejectedExtensions(basicApi)).toEqual([]);
  },
);

test(
  'sends each message once after lost responses, also with equal text, and receives others without a reload',
  { tag: '@full' },
  async ({ server, basicApi, newDevice }) => {
    const { one, id, sendFromOther, connection } = await setUp(server.url);
    const tcpProxy = await startTcpProxy(Number(new URL(basicApi.url).port));
    const phone = await newDevice({ url: tcpProxy.url });
    phone.allowBrowserError(/status of 404/);
    await openSignedIn(phone.page, one);
    await phone.page.goto(`/messages/${id}`);
    await sendFromOther('Ready?');
    tcpProxy.dropResponseTo('POST /chat/send');
    tcpProxy.dropResponseTo('POST /chat/send');
    await write(phone, 'Ok');
    await write(phone, 'Ok');
    await expect.poll(() => tcpProxy.droppedCount(), { timeout: 30_000 }).toBe(2);
    await expect.poll(() => getOutbox(phone.page), { timeout: 30_000 }).toEqual([]);
    expect(await getServerMessages(one, connection)).toEqual(['Ready?', 'Ok', 'Ok']);
    await phone.page.clock.install();
    await phone.page.reload();
    await expect.poll(() => getShownMessages(phone)).toEqual(['Ready?', 'Ok', 'Ok']);

    // Without live events, an open conversation polls.
    await sendFromOther('Then go');
    await phone.page.clock.fastForward(20_000);
    await expect(log(phone)).toContainText('Then go', { timeout: 5000 });
    await tcpProxy.close();
  },
);

test(
  'opens the conversation when a request is accepted, without live events',
  { tag: '@full' },
  async ({ server, basicApi, newDevice }) => {
    const [one, other] = [await makePerson(server.url), await makePerson(server.url)];
    for (const person of [one, other]) await makeProfile(person);
    const asked = await other.call<{ data: { id: string } }>('POST', `/connections/request/${one.id}`);
    const phone = await newDevice({ url: basicApi.url });
    const { page } = phone;
    phone.allowBrowserError(/status of 404/);
    await openSignedIn(page, one);
    await page.goto('/connections');
    await page.getByRole('button', { name: `Accept ${other.name}` }).click();
    await page.getByRole('link', { name: `Message ${other.name}` }).click();
    await write(phone, 'Thank you for asking');
    await expectAllSaved(page);
    expect(await getServerMessages(one, asked.body.data.id)).toEqual(['Thank you for asking']);
  },
);
