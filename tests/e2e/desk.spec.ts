import { card, pill, sheet } from './support/actions.ts';
import { expectAccessibleInBothSchemes } from './support/axe.ts';
import { letWorkAtDesk, queryDatabase } from './support/desk-worker.ts';
import { addPhoto } from './support/media-factory.ts';
import { connect, getProfilePath, makePerson, makeProfile, signInByApi } from './support/people.ts';
import { expect, test } from './support/test.ts';

const WORDS = 'Callboard does not allow fees for auditions. You can read, but not write, until we have talked.';

for (const shape of ['phone', 'desktop'] as const) {
  const tag = shape === 'desktop' ? ['@full'] : [];
  test(
    `a report is decided with words to the person, and the decision is undone: ${shape}`,
    { tag },
    async ({ person, server, newDevice }) => {
      const { url } = server;
      const reported = await makePerson(url, { name: `Farah Iranii ${shape}` });
      const reporter = await makePerson(url, { name: 'Zoya Sheikh' });
      const profile = await makeProfile(reported, { title: 'Casting' });
      await reporter.call('POST', '/reports', {
        user_id: reported.id,
        reason: 'scam',
        text: 'They ask for money before the audition.',
        target_type: 'profile',
        target_id: String(profile.id),
      });
      await makeProfile(person);
      await letWorkAtDesk(server, person);
      const device = await newDevice({ shape });
      const { page } = device;
      await device.signInAs(person);
      await device.open('/');
      await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible();
      await page.getByRole('button', { name: /your menu$/ }).click();
      await page.getByRole('menuitem', { name: 'Desk' }).click();
      await expect(page).toHaveURL(/\/desk$/);
      const entry = page.getByRole('listitem').filter({ hasText: reported.name });
      await expect(entry).toContainText('Profile');
      await expectAccessibleInBothSchemes(page);
      await entry.getByRole('link').click();
      await expect(card(page, 'What was reported')).toContainText('They ask for money before the audition.');
      await expectAccessibleInBothSchemes(page);

      await page.getByRole('button', { name: 'Suspend' }).click();
      const form = sheet(page, `Suspend ${reported.name}`);
      await form.getByLabel(`What ${reported.name} reads`).fill(WORDS);
      await expectAccessibleInBothSchemes(page);
      await form.getByRole('button', { name: `Suspend ${reported.name}`, exact: true }).click();
      await expect(card(page, 'Log')).toContainText(WORDS);
      expect((await reported.call('GET', '/user')).body).toMatchObject({ is_suspended: true });
      await page.getByRole('button', { name: /^Undo: .* suspended the person/ }).click();
      await expect(card(page, 'Log')).toContainText('lifted the suspension');
      expect((await reported.call('GET', '/user')).body).toMatchObject({ is_suspended: false });
    },
  );
}

test(
  'offers what applies to the reported thing, and tells an old tab in words that it was decided',
  { tag: '@full' },
  async ({ person, server, newDevice }) => {
    const { url } = server;
    const reported = await makePerson(url, { name: 'Rohan Verma' });
    const reporter = await makePerson(url, { name: 'Zoya Sheikh' });
    const profile = await makeProfile(reported, { title: 'Casting' });
    const target = { target_type: 'profile', target_id: String(profile.id) };
    await reporter.call('POST', '/reports', { user_id: reported.id, reason: 'scam', ...target });
    await letWorkAtDesk(server, person);
    const device = await newDevice({ shape: 'phone' });
    const { page } = device;
    device.allowBrowserError(/status of 409/);
    await device.signInAs(person);
    await device.open('/desk');
    await page.getByRole('listitem').filter({ hasText: reported.name }).getByRole('link').click();
    const decide = page.getByRole('region', { name: 'Decide' });
    await expect(decide.getByRole('button')).toHaveText(['Hide the profile', 'Close', 'Suspend', 'More']);

    // Meanwhile, in another tab.
    const worker = await signInByApi(url, person);
    await queryDatabase(server, `update sessions set method = 'passkey', reauth_at = now() where user_id = $1`, [
      person.id,
    ]);
    const act = { act: 'hide', ...target, reason: 'scam', words: WORDS };
    expect((await worker.call('POST', '/desk/acts', act)).status).toBe(201);
    await decide.getByRole('button', { name: 'Hide the profile' }).click();
    await sheet(page, 'Hide the profile').getByRole('button', { name: 'Hide the profile', exact: true }).click();
    await expect(decide.getByRole('alert')).toContainText('Somebody else at the desk has just done this');
    await expect(decide.getByRole('button')).toHaveText(['Show again', 'Close', 'Suspend', 'More']);
    await expectAccessibleInBothSchemes(page);
    await decide.getByRole('button', { name: 'Show again' }).click();
    await expect(decide.getByRole('alert')).toHaveCount(0);
    await expect(decide.getByRole('button', { name: 'Hide the profile' })).toBeVisible();

    await decide.getByRole('button', { name: 'Close' }).click();
    await sheet(page, 'Close the report').getByRole('button', { name: 'Close the report', exact: true }).click();
    await expect(decide).toContainText('This report is closed.');
    await expect(decide.getByRole('button')).toHaveText(['Open again']);
    await decide.getByRole('button', { name: 'Open again' }).click();
    await expect(decide.getByRole('button', { name: 'Hide the profile' })).toBeVisible();
    await queryDatabase(server, `delete from profiles where id = $1`, [profile.id]);
    await page.reload();
    await expect(decide).toContainText('The member has deleted the profile.');
    await expect(decide.getByRole('button')).toHaveText(['Close', 'Suspend', 'More']);
  },
);

