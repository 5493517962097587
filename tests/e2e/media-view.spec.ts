import { card, enter } from './support/acts.ts';
import { expectAccessible } from './support/axe.ts';
import { addDocument, addPhoto, addRecording, addVideo, addYouTube } from './support/media-scenes.ts';
import { addressOf, makeProfile, type Person } from './support/people.ts';
import { expect, test } from './support/test.ts';

interface Scene {
  profileId: string;
  address: string;
}

/** A portfolio with something of every kind. */
async function makePortfolio(person: Person, url: string): Promise<Scene> {
  const profileId = String((await makeProfile(person, { title: 'Voice and screen' })).id);
  await addPhoto(person, url, profileId, 'Headshot', '#7a4b3a');
  await addPhoto(person, url, profileId, 'On stage', '#2e4057');
  await addPhoto(person, url, profileId, 'Rehearsal', '#66a182');
  await addVideo(person, url, profileId, 'The Long Monsoon', { category_type: 'Drama', role: 'Ira' });
  await addYouTube(person, url, profileId, 'Midnight Local');
  await addRecording(person, url, profileId, 'Warm narration', 12, {
    category_type: 'Narration',
    voice_age: '26 to 34',
  });
  await addRecording(person, url, profileId, 'Radio spot', 20);
  await addDocument(person, url, profileId, 'CV in two pages for casting');
  return { profileId, address: await addressOf(person, profileId) };
}

test('tabs show each kind, by keyboard and by Back', async ({ server, person, newDevice }) => {
  await makePortfolio(person, server.url);
  const device = await newDevice({ shape: 'desktop' });
  const { page } = device;
  await enter(page, person);
  const media = card(page, 'Media');
  await expect(media.getByRole('tab')).toHaveText(['Full 8', 'Photos 3', 'Videos 2', 'Audios 2', 'Docs 1']);
  await expect(media.getByRole('region', { name: 'Docs' })).toBeVisible();

  await media.getByRole('tab', { name: 'Full 8' }).focus();
  await page.keyboard.press('ArrowRight');
  await expect(media.getByRole('tab', { name: 'Photos 3' })).toBeFocused();
  await expect(media.getByRole('region')).toHaveCount(1);
  await expect(page).toHaveURL(/[?&]tab=photos/);
  await page.keyboard.press('End');
  await expect(media.getByRole('link', { name: /^CV in two pages for casting/ })).toHaveAttribute('rel', 'noopener');
  await page.goBack();
  await expect(media.getByRole('tab', { name: 'Photos 3' })).toHaveAttribute('aria-selected', 'true');
  await page.goBack();
  await expect(media.getByRole('region')).toHaveCount(4);
});

for (const [shape, colorScheme] of [
  ['phone', 'light'],
  ['desktop', 'dark'],
] as const) {
  test(`the portfolio shuts nobody out: ${shape}, ${colorScheme}`, async ({ server, person, newDevice }) => {
    const { address } = await makePortfolio(person, server.url);
    const device = await newDevice({ shape, colorScheme });
    const { page } = device;
    const shows = async () => {
      await expect(page.getByRole('slider', { name: 'Seek in Warm narration' })).toBeVisible();
      await expectAccessible(page);
      expect(await page.evaluate(() => document.documentElement.scrollWidth - innerWidth)).toBe(0);
    };
    await device.open(address);
    await shows();
    await enter(page, person);
    await shows();
    await device.open('/media');
    await shows();
  });
}
