import { row } from './support/actions.ts';
import { letWorkAtDesk, queryDatabase } from './support/desk-worker.ts';
import { makePerson } from './support/people.ts';
import { expect, test } from './support/test.ts';

const COUNT = 53;

/** Adds reports, and suspensions with an appeal, that are older than those of other tests. */
const ADD_REPORTS = `insert into reports (reported_id, reason, text, created_at)
  select $1, 'spam', 'Report ' || n, timestamptz '2020-01-01' + n * interval '1 minute' from generate_series(1, ${COUNT}) n`;
const ADD_APPEALS = `with added as (
    insert into restrictions (user_id, kind, target_type, target_id, reason, words, act_id, created_at)
    select $1, 'hidden', 'message', 1000000 + n, 'spam', 'No spam.', 0, now() from generate_series(1, ${COUNT}) n returning id, target_id)
  insert into appeals (restriction_id, text, at) select id, 'Appeal ' || target_id - 1000000, now() from added order by target_id`;

// Other tests of this server look for their reports among the first 50.
test.afterEach(async ({ server }) => {
  await queryDatabase(server, `delete from appeals where text like 'Appeal %'`, []);
  await queryDatabase(server, `delete from restrictions where target_id > 1000000`, []);
  await queryDatabase(server, `delete from reports where created_at < '2021-01-01'`, []);
});

test(
  'shows the reports and appeals after the first 50, and says when they could not be loaded',
  { tag: '@full' },
  async ({ person, server, phone }) => {
    const reported = await makePerson(server.url, { name: 'Rohan Lamba' });
    await letWorkAtDesk(server, person);
    await queryDatabase(server, ADD_REPORTS, [reported.id]);
    await queryDatabase(server, ADD_APPEALS, [reported.id]);
    const { page } = phone;
    await phone.signInAs(person);
    await phone.open('/desk');
    const rows = row(page, reported.name);
    await expect(rows).toHaveCount(50);
    const isTooWide = () => page.evaluate(() => document.documentElement.scrollWidth > innerWidth);
    expect(await isTooWide()).toBe(false);

    phone.allowBrowserError(/ERR_FAILED/);
    await page.route('**/desk/reports?*', (route) => route.abort());
    await page.getByRole('button', { name: 'Show more reports' }).click();
    await expect(page.getByRole('alert').filter({ hasText: 'The rest could not be loaded.' })).toBeVisible();
    await expect(rows).toHaveCount(50);
    await page.unroute('**/desk/reports?*');
    await page.getByRole('button', { name: 'Try again' }).click();
    await expect(rows).toHaveCount(COUNT);

    await page.getByRole('button', { name: /^Appeals/ }).click();
    await expect(page.getByText('Appeal 1', { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Show more appeals' }).click();
    await expect(page.getByText(`Appeal ${COUNT}`, { exact: true })).toBeVisible();
    await page.getByRole('button', { name: 'Answer Rohan Lamba' }).last().click();
    await page.getByRole('dialog').getByLabel('What Rohan Lamba reads').fill('It stays hidden.');
    await page.getByRole('dialog').getByRole('button', { name: 'Send' }).click();
    await expect(page.getByText(`Appeal ${COUNT}`, { exact: true })).toHaveCount(0);
    await expect(page.getByText(`Appeal ${COUNT - 1}`, { exact: true })).toBeVisible();
    expect(await isTooWide()).toBe(false);
  },
);

test(
  'comes back from a report to the same place in the list, with the focus on it',
  { tag: '@full' },
  async ({ person, server, phone }) => {
    const reported = await makePerson(server.url, { name: 'Rohan Lamba' });
    await letWorkAtDesk(server, person);
    await queryDatabase(server, ADD_REPORTS, [reported.id]);
    await queryDatabase(server, `update reports set state = 'closed' where created_at < '2021-01-01'`, []);
    const { page } = phone;
    await phone.signInAs(person);
    await phone.open('/desk');
    await page.getByRole('button', { name: /^Closed/ }).click();
    const rows = row(page, reported.name);
    await expect(rows).toHaveCount(50);
    await page.getByRole('button', { name: 'Show more reports' }).click();
    await expect(rows).toHaveCount(COUNT);
    const link = rows.nth(COUNT - 3).getByRole('link');
    await link.scrollIntoViewIfNeeded();
    const place = await page.evaluate(() => scrollY);
    expect(place).toBeGreaterThan(1000);
    await link.click();
    await expect(page.getByRole('heading', { level: 1 })).toHaveText('Spam or advertising');
    await page.getByRole('button', { name: 'Back' }).click();
    await expect(rows).toHaveCount(COUNT);
    await expect(link).toBeFocused();
    await expect.poll(() => page.evaluate(() => scrollY)).toBe(place);
  },
);
