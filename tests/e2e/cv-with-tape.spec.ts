import { readFile } from 'node:fs/promises';
import { extractText, getDocumentProxy } from 'unpdf';
import { scriptPdf } from '../support/script-pdf.ts';
import { expectAccessible, expectAccessibleInBothSchemes } from './support/axe.ts';
import { ask, FILM, makeRole } from './support/casting.ts';
import { makePerson, makeProfile } from './support/people.ts';
import { expect, test } from './support/test.ts';

const OWN_PHONE = '+91 22222 22222';

test(
  'makes a CV without signal for a tape, which the side that casts opens beside the takes',
  { tag: '@full' },
  async ({ server, person, newDevice, ownPhone: phone }) => {
    const performer = await makePerson(server.url);
    await makeProfile(person, { title: 'Casting director' });
    const profile = await makeProfile(performer, { title: 'Actor', location: 'Pune' });
    await performer.call('POST', '/skills', { profile_id: profile.id, name: 'Kathak', level: 3 });
    await performer.call('POST', '/contact', {
      profile_id: profile.id,
      contact_type: 'basic',
      name: 'Ila',
      mobile: OWN_PHONE,
      email: 'ila@example.com',
      address: '12 Karve Road',
    });
    const role = await makeRole(person);
    const request = await ask(person, role.id, profile.id);
    await phone.signInForOffline(performer);
    // The code and the fonts are stored when a CV is first made.
    await phone.open('/cv');
    await expect(phone.page.getByText('Made on this')).toBeVisible();
    await phone.page.getByText('Anyone', { exact: true }).click();
    await phone.open(`/auditions/${request.id}`);
    await expect(phone.page.getByRole('button', { name: 'Send a tape' })).toBeVisible();

    await server.stop();
    // The page is another one after the browser was killed.
    const sheet = () => phone.page.getByRole('dialog');
    const cv = () => sheet().getByRole('group', { name: 'Your CV' });
    await phone.page.getByRole('button', { name: 'Send a tape' }).click();
    await phone.page.getByTestId('takes').setInputFiles(FILM);
    await expect(sheet().getByRole('button', { name: /^Send \d/ })).toBeVisible();
    // One that was made elsewhere, which the one that is made here takes the place of.
    await phone.page.getByTestId('cv').setInputFiles({
      name: 'Long.pdf',
      mimeType: 'application/pdf',
      buffer: await scriptPdf(21),
    });
    await expect(cv()).toContainText('21 pages,');
    await sheet()
      .getByRole('button', { name: /^Send \d/ })
      .click();
    await expect(sheet().getByText('Long.pdf has 21 pages, and 20 are the most.')).toBeVisible();
    await cv().getByRole('button', { name: 'Remove Long.pdf' }).click();
    await cv().getByRole('link', { name: 'Add your CV' }).click();
    await expect(phone.page.getByText('Made on this')).toBeVisible();
    await expect(phone.page.getByRole('radio', { name: 'Anyone' })).toHaveCount(0);
    await expect(phone.page.getByRole('switch', { name: 'Add my own phone and e-mail' })).not.toBeChecked();
    await expectAccessible(phone.page);
    await phone.page.getByRole('button', { name: `Add to the tape for ${role.name}` }).click();
    await expect(cv()).toContainText('1 page,');
    // The form keeps it when the browser is killed.
    await phone.close();
    await phone.relaunch();
    await phone.open(`/auditions/${request.id}`);
    await phone.page.getByRole('button', { name: 'Send a tape' }).click();
    await expect(cv()).toContainText('1 page,');
    await expectAccessibleInBothSchemes(phone.page);
    await sheet()
      .getByRole('button', { name: /^Send \d/ })
      .click();
    await expect(phone.page.getByRole('heading', { name: 'Finished in time' })).toBeVisible();
    await expect(phone.page.getByText(`${performer.name} CV`, { exact: true })).toBeVisible();

    await server.start();
    await expect(phone.page.getByText(`with ${person.name}`)).toBeVisible({ timeout: 60_000 });
    await expect(phone.page.getByRole('button', { name: `Open ${performer.name} CV` })).toBeVisible();
    await phone.open('/cv');
    await expect(phone.page.getByRole('radio', { name: 'Anyone' })).toBeChecked();

    const desk = await newDevice({ shape: 'desktop' });
    await desk.signInForOffline(person);
    await desk.open(`/casting/roles/${role.id}`);
    // This browser shows no PDFs, so a tap saves them.
    const save = async (name: string) => {
      const saved = desk.page.waitForEvent('download');
      await desk.page.getByRole('button', { name, exact: true }).click();
      return new Uint8Array(await readFile(await (await saved).path()));
    };
    await save(`CV of ${performer.name}`);
    await expectAccessible(desk.page);
    await desk.page.getByRole('button', { name: `Open the tape by ${performer.name}, new` }).click();
    const pdf = await save(`Open ${performer.name} CV`);
    await expectAccessible(desk.page);
    const { text } = await extractText(await getDocumentProxy(pdf), { mergePages: true });
    expect(text).toContain(performer.name);
    expect(text).toContain('Kathak (expert)');
    // The choice for other CVs was not "Casting", for which the city is printed.
    expect(text).toContain('Pune');
    for (const hidden of [OWN_PHONE, 'ila@example.com', 'Karve Road']) expect(text).not.toContain(hidden);
  },
);
