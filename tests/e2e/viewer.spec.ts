import { expectAllSaved, card, pill, sheet } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import { makePerson, makeProfile, type Person } from './support/people.ts';
import { expect, test } from './support/test.ts';

interface Owner extends Person {
  profileId: string;
  slug: string;
  /** Path of their page. */
  address: string;
}

const PHONE_NUMBER = '+91 20 5555 0142';

/** Creates a person with two profiles, a credit, a skill, a highlight and both kinds of contact. */
async function makeOwner(url: string): Promise<Owner> {
  const person = await makePerson(url);
  const types = await person.call<{ id: string; slug: string }[]>('GET', '/profile_types');
  const voice = types.body.find((type) => type.slug === 'voice-artist');
  await makeProfile(person, { profile_type_id: voice?.id, title: 'Voice of many' });
  const { id } = await makeProfile(person, { title: 'Stage and screen actor', location: 'Pune' });
  const profileId = String(id);
  const add = async (path: string, body: object) => {
    const { status } = await person.call('POST', path, { profile_id: profileId, ...body });
    expect([path, status]).toEqual([path, 201]);
  };
  await person.call('PUT', '/profile/update', {
    profile_id: profileId,
    per_day: 18_000,
    min_age_range: 24,
    max_age_range: 36,
    description: 'I like parts that change their mind halfway.',
  });
  const months = { start_month: 3, start_year: 2024, end_month: 3, end_year: 2024 };
  await add('/profile/experience', {
    experience_type: 'Theatre',
    experience_title: 'Paper Boats',
    details: 'The Mother',
    ...months,
  });
  await add('/skills', { name: 'Kathak', level: 3 });
  const languages = await person.call<{ id: string }[]>('GET', '/languages');
  await person.call('POST', '/languages', {
    profile_id: profileId,
    languages: languages.body.slice(0, 2).map((language) => language.id),
  });
  await add('/highlight', { title: 'First lead on television', description: 'Twelve episodes', year: 2024 });
  const reach = { email: 'desk@example.org', address: '12 Karve Road, Pune' };
  await add('/contact', {
    contact_type: 'representative',
    name: 'Nandi Artists',
    ...reach,
    mobile: '+91 22 5555 0117',
  });
  await add('/contact', { contact_type: 'basic', name: 'At home', ...reach, mobile: PHONE_NUMBER });
  await person.call('PUT', '/settings', { privacy: { phone: true, email: true, day_rate: true } });
  const profile = await person.call<{ slug: string }>('GET', `/profile/details/${profileId}`);
  const { slug } = profile.body;
  return { ...person, profileId, slug, address: `/profile/${slug}/actor-performer` };
}

/** The fields of a profile that describe the viewer. */
interface ViewerFields {
  is_saved: number;
  connection: { id: string; status: string; direction: string } | null;
}

const connect = { name: 'Connect', exact: true };

for (const shape of ['phone', 'desktop'] as const) {
  test(
    `shows a page to a visitor without an account: ${shape}`,
    { tag: shape === 'desktop' ? ['@full'] : [] },
    async ({ server, newDevice }) => {
      const owner = await makeOwner(server.url);
      const device = await newDevice({ shape });
      const { page } = device;
      await device.open(owner.address);
      await expect(page.getByRole('heading', { level: 1, name: owner.name })).toBeVisible();
      await expect(card(page, 'Credits')).toContainText('Paper Boats');
      const journey = card(page, 'Journey Continues...').getByRole('listitem');
      await expect(journey.first()).toContainText(String(new Date().getFullYear()));
      await expect(journey.last()).toContainText('First lead on television');
      await expect(card(page, 'Industry Focus').getByRole('listitem')).toHaveCount(2);
      await expect(page.getByText('24 to 36')).toBeVisible();
      await expect(page.getByText('Nandi Artists')).toBeVisible();
      await expect(page.getByText(PHONE_NUMBER)).toHaveCount(0);
      await expect(page.getByText('18,000')).toHaveCount(0);
      await expect(card(page, 'Education & Training')).toHaveCount(0);
      await expectAccessible(page);
      const overflow = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
      expect(overflow).toBe(0);

      const others = page.getByRole('combobox', { name: /^View Other Profiles/ });
      await expect(others).toHaveAccessibleName(/of 2 profiles$/);
      await others.selectOption('voice-artist');
      await expect(page).toHaveURL(new RegExp(`/profile/${owner.slug}/voice-artist$`));
      await expect(page.getByText('Voice of many', { exact: true })).toBeVisible();

      await page.getByRole('link', connect).click();
      await expect(page).toHaveURL(/\/login$/);
    },
  );
}

