import { randomUUID } from 'node:crypto';
import type { Page } from '@playwright/test';
import { pill } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import type { Device } from './support/device.ts';
import { getProfilePath, makePerson, makeProfile, type Person } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** Creates three people of a unique troupe, whose name is in their titles. */
async function makeTroupe(url: string) {
  const troupe = `Q${randomUUID().replace(/[^a-f]/g, '')}uvwx`;
  const join = async (stage_name: string, location: string, skill: string, ages: [number, number]) => {
    const person = await makePerson(url);
    const { id } = await makeProfile(person, { stage_name, location, title: `Actor, ${troupe}` });
    const profile_id = String(id);
    await person.call('POST', '/skills', { profile_id, name: skill, level: 3 });
    await person.call('PUT', '/profile/update', { profile_id, min_age_range: ages[0], max_age_range: ages[1] });
    return { address: await getProfilePath(person, id) };
  };
  return {
    troupe,
    meera: await join('Meera Kulkarni', 'Pune', 'Kathak', [24, 36]),
    arjun: await join('Arjun Nair', 'Kochi', 'Kalaripayattu', [28, 42]),
    zoya: await join('Zoya Sheikh', 'Mumbai', 'Kathak', [50, 60]),
  };
}

test('finds people while typing, filters them by the URL, and keeps working offline', async ({
  server,
  person,
  phone,
}) => {
  const { troupe, meera } = await makeTroupe(server.url);
  await phone.signInAs(person);
  await phone.open('/search');
  const { page } = phone;
  const field = page.getByRole('textbox', { name: 'Name, skill or project' });
  const people = page.getByRole('list', { name: 'People' }).getByRole('listitem');
  await expect(field).toBeFocused();

  await test.step('finds people while typing, despite a typo', async () => {
    await field.fill(troupe);
    await expect(people).toHaveCount(3);
    await expect(page).toHaveURL(new RegExp(`[?&]q=${troupe}`));
    await field.fill(`${troupe} Kulkrani`);
    await expect(people).toHaveCount(1);
    await expect(people.first()).toContainText('Meera Kulkarni');
    await field.fill(troupe);
    await expect(people).toHaveCount(3);
  });

  await test.step('shows filters in the URL, as chips and in a sheet', async () => {
    await page.getByRole('button', { name: 'All filters' }).click();
    const sheet = page.getByRole('dialog', { name: 'Filters' });
    await sheet.getByRole('textbox', { name: 'Skill' }).fill('katak');
    await expect(sheet.getByRole('button', { name: 'Show 2 people' })).toBeVisible();
    await sheet.getByRole('textbox', { name: 'Oldest age' }).fill('40');
    await expect(sheet.getByRole('button', { name: 'Show 1 person' })).toBeVisible();
    await expectAccessible(page);
    await sheet.getByRole('button', { name: 'Show 1 person' }).click();
    await expect(page).toHaveURL(/skill=katak/);
    await expect(page).toHaveURL(/max_age=40/);
    await expect(people).toHaveText([/Meera Kulkarni/]);
    await page.reload();
    await expect(people).toHaveText([/Meera Kulkarni/]);
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Remove Plays up to 40' }).click();
    await expect(people).toHaveCount(2);
    await page.getByRole('button', { name: 'Remove katak' }).click();
    await expect(people).toHaveCount(3);
  });

  await test.step('searches the people stored on this phone when offline', async () => {
    const saved = page.waitForResponse(/\/save$/);
    await page.getByRole('button', { name: 'Save Meera Kulkarni' }).click();
    await saved;
    await phone.readyForOffline();
    await server.stop();
    await page.getByRole('link', { name: 'Meera Kulkarni' }).waitFor();
    await field.fill(`${troupe} kulkrani`);
    await expect(page.getByText('People kept on this phone')).toBeVisible();
    await expect(people).toHaveText([/Meera Kulkarni/]);
    await phone.open(`/search?q=${troupe}&skill=kathak&min_age=48`);
    await expect(people).toHaveText([/Zoya Sheikh/]);
    await expectAccessible(page);
    await page.getByRole('textbox', { name: 'Name, skill or project' }).fill('nobody of that name');
    await expect(page.getByRole('heading', { name: 'No one found on this phone' })).toBeVisible();
    await server.start();
  });

  await test.step('remembers recent searches', async () => {
    await phone.open(`/search?q=${troupe}`);
    await page.getByRole('link', { name: 'Meera Kulkarni' }).click();
    await expect(page).toHaveURL(new RegExp(meera.address));
    // Leaving at once could end the page before it has stored the search.
    await expect(page.getByRole('heading', { name: 'Meera Kulkarni' }).first()).toBeVisible();
    await phone.open('/search');
    await page.getByRole('button', { name: troupe, exact: true }).click();
    await expect(people).toHaveCount(3);
  });
});

