import { PROJECT_FORM } from '#contract/casting/project.ts';
import { ROLE_FORM } from '#contract/casting/role.ts';
import { expectAllSaved, row } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import { countDrafts } from './support/client-store.ts';
import { ask, FILM, inTwoWeeks, make, makeRole } from './support/casting.ts';
import { getProfilePath, makePerson, makeProfile, type Person } from './support/people.ts';
import { expect, test } from './support/test.ts';

test(
  'asks for a tape without signal, hears a yes that was said without signal, and answers everybody',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    const performer = await makePerson(server.url);
    await makeProfile(person, { title: 'Casting director' });
    const profile = await makeProfile(performer, { title: 'Actor' });
    const [desk, phone] = [await newDevice({ shape: 'desktop' }), await newDevice()];
    const { page } = desk;
    await desk.signInForOffline(person);
    // Whoever was found or looked at before can be asked without signal.
    await desk.open('/search');
    await expect(page.getByRole('list', { name: 'People' })).toContainText(person.name);
    await desk.open(await getProfilePath(performer, profile.id));
    await expect(page.getByRole('heading', { name: performer.name })).toBeVisible();
    await desk.open('/casting');
    await server.stop();
    await page.getByRole('button', { name: 'Add a project' }).click();
    await page.getByLabel('Title').fill('The Salt Road');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('button', { name: 'Add a role' }).click();
    await page.getByLabel('Name of the role').fill('Naseem');
    for (const notice of ['Nudity', 'Intimacy', 'Stunts']) await page.getByLabel(notice).fill('None');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByRole('link', { name: 'Ask performers to tape' }).click();
    await page.getByRole('button', { name: 'Choose performers' }).click();
    await page.getByLabel(performer.name).check();
    await expect(page.getByRole('checkbox', { name: person.name })).toHaveCount(0);
    await page.getByRole('button', { name: 'Done' }).click();
    const soon = new Date(Date.now() + 20 * 3_600_000).toISOString();
    await page.getByLabel('Due').fill(soon.slice(0, 16));
    await page.getByRole('button', { name: 'Send to 1 performer' }).click();
    await expect(page.getByText('Give your reason in at least ten characters')).toBeVisible();
    await page.getByRole('textbox', { name: 'Reason' }).fill('The director flies out on Friday.');
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send to 1 performer' }).click();
    await expect(page.getByText('1 request on the way')).toBeVisible();
    // Nobody is asked twice, also while the request waits here.
    await page.getByRole('link', { name: 'Ask performers to tape' }).click();
    await page.getByRole('button', { name: 'Choose performers' }).click();
    await expect(row(page, performer.name)).toContainText('Asked already');
    await expect(page.getByLabel(performer.name)).toBeDisabled();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByRole('link', { name: /^Naseem/ }).click();

    await server.start();
    await phone.signInForOffline(performer);
    await phone.open('/notifications');
    await phone.page.getByRole('link', { name: 'Open Naseem, The Salt Road' }).click({ timeout: 40_000 });
    await expect(phone.page.getByText('wrote: “The director flies out on Friday.”')).toBeVisible();
    await expectAccessible(phone.page);
    await server.stop();
    await phone.page.getByRole('button', { name: 'Confirm' }).click();
    await expect(phone.page.getByText('On this phone').first()).toBeVisible();
    await server.start();

    await expect(page.getByText('Confirmed').first()).toBeVisible({ timeout: 40_000 });
    await page.getByRole('button', { name: 'Role is cast' }).click();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Answer 1 person' }).click();
    await expect(phone.page.getByText('The role has gone to somebody else.').first()).toBeVisible({ timeout: 40_000 });
    await expect(phone.page.getByRole('button', { name: 'Decline' })).toHaveCount(0);
  },
);

test('sends a tape that was finished without signal, which is watched, marked and answered', async ({
  server,
  person,
  newDevice,
}) => {
  const performer = await makePerson(server.url);
  await makeProfile(person, { title: 'Casting director' });
  const profile = await makeProfile(performer, { title: 'Actor' });
  const role = await makeRole(person);
  await ask(person, role.id, profile.id);
  const [phone, desk] = [await newDevice(), await newDevice({ shape: 'desktop' })];
  await phone.signInForOffline(performer);
  await phone.open('/auditions');
  await phone.page.getByRole('link', { name: /Naseem/ }).click();
  await expect(phone.page.getByRole('button', { name: 'Send a tape' })).toBeVisible();

  await server.stop();
  await phone.page.getByRole('button', { name: 'Send a tape' }).click();
  await phone.page.getByTestId('takes').setInputFiles(FILM);
  const sheet = phone.page.getByRole('dialog');
  await expect(sheet.getByRole('button', { name: /^Send \d/ })).toBeVisible();
  await expectAccessible(phone.page);
  await sheet.getByRole('button', { name: /^Send \d/ }).click();
  await expect(phone.page.getByRole('heading', { name: 'Finished in time' })).toBeVisible();
  await expect(phone.page.getByText('Not yet')).toBeVisible();
  await server.start();
  await expect(phone.page.getByText(`with ${person.name}`)).toBeVisible({ timeout: 60_000 });

  // The worker authenticates videos.
  await desk.signInForOffline(person);
  await desk.open(`/casting/roles/${role.id}`);
  const tile = desk.page.getByRole('button', { name: `Open the tape by ${performer.name}, new` });
  await expect(tile.locator('img')).toHaveJSProperty('complete', true);
  await expect(tile.locator('img')).not.toHaveJSProperty('naturalWidth', 0);
  await tile.click();
  const player = desk.page.getByRole('dialog');
  const video = player.locator('video');
  await expect(video).toHaveJSProperty('readyState', 4);
  await video.evaluate((element: HTMLVideoElement) => {
    element.muted = true;
    element.loop = true;
    return element.play();
  });
  await desk.page.keyboard.press('a');
  await expect(player.getByRole('button', { name: 'A Callback' })).toHaveAttribute('aria-pressed', 'true');
  await player.getByLabel('Note').fill('The silence before the last line.');
  await expectAccessible(desk.page);
  await expect(phone.page.getByText(/^Watched Today/)).toBeVisible({ timeout: 60_000 });
  await player.getByRole('button', { name: /^Close/ }).click();
  await expectAllSaved(desk.page);
  await desk.page.reload();
  await expect(desk.page.getByRole('button', { name: `Open the tape by ${performer.name}, marked A` })).toBeVisible();
  const { body } = await performer.call<unknown>('GET', '/sync');
  expect(JSON.stringify(body)).not.toContain('silence');
});