test(
  'offers no decision about oneself or against another operator',
  { tag: '@full' },
  async ({ person, server, phone }) => {
    const other = await makePerson(server.url, { name: 'Tara Bose' });
    const reporter = await makePerson(server.url, { name: 'Zoya Sheikh' });
    await reporter.call('POST', '/reports', { user_id: person.id, reason: 'scam', text: 'They ask for money.' });
    await letWorkAtDesk(server, person);
    await letWorkAtDesk(server, other);
    const { page } = phone;
    await phone.signInAs(person);
    await phone.open('/desk');
    const entry = page.getByRole('listitem').filter({ hasText: 'which is you' });
    await expect(entry).not.toContainText('Zoya Sheikh');
    await entry.getByRole('link').click();
    const decide = page.getByRole('region', { name: 'Decide' });
    await expect(decide).toContainText('This report is about you. Somebody else at the desk decides it.');
    await expect(decide.getByRole('button')).toHaveCount(0);
    await expectAccessibleInBothSchemes(page);
    await phone.open(`/desk/people/${person.id}`);
    await expect(card(page, 'Decide')).toContainText('This is you.');
    await expect(card(page, 'Decide').getByRole('button')).toHaveCount(0);
    await phone.open(`/desk/people/${other.id}`);
    await expect(card(page, 'Decide')).toContainText('This person is an operator');
    await card(page, 'Decide').getByRole('button', { name: 'More' }).click();
    await expect(page.getByRole('menuitem', { name: 'Sign out everywhere' })).toBeVisible();
    await expect(page.getByRole('menuitem', { name: 'Remove the account' })).toHaveCount(0);
  },
);

test('the desk does not exist for somebody who does not work there', async ({ person, phone }) => {
  await makeProfile(person);
  await phone.signInAs(person);
  phone.allowBrowserError(/status of 404/);
  await phone.open('/desk');
  await expect(phone.page.getByRole('heading', { level: 1 })).toHaveText('There is nothing here');
});

test('a suspended person reads why, answers, and keeps what waits until the suspension ends', async ({
  person,
  server,
  newDevice,
}) => {
  const profile = await makeProfile(person);
  const worker = await makePerson(server.url, { name: 'Ishaan Sethi' });
  await letWorkAtDesk(server, worker);
  const device = await newDevice({ shape: 'phone' });
  const { page } = device;
  await device.signInAs(person);
  await device.open('/');
  await expect(page.getByRole('heading', { level: 1, name: person.name })).toBeVisible();
  const suspended = await worker.call<{ data: { id: string } }>('POST', '/desk/acts', {
    act: 'suspend',
    target_type: 'user',
    target_id: String(person.id),
    reason: 'scam',
    words: WORDS,
  });
  expect(suspended.status).toBe(201);
  // The page says so before anything is written.
  await device.open('/');
  await expect(page.getByRole('switch', { name: /^Active/ })).toHaveAccessibleName(/only you see it$/);
  await expect(card(page, 'Your account').getByRole('link', { name: 'Read why' })).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  device.allowBrowserError(/status of 403/);
  await page.getByRole('button', { name: 'Add a skill' }).click();
  const form = page.getByRole('dialog');
  await form.getByLabel('Skill', { exact: true }).fill('Mime');
  await form.getByText('Expert', { exact: true }).click();
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('complementary', { name: 'Notices' }).getByRole('link', { name: 'Read why' }).click();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Decisions');
  await expect(page.getByRole('heading', { level: 2, name: 'You can read, but not write' })).toBeVisible();
  await expect(page.getByText(WORDS)).toBeVisible();
  await expect(page.getByText(/^1 change waits on this phone/)).toBeVisible();
  await expectAccessibleInBothSchemes(page);
  await page.getByLabel('Your side of it').fill('It was a joke between friends.');
  await page.getByRole('button', { name: 'Send', exact: true }).click();
  await expect(page.getByText('A person answers within three days.')).toBeVisible();
  await worker.call('POST', `/desk/acts/${suspended.body.data.id}/undo`);
  await page.reload();
  await expect(page.getByRole('heading', { level: 1 })).toHaveText('Everything is open');
  await expect(pill(page)).toHaveCount(0);
  await expect
    .poll(async () => (await person.call<unknown[]>('GET', `/profiles/${profile.id}/skills`)).body.length)
    .toBe(1);
});

