import { SECTIONS } from '#contract/sections/index.ts';
import {
  ON_THIS_DEVICE,
  addCredit,
  expectAllSaved,
  addSkill,
  card,
  save,
  sheet,
  writeAboutMe,
} from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import { makeProfile } from './support/people.ts';
import { expectOnCard, getStoredRows, getCardText } from './support/section-lifecycle.ts';
import { countLookupItems } from './support/client-store.ts';
import { expect, test } from './support/test.ts';

interface Profile {
  id: string;
  user_id: string;
  status: string;
  slug: string;
  per_day: number | null;
  profile_type: { slug: string };
}

test('deactivates a profile at once when offline, and reactivates it', async ({ person, newDevice }) => {
  const { id } = await makeProfile(person);
  const device = await newDevice();
  const { page } = device;
  device.allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
  await device.signInForOffline(person);
  const own = async () => (await person.call<Profile>('GET', `/profile/details/${id}`)).body;

  await device.context.setOffline(true);
  const toggle = page.getByRole('switch', { name: /^(Active|Inactive)/ });
  await toggle.click();
  await expect(card(page, 'You')).toContainText('Inactiveonly you see it');
  await expect(card(page, 'You').getByText(ON_THIS_DEVICE)).toBeVisible();
  await expectAccessible(page);
  await page.reload();
  await expect(toggle).not.toBeChecked();
  expect((await own()).status).toBe('active');

  await device.context.setOffline(false);
  await expectAllSaved(page);
  await expect(card(page, 'You').getByText(ON_THIS_DEVICE)).toHaveCount(0);
  expect((await own()).status).toBe('inactive');
  await toggle.focus();
  await page.keyboard.press('Space');
  await expect.poll(async () => (await own()).status).toBe('active');
});

test(
  'copies parts of the first profile into a second one, offline and exactly once',
  { tag: '@full' },
  async ({ person, newDevice }) => {
    await makeProfile(person, { title: 'Stage actor', location: 'Pune' });
    const device = await newDevice();
    const { page } = device;
    device.allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
    await device.signInAs(person);
    await device.open('/');
    await device.open('/profile/step/1');
    await expect(page.getByRole('radio', { name: /Voice Artist/ })).toBeVisible();
    await device.open('/');
    await device.readyForOffline();
    await device.context.setOffline(true);
    await addCredit(page, { project: 'Paper Boats', role: 'Meera' });
    await addCredit(page, { project: 'Night bus', role: 'Driver' });
    await addSkill(page, 'Kathak', 'Expert');
    await writeAboutMe(page, 'I came up through street theatre.');

    await page.getByRole('button', { name: /your menu$/ }).click();
    await page.getByRole('menuitem', { name: 'New Profile' }).click();
    await expect(page.getByRole('radio', { name: /Actor/ })).toBeDisabled();
    await page.getByRole('radio', { name: /Voice Artist/ }).check();
    await page.getByRole('button', { name: /^Next/ }).click();
    await page.getByLabel('Title').fill('Narrator');
    await page.getByRole('button', { name: /^Next/ }).click();
    await expect(page.getByLabel('Copy from')).toHaveValue(/.+/);
    await page.getByRole('checkbox', { name: /Credits/ }).check();
    await page.getByRole('checkbox', { name: /About me/ }).check();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Make my profile' }).click();

    await expect(card(page, 'You')).toContainText('Narrator');
    await expect(card(page, 'You')).toContainText('Activeonly you see it');
    await expect(card(page, 'Credits').getByRole('listitem')).toHaveCount(2);
    await expect(card(page, 'About me')).toContainText('street theatre');
    await expect(card(page, 'Skills').getByRole('listitem')).toHaveCount(0);

    await test.step('switches profiles in the menu, also before the server has the new one', async () => {
      await page.getByRole('button', { name: /your menu$/ }).click();
      await page.getByRole('menuitem', { name: 'Actor / Performer' }).click();
      await expect(card(page, 'You')).toContainText('Stage actor');
      await expect(card(page, 'Skills').getByText('Kathak')).toBeVisible();
      await page.getByRole('button', { name: /your menu$/ }).click();
      await page.getByRole('menuitem', { name: 'Voice Artist' }).click();
      await expect(card(page, 'You')).toContainText('Narrator');
    });
    await test.step('keeps the first profile at Home until the user chooses the other', async () => {
      await device.open('/');
      await expect(card(page, 'You')).toContainText('Stage actor');
      const switcher = page.getByRole('button', { name: /^Your profiles/ });
      await switcher.click();
      await page.getByRole('menuitem', { name: 'Voice Artist' }).click();
      await expect(card(page, 'You')).toContainText('Narrator');
      await expectAccessible(page);
      await switcher.click();
      await page.getByRole('menuitem', { name: 'Make this my Home' }).click();
      await expect(page).toHaveURL(/\/$/);
      await expect(card(page, 'You')).toContainText('Narrator');
    });
    await page.reload();
    await expect(card(page, 'You')).toContainText('Narrator');
    await expect(card(page, 'Credits').getByRole('listitem')).toHaveCount(2);

    await device.context.setOffline(false);
    await expectAllSaved(page);
    await expect(card(page, 'You')).toContainText('Activepublic');
    await expect(card(page, 'Credits').getByText(ON_THIS_DEVICE)).toHaveCount(0);
    const all = (await person.call<Profile[]>('GET', '/profiles/all')).body;
    const own = all.filter((each) => String(each.user_id) === String(person.id));
    expect(own.map((each) => each.profile_type.slug).sort()).toEqual(['actor-performer', 'voice-artist']);
    for (const { id, profile_type: type } of own) {
      const credits = await person.call<{ experience_title: string }[]>('GET', `/profile/experiences/${id}`);
      expect([type.slug, credits.body.map((each) => each.experience_title).sort()]).toEqual([
        type.slug,
        ['Night bus', 'Paper Boats'],
      ]);
      await expect
        .poll(async () => (await person.call('GET', `/profile/aboutme/${id}`)).body)
        .toMatchObject({ description: 'I came up through street theatre.' });
    }
  },
);

