import { expectAccessible } from './support/axe.ts';
import { makePerson, makeProfile, type Person } from './support/people.ts';
import { expect, test } from './support/test.ts';
import type { Device } from './support/device.ts';

/** Two people who have said yes to each other; the conversation's id. */
async function connected(one: Person, other: Person): Promise<string> {
  const asked = await one.call<{ data: { id: string } }>('POST', `/connections/request/${other.id}`);
  await other.call('POST', `/connections/accept/${asked.body.data.id}`);
  const { body } = await one.call<{ conversation_id: string }[]>('GET', '/conversations');
  return body[0]!.conversation_id;
}

const box = ({ page }: Device) => page.getByRole('textbox', { name: /^Message / });
const log = ({ page }: Device) => page.getByRole('log');
async function say(device: Device, text: string): Promise<void> {
  await box(device).fill(text);
  await device.page.getByRole('button', { name: /^Send to / }).click();
}
/** Everything said, as it stands on the screen. */
const said = (device: Device) => log(device).locator('[data-key] [dir]').allTextContents();
const wordsOnly = (texts: string[]) => texts.map((text) => text.replace(/^.*?: /, ''));

test('two people talk live, then both without a server, and end with one list', async ({ server, newDevice }) => {
  const [one, other] = [await makePerson(server.url), await makePerson(server.url)];
  for (const person of [one, other]) await makeProfile(person);
  const id = await connected(one, other);
  const phone = await newDevice();
  const desktop = await newDevice({ shape: 'desktop' });
  await phone.signInAs(one);
  await desktop.signInAs(other);
  for (const device of [phone, desktop]) {
    await device.open(`/messages/${id}`);
    await expect(box(device)).toBeVisible();
  }
  await say(phone, 'Are you on set already?');
  await expect(log(desktop)).toContainText('Are you on set already?', { timeout: 1000 });
  await say(desktop, 'Gate 3, look at https://example.org/call.');
  await expect(log(phone)).toContainText('Gate 3', { timeout: 1000 });
  await expect(log(desktop).getByRole('link')).toHaveAttribute('href', 'https://example.org/call');
  await expect(log(phone).getByText('Read', { exact: true })).toBeVisible();
  await phone.page.screenshot({ path: '/tmp/c1.png' });
  await desktop.page.screenshot({ path: '/tmp/c2.png' });

  await server.stop();
  await say(phone, 'No signal here');
  await say(phone, 'Walking to Gate 3');
  await say(desktop, 'Where are you?');
  await expect(log(phone).getByText('Waiting for signal, kept in this order')).toBeVisible();
  await phone.page.screenshot({ path: '/tmp/c3.png' });
  await expectAccessible(phone.page);
  await server.start();
  // The longest that a device without a socket waits until it looks for the server again.
  const backSoon = { timeout: 45_000 };
  await expect(log(phone)).toContainText('Where are you?', backSoon);
  await expect(log(desktop)).toContainText('Walking to Gate 3', backSoon);
  await expect.poll(() => said(desktop)).toHaveLength(5);
  await desktop.page.screenshot({ path: '/tmp/c4.png' });
  expect(wordsOnly(await said(phone))).toEqual(wordsOnly(await said(desktop)));
});
