import { expectAllSaved } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import { makePerson, makeProfile, type Person } from './support/people.ts';
import { expect, test } from './support/test.ts';
import { PROJECT_FORM } from '#contract/casting/project.ts';
import { ROLE_FORM } from '#contract/casting/role.ts';

const DAY_MS = 86_400_000;

interface Made {
  data: { id: string };
}

async function make(person: Person, path: string, fields: Record<string, unknown>): Promise<{ id: string }> {
  const { status, body } = await person.call<Made>('POST', path, fields);
  if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(body)}`);
  return body.data;
}

/** A role for which a performer was asked. */
async function makeAudition(owner: Person, performer: Person) {
  await makeProfile(owner, { title: 'Casting director' });
  const profile = await makeProfile(performer, { title: 'Actor' });
  const project = await make(owner, '/casting/projects', PROJECT_FORM.example);
  const role = await make(owner, '/casting/roles', { ...ROLE_FORM.example, project_id: project.id });
  const deadline_at = new Date(Date.now() + 14 * DAY_MS).toISOString();
  const request = await make(owner, '/casting/requests', { role_id: role.id, profile_id: profile.id, deadline_at });
  return { role, request };
}

test(
  'asks a question without signal, which opens a conversation and is answered',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    const performer = await makePerson(server.url);
    const { request } = await makeAudition(person, performer);
    const [phone, desk] = [await newDevice(), await newDevice({ shape: 'desktop' })];
    await phone.signInForOffline(performer);
    await phone.open(`/auditions/${request.id}`);
    await expect(phone.page.getByRole('button', { name: 'Ask a question' })).toBeVisible();

    await server.stop();
    for (const text of ['May I play it in Marathi?', 'And does the pay include travel?']) {
      await phone.page.getByRole('button', { name: 'Ask a question' }).click();
      await phone.page.getByLabel('Your question about Naseem, The Salt Road').fill(text);
      await expectAccessible(phone.page);
      await phone.page.getByRole('button', { name: 'Ask', exact: true }).click();
      await expect(phone.page.getByRole('dialog')).toHaveCount(0);
      await expect(phone.page.getByRole('listitem').filter({ hasText: text })).toContainText('On this phone');
    }
    await expectAccessible(phone.page);
    await phone.open('/messages');
    const waiting = phone.page.getByRole('list', { name: 'Questions that wait' });
    await expect(waiting.getByRole('link')).toHaveCount(2);
    await expectAccessible(phone.page);

    await server.start();
    await expect(waiting).toHaveCount(0, { timeout: 60_000 });
    await desk.signInForOffline(person);
    await desk.open('/notifications');
    await expect(desk.page.getByText('has a question: “And does the pay include travel?”')).toBeVisible();
    await desk.page.getByRole('link', { name: 'Open And does the pay include travel?' }).click();
    const log = desk.page.getByRole('log');
    await expect(log.getByText('May I play it in Marathi?')).toHaveCount(1);
    await expect(log.getByText('And does the pay include travel?')).toHaveCount(1);
    await expect(desk.page.getByRole('link', { name: 'About Naseem, The Salt Road', exact: true })).toHaveAttribute(
      'href',
      /casting/,
    );
    await expect(desk.page.getByRole('button', { name: 'Add a photo' })).toHaveCount(0);
    await desk.page.getByRole('textbox', { name: `Message ${performer.name}` }).fill('Send nude photos first.');
    await desk.page.getByRole('button', { name: `Send to ${performer.name}` }).click();
    await expectAllSaved(desk.page);
    await expectAccessible(desk.page);

    await phone.open('/notifications');
    await phone.page.getByRole('link', { name: `Open the conversation with ${person.name}` }).click();
    const answer = phone.page.getByRole('log').getByText('Send nude photos first.');
    await expect(answer).toBeVisible({ timeout: 60_000 });
    await expect(phone.page.getByRole('note')).toContainText('Nobody may ask for them in an audition');
    await expectAccessible(phone.page);
    await phone.page.getByRole('link', { name: 'About Naseem, The Salt Road', exact: true }).click();
    await expect(phone.page.getByText('May I play it in Marathi?')).toHaveCount(1);
    await phone.page.getByRole('link', { name: /^Open the conversation/ }).click();
    await phone.page.getByRole('button', { name: `More for ${person.name}` }).click();
    await phone.page.getByRole('menuitem', { name: 'Block' }).click();
    await phone.page.getByRole('button', { name: 'Block' }).click();
    await expect(phone.page.getByText('This conversation is closed')).toBeVisible();
  },
);

test(
  'says yes again to notices that changed, also without signal',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    const performer = await makePerson(server.url);
    const { role, request } = await makeAudition(person, performer);
    await performer.call('POST', `/auditions/${request.id}/confirm`, {});
    await person.call('PUT', `/casting/roles/${role.id}`, { stunts: 'A fall from a horse, with a double' });
    const [phone, desk] = [await newDevice(), await newDevice({ shape: 'desktop' })];
    await desk.signInForOffline(person);
    await desk.open(`/casting/roles/${role.id}`);
    await expect(desk.page.getByText('Has not said yes to the new notices')).toBeVisible();
    await phone.signInForOffline(performer);
    await phone.open(`/auditions/${request.id}`);
    const changed = phone.page.getByRole('region', { name: 'What you have to know has changed' });
    await expect(changed.locator('del')).toHaveText('Before: None');
    await expect(changed.locator('ins')).toHaveText('Now: A fall from a horse, with a double');
    await expectAccessible(phone.page);
    await server.stop();
    await changed.getByRole('button', { name: 'Say yes to the new words' }).click();
    await expect(changed).toHaveCount(0);
    await expect(phone.page.getByText('You said yes to the new words')).toBeVisible();
    await server.start();
    await expect(desk.page.getByText('Has not said yes to the new notices')).toHaveCount(0, { timeout: 60_000 });
  },
);
