import { type Locator, type Page } from '@playwright/test';
import { ON_THIS_DEVICE, expectAllSaved, card, save, sheet } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import { makeProfile } from './support/people.ts';
import { expect, test } from './support/test.ts';

const openForm = async (page: Page) => {
  await page.getByRole('button', { name: 'Edit Profile' }).click();
  const form = sheet(page, 'Edit Profile');
  await expect(form).toBeVisible();
  return form;
};
const handles = (form: Locator) => ({
  low: form.getByRole('slider', { name: 'Youngest' }),
  high: form.getByRole('slider', { name: 'Oldest' }),
  lowBox: form.getByLabel('Youngest age'),
  highBox: form.getByLabel('Oldest age'),
});

/** The slider and the number boxes show the same ages. */
async function expectAges(form: Locator, low: number, high: number): Promise<void> {
  const parts = handles(form);
  await expect(parts.low).toHaveAttribute('aria-valuenow', String(low));
  await expect(parts.high).toHaveAttribute('aria-valuenow', String(high));
  await expect(parts.lowBox).toHaveValue(String(low));
  await expect(parts.highBox).toHaveValue(String(high));
}

/** Drags a handle by its middle to a year, in small steps as a finger does. */
async function drag(page: Page, form: Locator, handle: Locator, toYear: number): Promise<void> {
  const from = await handle.boundingBox();
  const track = await form.locator('.band').boundingBox();
  if (!from || !track) throw new Error('The slider is not rendered');
  await page.mouse.move(from.x + from.width / 2, from.y + from.height / 2);
  await page.mouse.down();
  await page.mouse.move(track.x + (track.width * toYear) / 100, from.y + from.height / 2, { steps: 12 });
  await page.mouse.up();
}

for (const shape of ['phone', 'desktop'] as const) {
  test(
    `changes the playing age by pointer, keys and boxes: ${shape}`,
    { tag: '@full' },
    async ({ person, newDevice }) => {
      await makeProfile(person);
      const device = await newDevice({ shape });
      const { page } = device;
      await device.signInAs(person);
      await device.open('/');
      const form = await openForm(page);
      const { low, high, lowBox, highBox } = handles(form);
      await low.scrollIntoViewIfNeeded();
      await expect(low).toHaveAttribute('aria-valuenow', '10');
      await expect(high).toHaveAttribute('aria-valuenow', '50');
      await expect(lowBox).toHaveValue('');
      await expect(highBox).toHaveValue('');

      await test.step('moves both handles in both directions by pointer', async () => {
        await drag(page, form, low, 26);
        await expectAges(form, 26, 50);
        await drag(page, form, low, 20);
        await expectAges(form, 20, 50);
        await drag(page, form, high, 72);
        await expectAges(form, 20, 72);
        await drag(page, form, high, 40);
        await expectAges(form, 20, 40);
      });

      await test.step('stops a handle six years short of the other', async () => {
        await drag(page, form, low, 90);
        await expectAges(form, 34, 40);
        await drag(page, form, high, 3);
        await expectAges(form, 34, 40);
        await drag(page, form, high, 100);
        await drag(page, form, high, 5);
        await expectAges(form, 34, 40);
      });

      await test.step('stops a handle at the ends of the track', async () => {
        await drag(page, form, low, -6);
        await expectAges(form, 0, 40);
        await drag(page, form, high, 106);
        await expectAges(form, 0, 100);
      });

      await test.step('moves the handles by keys within the gap and the ends', async () => {
        await high.focus();
        await page.keyboard.press('Home');
        await expectAges(form, 0, 6);
        await page.keyboard.press('ArrowLeft');
        await page.keyboard.press('PageDown');
        await expectAges(form, 0, 6);
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('ArrowUp');
        await expectAges(form, 0, 8);
        await page.keyboard.press('PageUp');
        await page.keyboard.press('PageDown');
        await page.keyboard.press('PageUp');
        await expectAges(form, 0, 13);
        await page.keyboard.press('End');
        await page.keyboard.press('ArrowRight');
        await expectAges(form, 0, 100);
        await low.focus();
        await page.keyboard.press('ArrowLeft');
        await expectAges(form, 0, 100);
        await page.keyboard.press('End');
        await expectAges(form, 94, 100);
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('PageUp');
        await expectAges(form, 94, 100);
        await page.keyboard.press('ArrowDown');
        await expectAges(form, 93, 100);
        await page.keyboard.press('Home');
        await expectAges(form, 0, 100);
      });

      await test.step('moves the handles by the number boxes', async () => {
        await lowBox.fill('26');
        await expectAges(form, 26, 100);
        await highBox.fill('34');
        await expectAges(form, 26, 34);
        await highBox.fill('28');
        await highBox.blur();
        await expectAges(form, 26, 32);
        await lowBox.fill('-3');
        await lowBox.blur();
        await expectAges(form, 26, 32);
        await highBox.press('ArrowUp');
        await highBox.press('ArrowUp');
        await expectAges(form, 26, 34);
      });

      await save(page, 'Edit Profile');
      await expect(card(page, 'You')).toContainText('26 to 34');
      await expect
        .poll(async () => (await person.call<{ min_age_range: number }[]>('GET', '/profiles/all')).body[0])
        .toMatchObject({ min_age_range: 26, max_age_range: 34 });
    },
  );
}

