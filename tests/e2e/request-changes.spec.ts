import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { scriptPdf } from '../support/script-pdf.ts';
import { card, expectAllSaved, sheet } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import { ask, FILM, makeAudition, makeRole, sendTape, upload } from './support/casting.ts';
import { makePerson, makeProfile } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** The value of a deadline's field so many days from now. */
const inDays = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 16);

test('shows what was asked, and changes it without signal for one performer and for everybody', async ({
  server,
  person,
  newDevice,
}) => {
  await makeProfile(person, { title: 'Casting director' });
  const [first, second] = [await makePerson(server.url), await makePerson(server.url)];
  const role = await makeRole(person);
  const sides = [{ upload_id: randomUUID(), name: 'Scene 14' }];
  await upload(server.url, person, sides[0]!.upload_id, await scriptPdf(3));
  for (const performer of [first, second]) {
    const { id } = await makeProfile(performer, { title: 'Actor' });
    await ask(person, role.id, id, { sides, instructions: 'Plain wall' });
  }
  const desk = await newDevice({ shape: 'desktop' });
  const { page } = desk;
  await desk.signInForOffline(person);
  await desk.open(`/casting/roles/${role.id}`);
  await expect(page.getByText(first.name)).toBeVisible();

  await server.stop();
  await page.getByRole('button', { name: `More for ${first.name}` }).click();
  await page.getByRole('menuitem', { name: 'What was asked' }).click();
  const asked = sheet(page, `What ${first.name} was asked`);
  await expect(asked).toContainText('Plain wall');
  await expect(asked.getByRole('list', { name: 'Sides' })).toContainText('Scene 14');
  await expectAccessible(page);
  await asked.getByRole('button', { name: 'Change' }).click();
  const form = sheet(page, `Change the request to ${first.name}`);
  await form.getByLabel('Due').fill(inDays(3));
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(form.getByText('A deadline can only move to a later time')).toBeVisible();
  await form.getByLabel('Due').fill(inDays(20));
  await form.getByLabel('What to send').fill('Plain wall, no music');
  await expectAccessible(page);
  await form.getByRole('button', { name: 'Save' }).click();
  await expect(asked).toContainText('Plain wall, no music');
  await asked.getByRole('button', { name: 'Close' }).click();

  await page.getByRole('button', { name: 'Move the deadline' }).click();
  const moving = sheet(page, 'Move the deadline');
  await expect(moving).toContainText(
    'For the 2 performers who have not sent a tape. Whoever has a later deadline keeps it.',
  );
  const day = inDays(18).slice(0, 10);
  await moving.getByLabel('Due').fill(`${day}T18:00`);
  await moving.getByRole('button', { name: 'Save' }).click();
  await expect(page.getByRole('complementary', { name: 'Message' })).toContainText('New deadline for 1 performer');
  await server.start();
  await expectAllSaved(page);

  const phone = await newDevice();
  await phone.signInForOffline(first);
  await phone.open('/auditions');
  await expect(phone.page.getByText('Moved, it was due')).toBeAttached({ timeout: 30_000 });
  await phone.page.getByRole('link', { name: new RegExp(role.name) }).click();
  await expect(phone.page.getByText('Plain wall, no music')).toBeVisible();
  const { body } = await second.call<{ records: { type: string; body: Record<string, unknown> }[] }>('GET', '/sync');
  const [other] = body.records.filter(({ type }) => type === 'audition');
  // Deadlines count in the time zone of the project, Kolkata.
  expect(other?.body).toMatchObject({ instructions: 'Plain wall', deadline_at: `${day}T12:30:00.000Z` });
});