test('shares a page by its URL', async ({ server, newDevice }) => {
  const owner = await makeOwner(server.url);
  const device = await newDevice({ shape: 'desktop' });
  const { page } = device;
  await device.context.grantPermissions(['clipboard-read', 'clipboard-write']);
  await device.open(owner.address);
  const share = page.getByRole('button', { name: `Share ${owner.name}` });
  await share.focus();
  await page.keyboard.press('Enter');
  const open = sheet(page, 'Casting card');
  await expect(open.getByRole('img', { name: /^QR code/ })).toBeVisible();
  await expectAccessible(page);
  await open.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Link Copied To Clipboard!').first()).toBeVisible();
  expect(await page.evaluate(() => navigator.clipboard.readText())).toBe(`${server.url}${owner.address}`);
  await page.evaluate(() => {
    navigator.clipboard.writeText = () => Promise.reject(new DOMException('No', 'NotAllowedError'));
  });
  await open.getByRole('button', { name: 'Copy link' }).click();
  await expect(page.getByText('Failed to copy!').first()).toBeVisible();
  await page.keyboard.press('Escape');
  await expect(open).toHaveCount(0);
  await expect(share).toBeFocused();
});

test('opens a visited page offline, without its private parts', async ({ server, person, newDevice }) => {
  const owner = await makeOwner(server.url);
  await makeProfile(person);
  const device = await newDevice({ ownBrowser: true });
  const { page } = device;
  await device.signInForOffline(person);
  await device.open(owner.address);
  await expect(page.getByText('₹18,000 per day')).toBeVisible();
  await expect(card(page, 'Credits')).toContainText('Paper Boats');
  await page.getByRole('button', { name: `Share ${owner.name}` }).click();
  await page.getByRole('switch', { name: 'Keep offline' }).click();
  await expect(page.getByText(/until you switch this off/)).toBeVisible();
  await page.keyboard.press('Escape');

  await server.stop();
  await device.close();
  await device.relaunch();
  await device.open(owner.address);
  const again = device.page;
  await expect(again.getByRole('heading', { level: 1, name: owner.name })).toBeVisible();
  await expect(card(again, 'Credits')).toContainText('Paper Boats');
  await expect(again.getByText('18,000')).toHaveCount(0);
  await expectAccessible(again);
  await device.open(`/profile/${owner.slug}/voice-artist`);
  await expect(again.getByRole('heading', { name: 'You have not opened this page before' })).toBeVisible();

  await server.start();
  await owner.call('PUT', '/profile/update', { profile_id: owner.profileId, status: 'inactive' });
  await device.open(owner.address);
  device.allowBrowserError(/status of 404/);
  await expect(again.getByRole('heading', { name: 'Nobody on the board by that name.' })).toBeVisible();
  await server.stop();
  await device.open(owner.address);
  await expect(again.getByRole('heading', { name: 'You have not opened this page before' })).toBeVisible();
});

test(
  'opens a page offline that was left before it had loaded',
  { tag: '@full' },
  async ({ server, tcpProxy, person, newDevice }) => {
    const owner = await makeOwner(server.url);
    await makeProfile(person);
    const device = await newDevice({ url: tcpProxy.url });
    const { page } = device;
    await device.signInForOffline(person);
    const late = tcpProxy.holdResponseTo(`GET /profiles/page${owner.address.replace('/profile', '')}`);
    await page.evaluate((address) => {
      history.pushState(null, '', address);
      dispatchEvent(new PopStateEvent('popstate'));
    }, owner.address);
    await expect.poll(() => late.isHeld()).toBe(true);
    await page.goBack();
    await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeVisible();
    const isRead = page.waitForResponse((answer) => answer.url().includes('/profiles/page/'));
    late.release();
    await (await isRead).finished();

    await server.stop();
    await page.evaluate((address) => {
      history.pushState(null, '', address);
      dispatchEvent(new PopStateEvent('popstate'));
    }, owner.address);
    await expect(card(page, 'Credits')).toContainText('Paper Boats');
  },
);

