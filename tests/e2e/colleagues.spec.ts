import { randomUUID } from 'node:crypto';
import { PROJECT_FORM } from '#contract/casting/project.ts';
import { ROLE_FORM } from '#contract/casting/role.ts';
import { card, expectAllSaved, ON_THIS_DEVICE, openWaiting, row } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import { connect, makePerson, makeProfile, type Person } from './support/people.ts';
import { expect, test } from './support/test.ts';

const DAY_MS = 86_400_000;

async function make(person: Person, path: string, fields: object): Promise<string> {
  const { status, body } = await person.call<{ data: { id: string } }>('POST', path, fields);
  if (status !== 201) throw new Error(`POST ${path} answered ${status}: ${JSON.stringify(body)}`);
  return body.data.id;
}

/** A role of the owner's project for which a performer has announced a tape. */
async function makeTaped(owner: Person, performer: Person): Promise<{ projectId: string; roleId: string }> {
  const profile = await makeProfile(performer, { title: 'Actor' });
  const projectId = await make(owner, '/casting/projects', PROJECT_FORM.example);
  const roleId = await make(owner, '/casting/roles', { ...ROLE_FORM.example, project_id: projectId });
  const requestId = await make(owner, '/casting/requests', {
    role_id: roleId,
    profile_id: profile.id,
    deadline_at: new Date(Date.now() + 14 * DAY_MS).toISOString(),
  });
  await make(performer, '/auditions/tapes', {
    request_id: requestId,
    takes: [{ upload_id: randomUUID(), name: 'Take 1.mp4', size: 2500 }],
    finished_device: new Date().toISOString(),
  });
  return { projectId, roleId };
}

test(
  'a colleague is invited, rates without signal, and keeps what they wrote when they are removed meanwhile',
  { tag: '@full' },
  async ({ server, person: owner, newDevice }) => {
    const [colleague, performer] = [await makePerson(server.url), await makePerson(server.url)];
    await makeProfile(owner, { title: 'Casting director' });
    await makeProfile(colleague, { title: 'Director' });
    await connect(colleague, owner);
    const { projectId, roleId } = await makeTaped(owner, performer);
    const [desk, phone] = [await newDevice({ shape: 'desktop' }), await newDevice()];
    await desk.signInForOffline(owner);
    await desk.open(`/casting/projects/${projectId}`);
    await expect(card(desk.page, 'Colleagues')).toBeVisible();

    await server.stop();
    await desk.page.getByRole('button', { name: 'Invite colleagues' }).click();
    await desk.page.getByLabel(colleague.name).check();
    await expectAccessible(desk.page);
    await desk.page.getByRole('button', { name: 'Invite', exact: true }).click();
    const invited = row(card(desk.page, 'Colleagues'), colleague.name);
    await expect(invited.getByText('Can rate, once they accept')).toBeVisible();
    await expect(invited.getByText(ON_THIS_DEVICE)).toBeVisible();
    await server.start();
    await expectAllSaved(desk.page);

    await phone.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await phone.signInForOffline(colleague);
    await phone.open('/casting');
    const { page } = phone;
    await expect(row(page, `${owner.name} invites you to watch and rate tapes`)).toBeVisible({ timeout: 40_000 });
    await expectAccessible(page);
    await page.getByRole('button', { name: `Accept the invitation to ${PROJECT_FORM.example.title}` }).click();
    await page.getByRole('link', { name: new RegExp(`of ${owner.name}`) }).click({ timeout: 40_000 });
    await expect(card(page, 'Colleagues').getByText('You · Can rate')).toBeVisible();
    await expect(page.getByRole('button', { name: 'Add a role' })).toHaveCount(0);
    await expectAccessible(page);
    await page.getByRole('link', { name: /Naseem/ }).click();
    await expect(page.getByRole('link', { name: 'Ask performers to tape' })).toHaveCount(0);

    await server.stop();
    await page.getByRole('button', { name: `Open the tape by ${performer.name}` }).click();
    const player = page.getByRole('dialog');
    await player.getByRole('button', { name: 'A Callback' }).click();
    await player.getByLabel('Note').fill('The silence before the last line.');
    await expect(player.getByRole('button', { name: 'A Callback' })).toHaveAttribute('aria-pressed', 'true');
    await player.getByRole('button', { name: /^Close/ }).click();
    await server.start();
    await expectAllSaved(page);

    await desk.open(`/casting/roles/${roleId}`);
    const tile = desk.page.getByRole('button', { name: `Open the tape by ${performer.name}, marked A by others` });
    await tile.click({ timeout: 40_000 });
    const others = desk.page.getByRole('region', { name: 'What others think' });
    await expect(others.getByText(colleague.name)).toBeVisible();
    await expect(others.getByText('The silence before the last line.')).toBeVisible();
    await expectAccessible(desk.page);
    await desk.page
      .getByRole('dialog')
      .getByRole('button', { name: /^Close/ })
      .click();

    await phone.context.setOffline(true);
    await page.getByRole('button', { name: `Open the tape by ${performer.name}, marked A` }).click();
    await page.getByRole('dialog').getByLabel('Note').fill('Ask her for the second scene.');
    await page
      .getByRole('dialog')
      .getByRole('button', { name: /^Close/ })
      .click();
    await desk.open(`/casting/projects/${projectId}`);
    await desk.page.getByRole('button', { name: `More for ${colleague.name}` }).click();
    await desk.page.getByRole('menuitem', { name: 'Remove' }).click();
    await desk.page.getByRole('button', { name: 'Remove', exact: true }).click();
    await expect(desk.page.getByRole('button', { name: `More for ${colleague.name}` })).toHaveCount(0);
    await expectAllSaved(desk.page);
    // The note is refused.
    phone.allowBrowserError(/status of 404/);
    await phone.context.setOffline(false);
    await expect(page.getByText('This role is not here')).toBeVisible({ timeout: 40_000 });
    await openWaiting(page);
    await expect(page.getByText('It is no longer there, or no longer yours to see.')).toBeVisible({ timeout: 40_000 });
    await page.getByRole('button', { name: /^Copy text/ }).click();
    await expect.poll(() => page.evaluate(() => navigator.clipboard.readText())).toBe('Ask her for the second scene.');
    await desk.open(`/casting/roles/${roleId}`);
    await tile.click();
    await expect(others.getByText('Former colleague')).toBeVisible();
  },
);
