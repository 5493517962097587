import { enter } from './support/acts.ts';
import { addDocument, addPhoto, addRecording, addVideo, addYouTube } from './support/media-scenes.ts';
import { addressOf, makeProfile } from './support/people.ts';
import { test } from './support/test.ts';
test('look', async ({ server, person, newDevice }) => {
  test.setTimeout(120000);
  const url = server.url;
  const profileId = String((await makeProfile(person, { title: 'Voice and screen' })).id);
  for (const [n, c] of [['Headshot','#7a4b3a'],['On stage','#2e4057'],['Rehearsal','#66a182'],['A name so long that it does not fit','#e0e0e0']] as const) await addPhoto(person, url, profileId, n, c);
  await addVideo(person, url, profileId, 'The Long Monsoon', { category_type: 'Drama', role: 'Ira' });
  await addYouTube(person, url, profileId, 'Midnight Local');
  await addRecording(person, url, profileId, 'Warm narration', 12, { category_type: 'Narration', voice_age: '26 to 34' });
  await addRecording(person, url, profileId, 'Radio spot', 20);
  await addDocument(person, url, profileId, 'CV in two pages for casting');
  await addDocument(person, url, profileId, 'Review', 'docx');
  const address = await addressOf(person, profileId);
  for (const [shape, scheme, w] of [['phone','light',390],['phone','dark',320],['desktop','light',1280]] as const) {
    const d = await newDevice({ shape, colorScheme: scheme });
    const { page } = d;
    await page.setViewportSize({ width: w, height: 900 });
    await d.open(address); await page.getByRole('slider').first().waitFor();
    await page.screenshot({ path: `/tmp/look-pv/viewer-${w}.png`, fullPage: true });
    await enter(page, person); await page.getByRole('slider').first().waitFor();
    await page.screenshot({ path: `/tmp/look-pv/own-${w}.png`, fullPage: true });
    await d.open('/media'); await page.getByRole('slider').first().waitFor();
    await page.screenshot({ path: `/tmp/look-pv/media-${w}.png`, fullPage: true });
    await page.getByRole('button', { name: /^Headshot/ }).first().click();
    await page.getByRole('dialog').waitFor();
    await page.screenshot({ path: `/tmp/look-pv/box-${w}.png` });
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: /Midnight/ }).first().click();
    await page.getByRole('dialog').waitFor();
    await page.screenshot({ path: `/tmp/look-pv/yt-${w}.png` });
  }
});
