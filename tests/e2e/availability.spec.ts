import { addDays } from '#contract/casting/availability.ts';
import type { DayRecord } from '#contract/records/availability.ts';
import { addMonths, getMonth, monthText, weekdayText } from '#lib/calendar-month.ts';
import { expectAccessible } from './support/axe.ts';
import { ask, makeRole } from './support/casting.ts';
import type { Device } from './support/device.ts';
import { makePerson, makeProfile, type Person } from './support/people.ts';
import { expect, test } from './support/test.ts';

const MONTH = addMonths(getMonth(new Date().toISOString()), 1);
const THIS_YEAR = new Date().toISOString().slice(0, 4);
const on = (day: number) => addDays(`${MONTH}-01`, day - 1);
const name = (day: number) => weekdayText(on(day), THIS_YEAR);
const getDay = ({ page }: Device, day: number) => page.getByRole('gridcell', { name: name(day) });

async function choose(device: Device, day: number, state: string): Promise<void> {
  await getDay(device, day).click();
  await device.page.getByRole('radio', { name: state }).click({ force: true });
}

async function openCalendar(device: Device, person: Person): Promise<void> {
  await device.signInForOffline(person);
  await device.open('/auditions');
  await device.page.getByRole('link', { name: 'Your availability' }).click();
  await device.page.getByRole('button', { name: monthText(MONTH) }).click();
  await expect(device.page.getByRole('heading', { name: monthText(MONTH) })).toBeVisible();
}

const readDays = async (person: Person) =>
  (await person.call<{ data: DayRecord[] }>('GET', '/availability')).body.data.map(({ date, state, other }) => ({
    date,
    state,
    other: other?.state,
  }));

test(
  'keeps the days that two devices changed without signal, and shows which shoot days clash',
  {
    tag: '@full',
  },
  async ({ server, person, newDevice }) => {
    const owner = await makePerson(server.url);
    await makeProfile(owner, { title: 'Casting director' });
    const profile = await makeProfile(person, { title: 'Actor' });
    const role = await makeRole(owner);
    const { id: audition } = await ask(owner, role.id, profile.id, { shoot_dates: [on(10), on(11), on(12)] });
    const [phone, laptop] = [await newDevice(), await newDevice({ shape: 'desktop' })];
    await openCalendar(phone, person);
    await openCalendar(laptop, person);
    await expectAccessible(phone.page);

    await server.stop();
    await choose(phone, 10, 'Booked');
    await choose(phone, 14, 'Free');
    await expect(phone.page.getByText('On this phone')).toBeVisible();
    await expectAccessible(phone.page);
    // A range by keyboard, on the laptop.
    await getDay(laptop, 10).click();
    await laptop.page.keyboard.press('Shift+ArrowRight');
    await laptop.page.getByRole('radio', { name: 'Pencilled' }).click({ force: true });
    await expect(laptop.page.getByRole('gridcell', { name: `${name(11)}, Pencilled` })).toHaveAttribute(
      'aria-selected',
      'true',
    );
    await server.start();

    const merged = [
      { date: on(10), state: 'booked', other: 'pencilled' },
      { date: on(11), state: 'pencilled', other: undefined },
      { date: on(14), state: 'free', other: undefined },
    ];
    await expect.poll(() => readDays(person), { timeout: 60_000 }).toEqual(merged);
    for (const device of [phone, laptop]) {
      await expect(device.page.getByRole('heading', { name: /Changed on two devices/ })).toBeVisible({
        timeout: 40_000,
      });
      await expect(getDay(device, 11)).toHaveAccessibleName(`${name(11)}, Pencilled`);
    }
    await expectAccessible(phone.page);
    await phone.page.getByRole('button', { name: `Keep booked on ${name(10)}` }).click();
    await expect(laptop.page.getByRole('heading', { name: /Changed on two devices/ })).toHaveCount(0, {
      timeout: 40_000,
    });

    await phone.open(`/auditions/${audition}`);
    const clash = phone.page.getByRole('region', { name: 'Shoot days that clash' });
    await expect(clash).toContainText('You are not free on 2 of 3 shoot days');
    await expect(clash).toContainText(`Booked: ${name(10)}`);
    await expectAccessible(phone.page);
    await owner.call('POST', `/casting/requests/${audition}/answer`, { kind: 'pencil' });
    await phone.page.getByRole('button', { name: 'Pencil these days' }).click({ timeout: 40_000 });
    await expect
      .poll(async () => (await readDays(person)).find(({ date }) => date === on(12))?.state, { timeout: 40_000 })
      .toBe('pencilled');
  },
);

