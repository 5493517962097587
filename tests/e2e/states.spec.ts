import {
  addCredit,
  addPhotos,
  addSkill,
  card,
  chooseFromRowMenu,
  openWaiting,
  pill,
  row,
  save,
  sheet,
} from './support/actions.ts';
import { expectAccessibleInBothSchemes } from './support/axe.ts';
import { makeProfile } from './support/people.ts';
import { picture } from './support/pictures.ts';
import { rewriteQueuedChange } from './support/client-store.ts';
import { expect, test } from './support/test.ts';

// By default every-state.spec.ts looks at the same screens.
for (const shape of ['phone', 'desktop'] as const) {
  test(
    `every sync state is accessible in light and dark mode: ${shape}`,
    { tag: '@full' },
    async ({ person, server, newDevice }) => {
      const { id } = await makeProfile(person, { title: 'Stage and screen actor', location: 'Pune' });
      const months = { start_month: 3, start_year: 2024, end_month: 3, end_year: 2024 };
      const credit = async (experience_title: string) => {
        const row = { profile_id: id, experience_type: 'Theatre', experience_title, details: 'Meera', ...months };
        const { body } = await person.call<{ data: { id: string } }>('POST', '/profile/experience', row);
        return `/profile/experience/${body.data.id}`;
      };
      const changed = await credit('Paper Boats');
      const deleted = await credit('The Long Monsoon');
      const device = await newDevice({ shape });
      const { page } = device;
      device.allowBrowserError(/ERR_INTERNET_DISCONNECTED|status of 4(04|12|22)/);
      await device.signInForOffline(person);

      await device.context.setOffline(true);
      await addSkill(page, 'Kathak', 'Expert');
      await addPhotos(page, [await picture('a.jpg', 320, 400)], 'On stage');
      for (const title of ['Paper Boats', 'The Long Monsoon']) {
        await chooseFromRowMenu(page, row(card(page, 'Credits'), title), 'Edit');
        await sheet(page, 'Edit credit')
          .getByLabel('Role')
          .fill('Meera, who waits for the rain and does not speak of it');
        await save(page, 'Edit credit');
      }
      await expect(pill(page)).toHaveText('4 waiting');
      await expect(page.getByRole('complementary', { name: 'Notices' })).toContainText('No signal.');
      await expectAccessibleInBothSchemes(page);
      await openWaiting(page);
      await expect(page.getByRole('heading', { level: 1 })).toContainText('4 changes, all safe on this');
      await expectAccessibleInBothSchemes(page);

      await rewriteQueuedChange(page, 'skill', { level: 9 }, 0);
      await person.call('PUT', changed, { details: 'Young Meera' });
      await person.call('DELETE', deleted);
      await device.context.setOffline(false);
      await expect(pill(page)).toHaveText('3 need you', { timeout: 20_000 });
      await expect(row(page, 'On stage')).toContainText('Saved');
      await expectAccessibleInBothSchemes(page);

      await page.getByRole('button', { name: 'Choose a version' }).click();
      const chooser = sheet(page, 'Which one is right?');
      await expectAccessibleInBothSchemes(page);
      await chooser.getByRole('radio', { name: /Other version/ }).check();
      await expectAccessibleInBothSchemes(page);
      await page.keyboard.press('Escape');
      await expect(chooser).toHaveCount(0);

      await page.getByRole('button', { name: 'Fix it' }).click();
      await expect(sheet(page, 'Edit skill')).toContainText('What you typed is safe.');
      await expectAccessibleInBothSchemes(page);
      await page.keyboard.press('Escape');
      await expect(sheet(page, 'Edit skill')).toHaveCount(0);

      await device.open('/');
      await expect(card(page, 'Credits').getByText('Needs you')).toHaveCount(2);
      await expectAccessibleInBothSchemes(page);
      await server.stop();
      await addCredit(page, { project: 'Night bus', role: 'Driver' });
      await expect(row(card(page, 'Credits'), 'Night bus')).toContainText(/On this (phone|computer)/);
      await expectAccessibleInBothSchemes(page);
    },
  );
}