test(
  'a note about a tape survives a page that ends while it is written',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    const performer = await makePerson(server.url);
    await makeProfile(person, { title: 'Casting director' });
    const profile = await makeProfile(performer, { title: 'Actor' });
    const role = await makeRole(person);
    const { id } = await ask(person, role.id, profile.id);
    const phone = await newDevice();
    await phone.signInForOffline(performer);
    await phone.open(`/auditions/${id}?tape=`);
    await phone.page.getByTestId('takes').setInputFiles(FILM);
    await phone.page.getByRole('button', { name: /^Send \d/ }).click();
    await expect(phone.page.getByText(`with ${person.name}`)).toBeVisible({ timeout: 60_000 });

    const desk = await newDevice({ shape: 'desktop' });
    await desk.signInForOffline(person);
    await desk.open(`/casting/roles/${role.id}`);
    const { page } = desk;
    const open = () => page.getByRole('button', { name: `Open the tape by ${performer.name}` }).click();
    const note = page.getByRole('dialog').getByLabel('Note');
    await open();
    await note.fill('The silence');
    // At once: a note is saved when its writer pauses.
    await page.reload();
    await open();
    await expect(note).toHaveValue('The silence');
    await expectAllSaved(page);
    await expect.poll(() => countDrafts(page)).toBe(0);
    await note.fill('The silence before the last line');
    await note.fill('');
    await page.reload();
    await open();
    await expect(note).toHaveValue('');
  },
);

test('fits a narrow phone, whatever things are called', { tag: '@full' }, async ({ server, person, newDevice }) => {
  const performer = await makePerson(server.url, {
    name: 'Wolfeschlegelsteinhausenbergerdorff Venkatanarasimharajuvaripeta',
  });
  await makeProfile(person);
  const profile = await makeProfile(performer);
  const long = 'Donaudampfschifffahrtsgesellschaftskapitänswitwenrente_'.repeat(2);
  const project = await make(person, '/casting/projects', { ...PROJECT_FORM.example, title: long, company: long });
  const role = await make(person, '/casting/roles', {
    ...ROLE_FORM.example,
    project_id: project.id,
    name: long,
    pay: long,
    skills: long,
    intimacy: long,
  });
  const request = await make(person, '/casting/requests', {
    role_id: role.id,
    profile_id: profile.id,
    deadline_at: inTwoWeeks(),
    instructions: long,
    sides_text: long.repeat(20),
    naming: long,
    live_option: long,
  });
  const visits = [
    [
      person,
      ['/casting', `/casting/projects/${project.id}`, `/casting/roles/${role.id}`, `/casting/roles/${role.id}/ask`],
    ],
    [performer, ['/auditions', `/auditions/${request.id}`]],
  ] as const;
  for (const [who, addresses] of visits) {
    const { page, signInAs, open } = await newDevice();
    await signInAs(who);
    for (const address of addresses) {
      await open(address);
      await expect(page.getByText(long).first()).toBeVisible();
      for (const width of [320, 390]) {
        await page.setViewportSize({ width, height: 700 });
        const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
        expect([address, width, overflow]).toEqual([address, width, 0]);
      }
      await expectAccessible(page);
    }
  }
});

test(
  'plays a tape without a service worker, and says when it cannot be loaded',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    const performer = await makePerson(server.url);
    await makeProfile(person);
    const profile = await makeProfile(performer);
    const role = await makeRole(person);
    const request = await ask(person, role.id, profile.id);
    const withoutWorker = async (who: Person) => {
      const device = await newDevice({ isFirstVisit: true });
      await device.page.addInitScript(() => Reflect.deleteProperty(Navigator.prototype, 'serviceWorker'));
      await device.signInAs(who);
      return device;
    };
    const phone = await withoutWorker(performer);
    await phone.open(`/auditions/${request.id}`);
    await phone.page.getByRole('button', { name: 'Send a tape' }).click();
    await phone.page.getByTestId('takes').setInputFiles(FILM);
    await phone.page
      .getByRole('dialog')
      .getByRole('button', { name: /^Send \d/ })
      .click();
    await phone.page.getByRole('button', { name: 'Watch' }).click({ timeout: 60_000 });
    await expect(phone.page.locator('video')).toHaveJSProperty('readyState', 4);

    const desk = await withoutWorker(person);
    await desk.open(`/casting/roles/${role.id}`);
    const tile = desk.page.getByRole('button', { name: `Open the tape by ${performer.name}, new` });
    await expect(tile.locator('img')).not.toHaveJSProperty('naturalWidth', 0);
    await server.stop();
    await tile.click();
    const player = desk.page.getByRole('dialog');
    const retry = player.getByRole('button', { name: 'Try again' });
    await expect(retry).toBeVisible();
    await server.start();
    await retry.click();
    await expect(player.locator('video')).toHaveAttribute('src', /signature=/);
    await expect(player.locator('video')).toHaveJSProperty('readyState', 4);
  },
);