test(
  'lays out only the visible part of a long profile, and restores its scroll position',
  { tag: '@full' },
  async ({ person, newDevice }) => {
    const { id } = await makeProfile(person);
    for (const { key, example, endpoints, writtenBy, profileTypes } of SECTIONS) {
      if (writtenBy || profileTypes) continue;
      const { method, path } = (endpoints.create ?? endpoints.update)!;
      for (let row = 0; row < (key === 'experience' ? 6 : 1); row += 1) {
        const { status } = await person.call(method, path, { profile_id: id, ...example });
        expect([key, status < 300]).toEqual([key, true]);
      }
    }
    const device = await newDevice();
    const { page } = device;
    await device.signInForOffline(person);
    const lastRow = card(page, 'My Policy').getByRole('listitem');
    await expect(lastRow).toHaveCount(1);
    // The page's own requests, such as for media, must not complete between the two measurements.
    await page.waitForLoadState('networkidle');
    const isLaidOut = () => lastRow.evaluate((row) => row.checkVisibility({ contentVisibilityAuto: true }));
    const tops = () =>
      page.evaluate(() =>
        Array.from(document.querySelectorAll('main h2'), (title) => [
          title.textContent,
          Math.round(title.getBoundingClientRect().top),
        ]),
      );
    expect(await isLaidOut()).toBe(false);

    await card(page, 'Contacts').scrollIntoViewIfNeeded();
    await page.evaluate(() => scrollTo(0, document.body.scrollHeight));
    await expect.poll(isLaidOut).toBe(true);
    await card(page, 'Honors & Awards').scrollIntoViewIfNeeded();
    const left = await tops();
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name: /^Connections/ })
      .click();
    await expect(page.getByRole('heading', { name: 'Connections', level: 1 })).toBeVisible();
    await page.goBack();
    await expect.poll(tops).toEqual(left);
  },
);

for (const shape of ['phone', 'desktop'] as const) {
  const tag = shape === 'desktop' ? ['@full'] : [];
  test(`keeps the own profile still while the rest loads, on a ${shape}`, { tag }, async ({ person, newDevice }) => {
    const { id } = await makeProfile(person, { title: 'Actor', location: 'Pune' });
    for (const { key, example, endpoints } of SECTIONS.filter(({ key }) =>
      ['about_me', 'experience', 'skill'].includes(key),
    )) {
      const { method, path } = (endpoints.create ?? endpoints.update)!;
      const { status } = await person.call(method, path, { profile_id: id, ...example });
      expect([key, status < 300]).toEqual([key, true]);
    }
    const device = await newDevice({ shape });
    const { page } = device;
    await page.addInitScript(() => {
      const moved: number[] = [];
      Object.assign(globalThis, { moved });
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as (PerformanceEntry & { value: number; hadRecentInput: boolean })[]) {
          if (!entry.hadRecentInput) moved.push(entry.value);
        }
      }).observe({ type: 'layout-shift', buffered: true });
    });
    await device.signInAs(person);
    for (const visit of ['first', 'second']) {
      await device.open('/');
      await expect(card(page, 'Get ready for casting')).toBeVisible();
      await expect(card(page, 'Credits').getByRole('listitem')).toHaveCount(1);
      await page.waitForLoadState('networkidle');
      const moved = await page.evaluate(() => (globalThis as unknown as { moved: number[] }).moved);
      const steps = await card(page, 'Get ready for casting').boundingBox();
      await expect
        .poll(() => page.evaluate(() => localStorage.getItem('room-for-steps')))
        .toBe(String(Math.round(steps!.height)));
      expect([visit, moved.reduce((sum, value) => sum + value, 0) < 0.05, moved]).toEqual([visit, true, moved]);
    }
  });
}