test('answers with the whole name of the role, and after a cast with a reason for a no and no way to withdraw', async ({
  server,
  person,
  newDevice,
}) => {
  await makeProfile(person, { title: 'Casting director' });
  const [asked, cast] = [await makePerson(server.url), await makePerson(server.url)];
  const role = await makeRole(person, { name: 'Guard, older' });
  for (const performer of [asked, cast]) {
    const { id } = await ask(person, role.id, (await makeProfile(performer, { title: 'Actor' })).id);
    // A pencil after it does not take back that somebody was told that they are cast.
    for (const kind of performer === cast ? ['cast', 'pencil'] : []) {
      expect((await person.call('POST', `/casting/requests/${id}/answer`, { kind })).status).toBe(200);
    }
  }
  const desk = await newDevice({ shape: 'desktop' });
  const { page } = desk;
  await desk.signInForOffline(person);
  await desk.open(`/casting/roles/${role.id}`);

  await page.getByRole('button', { name: `More for ${asked.name}` }).click();
  await expect(page.getByRole('menuitem', { name: 'Withdraw' })).toBeVisible();
  await page.getByRole('menuitem', { name: 'Answer' }).click();
  const first = sheet(page, `Answer ${asked.name}`);
  await first.getByText('Callback').click();
  await expect(first.getByLabel('In your words')).toHaveValue(/see you again for Guard, older,/);
  await first.getByRole('button', { name: 'Send' }).click();
  await expect(first).toBeHidden();

  await page.getByRole('button', { name: `More for ${cast.name}` }).click();
  await expect(page.getByRole('menuitem', { name: 'Answer again' })).toBeVisible();
  await expect(page.getByRole('menuitem', { name: 'Withdraw' })).toBeHidden();
  await page.getByRole('menuitem', { name: 'Answer again' }).click();
  const again = sheet(page, `Answer ${cast.name}`);
  await again.getByText('No, thank you').click();
  await again.getByRole('button', { name: 'Send' }).click();
  await expect(again.getByText(`${cast.name} was told that they are cast. Say what happened`)).toBeVisible();
  await again.getByLabel('In your words').fill('The shoot was cancelled');
  await again.getByRole('button', { name: 'Send' }).click();
  await expectAllSaved(page);
});

test(
  'asks again for a callback without signal, which shows as one on both sides',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    const { performer, role, request } = await makeAudition(server.url, person);
    await sendTape(server.url, performer, request.id, { film: await readFile(FILM) });
    const { status } = await person.call('POST', `/casting/requests/${request.id}/answer`, { kind: 'callback' });
    expect(status).toBe(200);
    const desk = await newDevice();
    const { page } = desk;
    await desk.signInForOffline(person);
    await desk.open(`/casting/roles/${role.id}`);
    await expect(page.getByRole('button', { name: `More for ${performer.name}` })).toBeVisible();
    await server.stop();
    await page.getByRole('button', { name: `More for ${performer.name}` }).click();
    await page.getByRole('menuitem', { name: 'Ask for a callback' }).click();
    await expect(page.getByRole('checkbox', { name: new RegExp(performer.name) })).toBeChecked();
    await page.getByLabel('Due').fill(inDays(14));
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send to 1 performer' }).click();
    await expect(page.getByText('1 request on the way')).toBeVisible();
    await expect(card(page, 'Asked').getByText(/^Callback · /)).toBeVisible();
    await server.start();
    await expectAllSaved(page);
    // The one who is called back is one person to choose, not two.
    await page.getByRole('button', { name: 'Role is cast' }).click();
    await expect(sheet(page, /is cast$/).getByRole('checkbox')).toHaveCount(1);
    await desk.open('/');
    await expect(page.getByRole('link', { name: /^Casting .*The Salt Road\. 1 tape to watch/ })).toBeVisible();

    const phone = await newDevice();
    await phone.signInForOffline(performer);
    // Home leads to what is to be done, which is the callback alone.
    await phone.open('/');
    await expectAccessible(phone.page);
    await phone.page.getByRole('link', { name: '1 audition to do' }).click({ timeout: 30_000 });
    await expect(phone.page.getByText('Callback', { exact: true }).first()).toBeVisible();
  },
);
