import { expectAllSaved, card, openAdd, save, sheet } from './support/actions.ts';
import { makeProfile } from './support/people.ts';
import { expect, test } from './support/test.ts';

const SINGER = '👩\u200d🎤';

test(
  'cuts a paste at the limit, also in the middle of a text, and stores what the counter shows',
  { tag: '@full' },
  async ({ person, newDevice }) => {
    const { id } = await makeProfile(person);
    const device = await newDevice();
    const { page } = device;
    await device.context.grantPermissions(['clipboard-read', 'clipboard-write']);
    await device.signInAs(person);
    await device.open('/');
    await openAdd(page, 'About me');
    const form = sheet(page, 'About me');
    const box = form.getByRole('textbox');
    const paste = async (words: string) => {
      await page.evaluate((text) => navigator.clipboard.writeText(text), words);
      await page.keyboard.press('Control+V');
    };

    await box.fill('e\u0301 first, last');
    await expect(form.getByText('14 of 500')).toBeVisible();
    for (let left = 'last'.length; left > 0; left -= 1) await page.keyboard.press('ArrowLeft');
    await paste(SINGER.repeat(200));
    await expect(form.getByText('500 of 500, no room for more')).toBeVisible();
    // 486 code points at three per singer; the text after the cursor is unchanged.
    const kept = `e\u0301 first, ${SINGER.repeat(162)}last`;
    await expect(box).toHaveValue(kept);
    // The cursor is at the end of the pasted text.
    await page.keyboard.press('Backspace');
    await page.keyboard.insertText('!');
    await page.keyboard.insertText('?');
    await expect(box).toHaveValue(`e\u0301 first, ${SINGER.repeat(161)}!?last`);
    await expect(form.getByText('1 left')).toBeVisible();
    await page.keyboard.insertText(SINGER);
    await save(page, 'About me');
    await expectAllSaved(page);
    const expected = `e\u0301 first, ${SINGER.repeat(161)}!?👩last`;
    await expect(card(page, 'About me')).toContainText(expected);
    expect((await person.call('GET', `/profile/aboutme/${id}`)).body).toMatchObject({ description: expected });
    expect([...expected]).toHaveLength(500);
  },
);