test(
  'names the shoot days of a request, and shows those who cast when the performer is free, once they may see it',
  { tag: '@full' },
  async ({ server, person, phone }) => {
    const performer = await makePerson(server.url);
    await makeProfile(person, { title: 'Casting director' });
    const profile = await makeProfile(performer, { title: 'Actor' });
    const role = await makeRole(person);
    const { id } = await ask(person, role.id, profile.id, { shoot_dates: [on(10), on(11), on(12)] });
    const days = [
      { date: on(10), state: 'free' },
      { date: on(11), state: 'held', note: 'Marker of a note' },
      { date: on(20), state: 'booked' },
    ];
    await performer.call('PUT', '/availability', { days });
    const { page } = phone;
    await phone.signInForOffline(person);
    await phone.open(`/casting/roles/${role.id}`);
    const openDays = async () => {
      await page
        .getByRole('button', { name: /^More for/ })
        .last()
        .click();
      await page.getByRole('menuitem', { name: 'Availability' }).click();
    };
    const sheet = page.getByRole('dialog');
    // Whoever may not see the days is answered as if there were none.
    phone.allowBrowserError(/404 \(Not Found\).*\/availability/);

    await openDays();
    await expect(sheet).toContainText('does not show you on which days they are free');
    await page.goBack();
    await performer.call('PUT', '/settings', { availability_for: 'casting' });
    await openDays();
    await expect(sheet).toContainText(`Free (1)${name(10)}Not free (1)${name(11)}Not stated (1)${name(12)}`);
    await expect(sheet).toContainText(`${monthText(MONTH)}Free (1)10Not free (2)11, 20`);
    await expect(sheet).not.toContainText('Marker');
    await expectAccessible(page);
    await page.goBack();

    await performer.call('POST', `/auditions/${id}/decline`, { at: new Date().toISOString() });
    await phone.open(`/casting/roles/${role.id}/ask`);
    await page.getByLabel('Shoots from').fill(on(12));
    await page.getByLabel('Shoots until').fill(on(10));
    await page.getByRole('button', { name: 'Send', exact: true }).click();
    await expect(page.getByText('The end comes before the start').first()).toBeVisible();
  },
);

test(
  'gives several days one end without signal, and leaves each its note',
  { tag: '@full' },
  async ({ server, person, phone }) => {
    await makeProfile(person, { title: 'Actor' });
    const days = [10, 11].map((day) => ({ date: on(day), state: 'held', note: `Film ${day}` }));
    await person.call('PUT', '/availability', { days });
    await openCalendar(phone, person);
    await expect(getDay(phone, 11)).toHaveAccessibleName(new RegExp(`^${name(11)}, Held`));
    await server.stop();
    await getDay(phone, 10).click();
    await phone.page.keyboard.press('Shift+ArrowRight');
    await expect(phone.page.getByText('Different notes')).toBeVisible();
    await phone.page.getByRole('button', { name: 'Note and end' }).click();
    const sheet = phone.page.getByRole('dialog');
    await expect(sheet.getByText('The days have different notes. Leave this empty to keep them.')).toBeVisible();
    await expectAccessible(phone.page);
    await sheet.getByLabel('Until').fill(`${on(20)}T18:00`);
    await sheet.getByRole('button', { name: 'Save' }).click();
    await expect(sheet).toHaveCount(0);
    await server.start();
    const read = async () =>
      (await person.call<{ data: DayRecord[] }>('GET', '/availability')).body.data.map(({ note, expires_at }) => [
        note,
        expires_at !== null,
      ]);
    await expect.poll(read, { timeout: 60_000 }).toEqual([
      ['Film 10', true],
      ['Film 11', true],
    ]);
  },
);

test(
  'ends a drag over days that is released outside of the calendar',
  { tag: '@full' },
  async ({ person, newDevice }) => {
    await makeProfile(person, { title: 'Actor' });
    const laptop = await newDevice({ shape: 'desktop' });
    await openCalendar(laptop, person);
    const { mouse } = laptop.page;
    const moveTo = async (day: number) => {
      const box = (await getDay(laptop, day).boundingBox())!;
      await mouse.move(box.x + box.width / 2, box.y + box.height / 2);
    };
    await moveTo(10);
    await mouse.down();
    await moveTo(11);
    await mouse.move(2, 2, { steps: 5 });
    await mouse.up();
    const chosen = laptop.page.getByRole('gridcell', { selected: true });
    const count = await chosen.count();
    expect(count).toBeGreaterThan(1);
    await moveTo(25);
    await moveTo(26);
    await expect(chosen).toHaveCount(count);
  },
);
