import { scriptPdf } from '../support/script-pdf.ts';
import { expectAccessible } from './support/axe.ts';
import { inTwoWeeks, makeRole } from './support/casting.ts';
import { getProfilePath, makePerson, makeProfile } from './support/people.ts';
import { expect, test } from './support/test.ts';

test(
  'asks with a PDF without signal, which the performer has on the phone before opening the request',
  { tag: '@full' },
  async ({ server, person, newDevice, ownPhone: phone }) => {
    const performer = await makePerson(server.url);
    await makeProfile(person, { title: 'Casting director' });
    const profile = await makeProfile(performer, { title: 'Actor' });
    const role = await makeRole(person);
    const desk = await newDevice({ shape: 'desktop' });
    const { page } = desk;
    await desk.signInForOffline(person);
    await desk.open(await getProfilePath(performer, profile.id));
    await expect(page.getByRole('heading', { name: performer.name })).toBeVisible();
    await desk.open(`/casting/roles/${role.id}/ask`);
    await expect(page.getByRole('button', { name: 'Add sides as PDF' })).toBeVisible();

    await server.stop();
    const pick = async (name: string, pages: number) =>
      page.getByTestId('sides').setInputFiles({ name, mimeType: 'application/pdf', buffer: await scriptPdf(pages) });
    await page.getByRole('button', { name: 'Choose performers' }).click();
    await page.getByLabel(performer.name).check();
    await page.getByRole('button', { name: 'Done' }).click();
    await page.getByLabel('Due').fill(inTwoWeeks().slice(0, 16));
    await pick('Scene_14.pdf', 9);
    await expect(page.getByText('9 pages,')).toBeVisible();
    await expect(page.getByRole('heading', { name: /^9 pages of sides/ })).toBeVisible();
    await page.getByRole('button', { name: 'Remove Scene_14.pdf' }).click();
    await expect(page.getByText('All rules are kept')).toBeVisible();
    await pick('Scene_14.pdf', 3);
    await expect(page.getByText('3 pages,')).toBeVisible();
    // The form keeps the file when it is left.
    await page.getByRole('button', { name: 'Keep as draft' }).click();
    await page.getByRole('link', { name: 'Ask performers to tape' }).click();
    await expect(page.getByText('3 pages,')).toBeVisible();
    await expectAccessible(page);
    await page.getByRole('button', { name: 'Send to 1 performer' }).click();
    await expect(page.getByText('1 request on the way')).toBeVisible();

    await server.start();
    await phone.signInForOffline(performer);
    await phone.open('/notifications');
    // Nobody opens the request until there is no signal any more.
    await expect(phone.page.getByRole('link', { name: /^Open / })).toBeVisible({ timeout: 60_000 });
    const isKept = () => phone.page.evaluate(async () => (await (await caches.open('kept-media')).keys()).length);
    await expect.poll(isKept, { timeout: 30_000 }).toBe(1);
    await server.stop();
    await phone.close();
    await phone.relaunch();
    await phone.open('/auditions');
    await phone.page.getByRole('link', { name: new RegExp(role.name) }).click();
    const sides = phone.page.getByRole('list', { name: 'Sides' });
    await expect(sides).toContainText('Scene 14');
    await expect(sides).toContainText('3 pages,');
    await expect(sides).toContainText('On this phone');
    await expectAccessible(phone.page);
    const [tab] = await Promise.all([
      phone.context.waitForEvent('page'),
      sides.getByRole('button', { name: 'Open Scene 14' }).click(),
    ]);
    await tab.waitForURL(/^blob:/);
    expect(await tab.evaluate(() => document.contentType)).toBe('application/pdf');
  },
);