test(
  'whose things are hidden is told so on Home and beside each of them, and can read why and answer',
  { tag: '@full' },
  async ({ person, server, newDevice }) => {
    const { url } = server;
    const profile = await makeProfile(person);
    const host = await makePerson(url, { name: 'Zoya Sheikh' });
    const hostProfile = await makeProfile(host);
    const { conversation } = await connect(person, host);
    const photo = await addPhoto(person, url, String(profile.id), 'Lantern');
    const feedback = await person.call<{ data: { id: string } }>('POST', '/feedback', {
      profile_id: String(hostProfile.id),
      feedback: 'Nobody should work here.',
    });
    const message = await person.call<{ data: { id: string } }>('POST', '/chat/send', {
      conversation_id: conversation,
      receiver_id: String(host.id),
      message: 'You will be sorry.',
    });
    const worker = await makePerson(url, { name: 'Ishaan Sethi' });
    await letWorkAtDesk(server, worker);
    const hide = async (target_type: string, id: string) => {
      const act = { act: 'hide', target_type, target_id: String(id), reason: 'scam', words: `No such ${target_type}.` };
      expect((await worker.call('POST', '/desk/acts', act)).status).toBe(201);
    };
    await hide('media', photo.id);
    const device = await newDevice({ shape: 'phone' });
    const { page } = device;
    await device.signInAs(person);
    await device.open('/');
    const card = page.getByRole('region', { name: 'Hidden from others' });
    await expect(card).toContainText('Your file is hidden from others');
    await expectAccessibleInBothSchemes(page);
    await card.getByRole('link', { name: 'Read why and answer' }).click();
    await expect(page.getByText('No such media.')).toBeVisible();
    await expect(page.getByLabel('Your side of it')).toBeVisible();

    await hide('feedback', feedback.body.data.id);
    await hide('message', message.body.data.id);
    await page.reload();
    await expect(page.getByText('No such message.')).toBeVisible();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText(['Decisions']);
    await expect(page.getByRole('heading', { level: 2 })).toHaveCount(3);
    await expectAccessibleInBothSchemes(page);
    await device.open('/media');
    await page.getByRole('button', { name: 'More for Lantern' }).click();
    await page.getByRole('menuitem', { name: 'Why is it hidden?' }).click();
    await expect(page).toHaveURL(/\/decisions$/);
    await device.open(await getProfilePath(host, hostProfile.id));
    await expect(page.getByText('The Callboard team hides this from others.')).toBeVisible();
    await expect(page.getByText('until the owner of this profile chooses')).toHaveCount(0);
    await device.open(`/messages/${conversation}`);
    await page.getByRole('log').getByRole('link', { name: 'Read why and answer' }).click();
    await expect(page.getByText('No such message.')).toBeVisible();
  },
);

test(
  'an act is done once its form is corrected, and only once when its answer was lost',
  { tag: '@full' },
  async ({ person, server, phone }) => {
    const reported = await makePerson(server.url, { name: 'Kabir Anand' });
    await letWorkAtDesk(server, person);
    const { page } = phone;
    phone.allowBrowserError(/status of 422|ERR_FAILED/);
    await phone.signInAs(person);
    await phone.open(`/desk/people/${reported.id}`);

    await page.getByRole('button', { name: 'Suspend' }).click();
    const suspension = sheet(page, 'Suspend Kabir Anand');
    const suspend = suspension.getByRole('button', { name: 'Suspend Kabir Anand', exact: true });
    await suspension.getByLabel('What Kabir Anand reads').fill(WORDS);
    // The server suspends the person, and the answer never arrives.
    await page.route('**/desk/acts', async (route) => {
      await route.fetch();
      await route.abort();
    });
    await suspend.click();
    await expect(suspension.getByRole('alert')).toContainText('No connection');
    await page.unroute('**/desk/acts');
    await suspend.click();
    await expect(suspension).toHaveCount(0);
    await expect(card(page, 'Log').getByText(WORDS)).toHaveCount(1);

    await card(page, 'Decide').getByRole('button', { name: 'More' }).click();
    await page.getByRole('menuitem', { name: 'Remove the account' }).click();
    const removal = page.getByRole('dialog');
    await removal.getByLabel('Type the name: Kabir Anand').fill('Kabir Anandd');
    await removal.locator('button[type="submit"]').click();
    await expect(removal.getByText('Type the name as it is shown').first()).toBeVisible();
    await removal.getByLabel('Type the name: Kabir Anand').fill('Kabir Anand');
    await removal.locator('button[type="submit"]').click();
    await expect(removal).toHaveCount(0);
  },
);