test('Edit Profile: saves every field offline, then on the server', async ({ person, newDevice }) => {
  const { id } = await makeProfile(person, { location: 'Pune' });
  const device = await newDevice();
  const { page } = device;
  device.allowBrowserError(/ERR_INTERNET_DISCONNECTED/);
  await device.signInForOffline(person);
  // Opening the form for the first time fetches the list of industries.
  await openForm(page);
  await expect(sheet(page, 'Edit Profile').getByLabel('Stage name')).toHaveValue(person.name);
  await page.keyboard.press('Escape');
  await expect(sheet(page, 'Edit Profile')).toHaveCount(0);

  await device.context.setOffline(true);
  const form = await openForm(page);
  await form.getByLabel('Title').fill('Stage and screen actor');
  await form.getByLabel('City').fill('Nagpur');
  await form.getByLabel('Day rate').fill('1,18,000');
  await form.getByLabel('Date of birth').fill('1996-08-14');
  await expectAccessible(page);
  await save(page, 'Edit Profile');
  const you = card(page, 'You');
  await expect(you.getByText(ON_THIS_DEVICE)).toBeVisible();
  await expect(you).toContainText('₹1,18,000');
  await page.reload();
  await expect(card(page, 'You')).toContainText('Nagpur');

  await device.context.setOffline(false);
  // The state on the card changes as soon as the change is being sent.
  await expectAllSaved(page);
  await expect(card(page, 'You').getByText(ON_THIS_DEVICE)).toHaveCount(0);
  const { body } = await person.call('GET', `/profile/details/${id}`);
  expect(body).toMatchObject({
    title: 'Stage and screen actor',
    location: 'Nagpur',
    per_day: 118000,
    dob: '1996-08-14',
    min_age_range: null,
    max_age_range: null,
  });

  await openForm(page);
  await form.getByRole('button', { name: /^Use \d+ to \d+$/ }).click();
  await expect(form.getByLabel('Youngest age')).not.toHaveValue('');
  await form.getByLabel('Youngest age').fill('24');
  await save(page, 'Edit Profile');
  await expectAllSaved(page);
  const ages = async () => (await person.call('GET', `/profile/details/${id}`)).body;
  expect(await ages()).toMatchObject({ min_age_range: 24 });

  await openForm(page);
  await form.getByRole('button', { name: 'Clear playing age' }).click();
  await save(page, 'Edit Profile');
  await expectAllSaved(page);
  expect(await ages()).toMatchObject({ min_age_range: null, max_age_range: null });
});

test(
  'Edit Profile: ignores a click outside, and asks on Escape once something was typed',
  { tag: '@full' },
  async ({ person, newDevice }) => {
    await makeProfile(person, { location: 'Pune' });
    const device = await newDevice({ shape: 'desktop' });
    const { page } = device;
    await device.signInAs(person);
    await device.open('/');
    const form = await openForm(page);
    await page.mouse.click(8, 8);
    await expect(form).toBeVisible();
    await page.keyboard.press('Escape');
    await expect(form).toHaveCount(0);
    await expect(page.getByRole('button', { name: 'Edit Profile' })).toBeFocused();

    await openForm(page);
    await form.getByLabel('Title').fill('Actor');
    await page.mouse.click(8, 8);
    await page.keyboard.press('Escape');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Keep editing' }).click();
    await expect(form.getByLabel('Title')).toHaveValue('Actor');
    await form.getByRole('button', { name: 'Discard' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Discard' }).click();
    await expect(form).toHaveCount(0);
    await expect(card(page, 'You')).not.toContainText('Actor');
  },
);

test(
  'Edit Profile: suggests known cities by keyboard and by touch',
  { tag: '@full' },
  async ({ person, newDevice }) => {
    await makeProfile(person, { location: 'Thiruvananthapuram' });
    const device = await newDevice({ shape: 'desktop' });
    const { page } = device;
    await device.signInAs(person);
    await device.open('/');
    const form = await openForm(page);
    const city = form.getByRole('combobox', { name: 'City' });
    const offers = form.getByRole('listbox', { name: 'Suggestions' });
    await city.fill('thi');
    await expect(offers.getByRole('option', { name: 'Thiruvananthapuram' })).toBeVisible();
    await expectAccessible(page);
    await page.keyboard.press('Escape');
    await expect(offers.getByRole('option')).toHaveCount(0);
    await expect(form).toBeVisible();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('ArrowDown');
    await expect(offers.getByRole('option', { selected: true })).toHaveText(/^Thiruvananthapuram/);
    await page.keyboard.press('Enter');
    await expect(city).toHaveValue('Thiruvananthapuram');
    await expect(form).toBeVisible();
    await city.fill('thi');
    await offers.getByRole('option', { name: 'Thiruvananthapuram' }).click();
    await expect(city).toHaveValue('Thiruvananthapuram');
    await expect(city).toBeFocused();
  },
);