test(
  'copies lists, sets and single values of the first profile, which stay independent afterwards',
  { tag: '@full' },
  async ({ person, newDevice }) => {
    const { id: first } = await makeProfile(person, { title: 'Stage actor', location: 'Pune' });
    const parts = SECTIONS.filter((section) => !section.profileTypes && !section.writtenBy);
    for (const section of parts) {
      const { create, update } = section.endpoints;
      const { method, path } = create ?? update!;
      const { status } = await person.call(method, path, { profile_id: first, ...section.example });
      expect([section.key, status < 300]).toEqual([section.key, true]);
    }
    const device = await newDevice();
    const { page } = device;
    device.allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
    await device.signInAs(person);
    await device.open('/profile/step/1');
    await expect(page.getByRole('radio', { name: /Voice Artist/ })).toBeVisible();
    await device.open('/');
    await expect(card(page, 'Documents')).toContainText('Passport');
    await device.readyForOffline();
    await expect.poll(() => countLookupItems(page, 'languages')).toBeGreaterThan(20);

    await device.context.setOffline(true);
    await device.open('/profile/step/1');
    await page.getByRole('radio', { name: /Voice Artist/ }).check();
    await page.getByRole('button', { name: /^Next/ }).click();
    await page.getByLabel('Title').fill('Narrator');
    await page.getByRole('button', { name: /^Next/ }).click();
    for (const { title } of parts) await page.getByRole('checkbox', { name: title, exact: true }).check();
    await page.getByRole('button', { name: 'Make my profile' }).click();
    await expect(card(page, 'You')).toContainText('Narrator');
    const expectCopied = async () => {
      for (const section of parts) {
        await expectOnCard(page, section.title, await getCardText(person, section, section.example));
      }
    };
    await expectCopied();
    await page.reload();
    await expectCopied();

    await device.context.setOffline(false);
    await expectAllSaved(page);
    const all = (await person.call<Profile[]>('GET', '/profiles/all')).body;
    const second = all.find(
      (each) => String(each.user_id) === String(person.id) && each.profile_type.slug === 'voice-artist',
    );
    for (const id of [first, second!.id]) {
      for (const section of parts) {
        const rows = await getStoredRows(person, section, id);
        expect([section.key, rows]).toEqual([section.key, [expect.objectContaining(section.example)]]);
      }
    }
    await expectCopied();

    await test.step('leaves the other profile unchanged', async () => {
      await writeAboutMe(page, 'I lend my voice to rivers.');
      await card(page, 'Documents').getByRole('button', { name: 'Edit Documents' }).click();
      await sheet(page, 'Documents').getByRole('switch', { name: 'Resume' }).check();
      await save(page, 'Documents');
      await expectAllSaved(page);
      const [about, documents] = ['about_me', 'document'].map((key) => parts.find((section) => section.key === key)!);
      expect(await getStoredRows(person, documents!, second!.id)).toEqual([expect.objectContaining({ resume: true })]);
      expect(await getStoredRows(person, documents!, first)).toEqual([expect.objectContaining(documents!.example)]);
      expect(await getStoredRows(person, about!, first)).toEqual([expect.objectContaining(about!.example)]);
    });
  },
);

test('sends every change made to a profile before the server has it', async ({ person, newDevice }) => {
  const device = await newDevice();
  const { page } = device;
  device.allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
  await device.signInAs(person);
  await device.open('/profile/step/1');
  await page.getByRole('radio', { name: /Actor/ }).check();
  await device.readyForOffline();
  await device.context.setOffline(true);
  await page.getByRole('button', { name: /^Next/ }).click();
  await page.getByRole('button', { name: 'Make my profile' }).click();
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  await sheet(page, 'Edit Profile').getByLabel('Day rate').fill('18000');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('switch', { name: /^Active/ }).click();
  await writeAboutMe(page, 'Made without signal.');
  await device.context.setOffline(false);
  const own = async () =>
    (await person.call<Profile[]>('GET', '/profiles/all')).body.find(
      (each) => String(each.user_id) === String(person.id),
    );
  await expect
    .poll(own, { timeout: 20_000 })
    .toMatchObject({ per_day: 18000, status: 'inactive', min_age_range: null });
  const profile = await own();
  expect((await person.call('GET', `/profile/aboutme/${profile?.id}`)).body).toMatchObject({
    description: 'Made without signal.',
  });
});

test('reports a profile that could not be stored, and keeps the text in the form', async ({ person, phone }) => {
  const { page } = phone;
  phone.allowBrowserError(/The store misbehaves/);
  await phone.signInAs(person);
  await phone.open('/profile/step/1');
  await page.getByRole('radio', { name: /Actor/ }).check();
  await page.getByRole('button', { name: /^Next/ }).click();
  await page.getByLabel('Title').fill('Narrator');
  await page.evaluate(() => {
    IDBObjectStore.prototype.add = () => {
      throw new TypeError('The store misbehaves');
    };
  });
  await page.getByRole('button', { name: 'Make my profile' }).click();
  await expect(page.getByRole('alert')).toContainText('What you typed is still here.');
  await expect(page.getByLabel('Title')).toHaveValue('Narrator');
});

test('reports a failure that no screen handles', { tag: '@full' }, async ({ person, phone }) => {
  await phone.signInForOffline(person);
  phone.allowBrowserError(/Nobody catches this/);
  await phone.page.evaluate(() => void Promise.reject(new TypeError('Nobody catches this')));
  const message = phone.page.getByRole('complementary', { name: 'Message' });
  await expect(message).toContainText('An unexpected error occurred. Try again.');
});