test(
  'sends a save and a connection request made offline once',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    const owner = await makeOwner(server.url);
    await makeProfile(person);
    const device = await newDevice();
    const { page } = device;
    await device.signInForOffline(person);
    await device.open(owner.address);
    const save = page.getByRole('button', { name: `Save ${owner.name}` });
    await expect(save).toHaveAttribute('aria-pressed', 'false');
    // The page has loaded fully: no request of it is cut off by stopping the server.
    await expect(card(page, 'Credits')).toContainText('Paper Boats');
    await server.stop();

    await page.getByRole('button', connect).click();
    await expect(page.getByRole('button', { name: 'Pending' })).toHaveAttribute('aria-disabled', 'true');
    await save.click();
    await expect(save).toHaveAttribute('aria-pressed', 'true');
    // Undone and saved again: an intent whose sending has begun stays, since it may have arrived, and another one follows.
    await save.click();
    await expect(save).toHaveAttribute('aria-pressed', 'false');
    await expect(pill(page)).toHaveText(/^[13] waiting$/);
    await save.click();
    await expect(pill(page)).toHaveText(/^[23] waiting$/);
    await pill(page).click();
    await expect(page.getByText(`Save ${owner.name}`).first()).toBeVisible();
    await expect(page.getByText(`Connect with ${owner.name}`)).toBeVisible();
    await device.open('/saved');
    await expect(page.getByRole('link', { name: new RegExp(owner.name) })).toContainText('On this phone');
    await expectAccessible(page);

    await server.start();
    await page.evaluate(() => dispatchEvent(new Event('online')));
    await expectAllSaved(page);
    const { body } = await person.call<ViewerFields>('GET', `/profile/details/${owner.profileId}`);
    expect(body).toMatchObject({ is_saved: 1, connection: { status: 'pending', direction: 'sent' } });

    await page.getByRole('button', { name: `Remove ${owner.name} from Saved` }).click();
    await expect(page.getByRole('heading', { name: 'Nothing saved yet' })).toBeVisible();
    await page.getByRole('button', { name: 'Undo' }).click();
    await expect(page.getByRole('link', { name: new RegExp(owner.name) })).toBeVisible();

    await owner.call('POST', `/connections/accept/${body.connection?.id}`);
    await device.open(owner.address);
    await expect(page.getByRole('button', { name: 'Connected' })).toHaveAttribute('aria-disabled', 'true');
    await expect(page.getByText(PHONE_NUMBER)).toBeVisible();
  },
);

test('accepts a request on the requester’s page', { tag: '@full' }, async ({ server, person, newDevice }) => {
  const owner = await makeOwner(server.url);
  await makeProfile(person);
  await owner.call('POST', `/connections/request/${person.id}`, { message: 'We met at the Rangvedh audition.' });
  const device = await newDevice({ shape: 'desktop' });
  await device.signInAs(person);
  await device.open(owner.address);
  const { page } = device;
  const accept = page.getByRole('button', { name: 'Accept' });
  await expect(accept).toBeVisible();
  // The code that shows toasts loads after the page: it is ready once the network is idle.
  await page.waitForLoadState('networkidle');
  await accept.focus();
  await page.keyboard.press('Enter');
  const connected = page.getByRole('button', { name: 'Connected' });
  await expect(connected).toBeFocused();
  await expect(page.getByText('You’re connected').first()).toBeVisible();
  const { body } = await person.call<ViewerFields>('GET', `/profile/details/${owner.profileId}`);
  expect(body.connection).toMatchObject({ status: 'accepted', direction: 'received' });
  await expectAccessible(page);
});

test('previews the page as a stranger, a member and a connection', { tag: '@full' }, async ({ server, newDevice }) => {
  const owner = await makeOwner(server.url);
  const device = await newDevice();
  const { page } = device;
  await device.signInAs(owner);
  await device.open(owner.address);
  const lookAs = async (viewer: string) => {
    await page.getByRole('button', { name: 'Share your profile' }).click();
    await sheet(page, 'Your casting card').getByRole('link', { name: viewer }).click();
    await expect(card(page, 'Credits')).toContainText('Paper Boats');
    await expect(page.getByRole('button', connect)).toHaveCount(0);
  };
  await lookAs('Stranger');
  await expect(page.getByText('18,000')).toHaveCount(0);
  await expect(page.getByText(PHONE_NUMBER)).toHaveCount(0);
  await expectAccessible(page);
  await page.getByRole('link', { name: 'Back to mine' }).click();
  await lookAs('Member');
  await expect(page.getByText('₹18,000 per day')).toBeVisible();
  await expect(page.getByText(PHONE_NUMBER)).toHaveCount(0);
  await page.getByRole('link', { name: 'Back to mine' }).click();
  await lookAs('Connection');
  await expect(page.getByText(PHONE_NUMBER)).toBeVisible();
});
