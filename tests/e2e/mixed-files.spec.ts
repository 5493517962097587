import { mp4, wav } from '../server/support/media-files.ts';
import { expectAllSaved, card } from './support/actions.ts';
import { expectAccessible } from './support/axe.ts';
import { makeProfile } from './support/people.ts';
import { picture } from './support/pictures.ts';
import { expect, test } from './support/test.ts';

test(
  'uploads files of every kind and links together, online and offline',
  { tag: '@full' },
  async ({ server, person, phone }) => {
    const { id } = await makeProfile(person);
    await phone.signInForOffline(person);
    await phone.open('/media');
    const { page } = phone;
    const here = card(page, 'Add files and links');
    await here.getByRole('button', { name: 'Upload' }).click();
    await expect(here).toContainText('No files uploaded!');
    await here
      .getByTestId('gallery-picker')
      .setInputFiles([
        await picture('stage.jpg', 320, 400),
        { name: 'notes.txt', mimeType: 'text/plain', buffer: Buffer.from('call at six') },
      ]);
    await here.getByRole('button', { name: 'Upload' }).click();
    await expect(here).toContainText('Some files failed validation. Check errors below.');
    await expect(here.getByRole('listitem').filter({ hasText: 'File 2' })).toContainText('files');
    await expectAccessible(page);
    await here.getByRole('button', { name: 'Remove File 2, notes.txt' }).click();
    await here.getByLabel(/^YouTube links/).fill('https://youtu.be/dQw4w9WgXcQ');
    // Both outlast the page.
    await expect(here.getByRole('button', { name: 'Upload' })).toBeEnabled();
    await page.reload();
    await expect(here.getByLabel(/^YouTube links/)).toHaveValue('https://youtu.be/dQw4w9WgXcQ');
    await expect(here.getByRole('listitem')).toHaveText(/File 1: stage\.jpg/);
    await here.getByRole('button', { name: 'Upload' }).click();
    await expect(here).toContainText('Saved Successfully!');

    await server.stop();
    await here.getByTestId('gallery-picker').setInputFiles([
      { name: 'reel.mp4', mimeType: 'video/mp4', buffer: mp4() },
      { name: 'voice.wav', mimeType: 'audio/wav', buffer: wav() },
    ]);
    await expect(here.getByRole('listitem')).toHaveCount(2);
    await here.getByRole('button', { name: 'Upload' }).click();
    await expect(here).toContainText('Saved on this phone. It will send when you’re back online.');
    // What is queued does not come back into the form.
    await phone.open('/media');
    await expect(here.getByRole('button', { name: 'Upload' })).toBeVisible();
    await expect(here.getByRole('listitem')).toHaveCount(0);
    await server.start();
    await expectAllSaved(page);
    const counts = { '/media': 1, '/media/video': 2, '/media/audio': 1 };
    for (const [list, count] of Object.entries(counts)) {
      const { body } = await person.call<unknown[]>('GET', `${list}?profile_id=${id}`);
      expect([list, body.length]).toEqual([list, count]);
    }
  },
);

test(
  'keeps a link that is typed while the server is asked about the files',
  { tag: '@full' },
  async ({ person, phone }) => {
    await makeProfile(person);
    await phone.signInForOffline(person);
    await phone.open('/media');
    const { page } = phone;
    const here = card(page, 'Add files and links');
    const links = here.getByLabel(/^YouTube links/);
    let answer: () => void = () => undefined;
    const isTyped = new Promise<void>((resolve) => (answer = resolve));
    await page.route('**/media/validate', async (route) => {
      await isTyped;
      await route.fallback();
    });
    await here.getByTestId('gallery-picker').setInputFiles([await picture('stage.jpg', 320, 400)]);
    await links.fill('https://youtu.be/dQw4w9WgXcQ');
    const asked = page.waitForRequest('**/media/validate');
    await here.getByRole('button', { name: 'Upload' }).click();
    await asked;
    await links.fill('https://youtu.be/dQw4w9WgXcQ\nhttps://youtu.be/aqz-KE-bpKQ');
    answer();
    await expect(here).toContainText('Saved Successfully!');
    await expect(here.getByRole('listitem')).toHaveCount(0);
    await expect(links).toHaveValue('https://youtu.be/aqz-KE-bpKQ');
  },
);