/** Names of the bar's elements that overflow, and whether the search field's text is cut off. */
const getOverflowInBar = (page: Page) =>
  page.evaluate(() => {
    const bar = document.querySelector('header > div')!;
    const field = document.querySelector<HTMLInputElement>('#people-search')!;
    const pen = document.createElement('canvas').getContext('2d')!;
    pen.font = getComputedStyle(field).font;
    const isShown = field.offsetParent !== null;
    return {
      overflow: bar.scrollWidth - bar.clientWidth + document.documentElement.scrollWidth - innerWidth,
      isFieldCut: isShown && field.clientWidth < pen.measureText(field.placeholder).width,
    };
  });

test(
  'returns from a profile to the same position in the results, with all loaded pages',
  { tag: '@full' },
  async ({ server, person, phone }) => {
    const troupe = `Q${randomUUID().replace(/[^a-f]/g, '')}uvwx`;
    await Promise.all(
      Array.from({ length: 27 }, async () => makeProfile(await makePerson(server.url), { title: `Actor, ${troupe}` })),
    );
    await phone.signInForOffline(person);
    const { page } = phone;
    await phone.open(`/search?q=${troupe}`);
    const people = page.getByRole('list', { name: 'People' }).getByRole('listitem');
    await expect(people).toHaveCount(24);
    await page.getByRole('button', { name: 'Show more people' }).click();
    await expect(people).toHaveCount(27);
    const far = people.nth(25).getByRole('link').first();
    await far.scrollIntoViewIfNeeded();
    const { y } = (await far.boundingBox())!;
    const name = await far.innerText();
    await far.click();
    await expect(page).toHaveURL(/\/profile\//);
    await expect(page.getByRole('heading', { level: 1 })).toBeVisible();
    await page.goBack();
    await expect(people).toHaveCount(27);
    await expect(far).toHaveText(name);
    await expect.poll(async () => Math.abs((await far.boundingBox())!.y - y)).toBeLessThan(8);

    await test.step('also among the people stored here, offline', async () => {
      phone.allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
      await phone.readyForOffline();
      await phone.context.setOffline(true);
      await phone.open(`/search?q=${troupe}`);
      await expect(page.getByText('People kept on this phone')).toBeVisible();
      await page.getByRole('button', { name: 'Show more people' }).click();
      await expect(people).toHaveCount(27);
      await far.click();
      await expect(page).toHaveURL(/\/profile\//);
      await page.goBack();
      await expect(people).toHaveCount(27);
    });
  },
);

test('bar search: works by keyboard alone, and fits', { tag: '@full' }, async ({ server, newDevice }) => {
  const { troupe, arjun } = await makeTroupe(server.url);
  const person = await makePerson(server.url, { name: 'Venkatanarasimharajuvaripeta Lakshminarayanan' });
  await makeProfile(person);
  const asker = await makePerson(server.url);
  await asker.call('POST', `/connections/request/${person.id}`);
  const desk = await newDevice({ shape: 'desktop' });
  desk.allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
  await desk.signInAs(person);
  await desk.open('/settings');
  const { page } = desk;
  const expectFits = async () => {
    const cut: unknown[] = [];
    for (const width of [768, 900, 1023, 1024, 1180, 1280, 1440]) {
      await page.setViewportSize({ width, height: 800 });
      const { overflow, isFieldCut } = await getOverflowInBar(page);
      if (overflow !== 0 || isFieldCut) cut.push({ width, overflow, isFieldCut });
    }
    expect(cut).toEqual([]);
  };
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeAttached();
  await expect(page.getByRole('banner').getByRole('link', { name: '1 new' })).toHaveCount(2);
  await expectFits();
  await page.keyboard.press('/');
  const field = page.getByRole('combobox', { name: 'Search people' });
  await expect(field).toBeFocused();
  await page.keyboard.type(`arjn ${troupe}`);
  const options = page.getByRole('option');
  await expect(options).toHaveText([/Arjun Nair.*Kochi/, /All results for/]);
  await expectAccessible(page);
  await page.keyboard.press('Escape');
  await expect(options).toHaveCount(0);
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('ArrowDown');
  await expect(options.first()).toHaveAttribute('aria-selected', 'true');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(arjun.address));

  await page.keyboard.press('/');
  await expect(page.getByRole('option', { name: `arjn ${troupe}` })).toBeVisible();
  await field.fill(troupe);
  await expect(options).toHaveCount(4);
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(new RegExp(`/search\\?q=${troupe}`));
  await expect(page.getByRole('list', { name: 'People' }).getByRole('listitem')).toHaveCount(3);
  await expectAccessible(page);

  await desk.context.setOffline(true);
  await page.getByRole('button', { name: 'Save Arjun Nair' }).click();
  await expect(pill(page)).toHaveText('1 waiting');
  await field.fill('');
  await expectFits();
  await pill(page).evaluate((element) => (element.lastChild!.textContent = 'Sign in to send'));
  await expectFits();
});

test('searches the listed people on a server without search', { tag: '@full' }, async ({ server, person, phone }) => {
  const { troupe } = await makeTroupe(server.url);
  phone.allowBrowserError(/status of 404/);
  await phone.signInAs(person);
  await phone.context.route(/\/search\?/, async (route) => {
    const isCall = route.request().headers()['x-requested-with'] !== undefined;
    if (isCall) await route.fulfill({ status: 404, json: { message: 'There is no such page' } });
    else await route.continue();
  });
  await phone.open(`/search?q=kulkarnee ${troupe}`);
  await expect(phone.page.getByRole('list', { name: 'People' }).getByRole('listitem')).toHaveText([/Meera Kulkarni/]);
});

test('bar search: keeps every letter typed while it loads, and selects the last query', async ({
  person,
  newDevice,
}) => {
  const desk = await newDevice({ shape: 'desktop', isFirstVisit: true });
  await desk.signInAs(person);
  const { page } = desk;
  // The test decides when the code of the full field loads.
  let release = () => {};
  const isReleased = new Promise<void>((resolve) => (release = resolve));
  await page.addInitScript(() => {
    navigator.serviceWorker.register = () => new Promise(() => {});
  });
  await desk.open('/settings');
  await expect(page.getByRole('heading', { name: 'Settings', level: 1 })).toBeAttached();
  await page.waitForLoadState('networkidle');
  await page.route('**/assets/*.js', async (route) => {
    await isReleased;
    await route.continue();
  });
  await page.keyboard.type('/naren');
  const field = page.getByRole('combobox', { name: 'Search people' });
  await expect(field).toHaveValue('naren');
  release();
  await expect(page.getByRole('option', { name: /All results for/ })).toBeVisible();
  await page.keyboard.type('dra');
  await expect(field).toHaveValue('narendra');
  await page.keyboard.press('Enter');
  await expect(page).toHaveURL(/\/search\?q=narendra/);

  await page.getByRole('heading', { level: 1 }).click({ force: true });
  await page.keyboard.type('/meera');
  await expect(field).toHaveValue('meera');
});

test(
  'bar search: its suggestions do not replace the results that Back restores',
  { tag: '@full' },
  async ({ server, person, newDevice }) => {
    const troupe = `Q${randomUUID().replace(/[^a-f]/g, '')}uvwx`;
    await Promise.all(
      Array.from({ length: 8 }, async () => makeProfile(await makePerson(server.url), { title: `Actor, ${troupe}` })),
    );
    const desk = await newDevice({ shape: 'desktop' });
    await desk.signInAs(person);
    const { page } = desk;
    await desk.open(`/search?q=${troupe}`);
    const people = page.getByRole('list', { name: 'People' }).getByRole('listitem');
    await expect(people).toHaveCount(8);
    await people.first().getByRole('link').click();
    await expect(page).toHaveURL(/\/profile\//);
    await page.keyboard.press('/');
    await page.getByRole('combobox', { name: 'Search people' }).fill(troupe);
    await expect(page.getByRole('option')).toHaveCount(7);
    await page.keyboard.press('Escape');
    await page.goBack();
    await expect(page).toHaveURL(/\/search/);
    await expect(people).toHaveCount(8);
  },
);

/** Opens the sheet of filters on a search, and chooses one. */
async function openWithHair(phone: Device, person: Person) {
  await makeProfile(person);
  await phone.signInAs(person);
  const { page } = phone;
  await phone.open('/search?q=nobody');
  const sheet = page.getByRole('dialog', { name: 'Filters' });
  await page.getByRole('button', { name: 'All filters' }).click();
  await sheet.getByLabel('Hair').selectOption('Black');
  return { page, sheet };
}

test('filters chosen in the sheet are one step back', async ({ person, phone }) => {
  const { page, sheet } = await openWithHair(phone, person);
  await sheet.getByText('Has a reel').click();
  // The sheet closes before the handle has come to rest.
  await sheet.getByRole('slider', { name: 'Youngest' }).press('ArrowRight');
  await sheet.getByRole('button', { name: /^Show/ }).click();
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL(/\/search\?q=nobody&hair=Black&reel=1&min_age=\d+$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/search\?q=nobody$/);
  await expect(sheet).toHaveCount(0);
  await page.goForward();
  await expect(page).toHaveURL(/\/search\?q=nobody&hair=Black&reel=1&min_age=\d+$/);
  await expect(sheet).toHaveCount(0);
});

test('Back closes the sheet of filters and keeps what was chosen in it', async ({ person, phone }) => {
  const { page, sheet } = await openWithHair(phone, person);
  await page.goBack();
  await expect(sheet).toHaveCount(0);
  await expect(page).toHaveURL(/\/search\?q=nobody&hair=Black$/);
  await page.goBack();
  await expect(page).toHaveURL(/\/search\?q=nobody$/);
  await expect(sheet).toHaveCount(0);
});
