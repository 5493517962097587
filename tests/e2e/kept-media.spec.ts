import { mp4, wav } from '../server/support/media-files.ts';
import { card } from './support/acts.ts';
import { addressOf, makePerson, makeProfile, type Person } from './support/people.ts';
import { expect, test } from './support/test.ts';

/** Adds a file to a portfolio by call; answers where it lies. */
async function addFile(url: string, person: Person, profileId: string, kind: string, name: string, bytes: Buffer) {
  const form = new FormData();
  form.set('profile_id', profileId);
  form.set('media_type', kind);
  form.set('name', name);
  form.set('files[]', new Blob([Uint8Array.from(bytes)]), name);
  const headers = { Accept: 'application/json', Authorization: `Bearer ${person.token}` };
  const answer = await fetch(`${url}/submit/media-form`, { method: 'POST', headers, body: form });
  expect(answer.status).toBe(201);
  const { files } = (await answer.json()) as { files: { path: string }[] };
  return files[0]!.path;
}

test('a page kept offline has its films and recordings without a server, until they are let go', async ({
  server,
  person,
  newDevice,
}) => {
  const owner = await makePerson(server.url);
  const profileId = String((await makeProfile(owner)).id);
  const film = await addFile(server.url, owner, profileId, 'video', 'reel.mp4', mp4());
  const reel = await addFile(server.url, owner, profileId, 'audio', 'reel.wav', wav());
  await makeProfile(person);
  const device = await newDevice({ ownBrowser: true });
  await device.settleIn(person);
  await device.open(await addressOf(owner, profileId));
  await device.page.getByRole('button', { name: `Share ${owner.name}` }).click();
  await device.page.getByRole('switch', { name: 'Keep offline' }).click();
  await expect(device.page.getByText(/with its media, until you let it go/)).toBeVisible();
  await expect(device.page.getByRole('progressbar')).toHaveCount(0);

  await server.stop();
  await device.close();
  await device.relaunch();
  await device.open('/settings');
  const { page } = device;
  const bytesOf = (path: string) =>
    page.evaluate(async (at) => {
      const answer = await fetch(at, { headers: { Range: 'bytes=0-3' } });
      return [answer.status, (await answer.arrayBuffer()).byteLength];
    }, path);
  expect(await bytesOf(film)).toEqual([206, 4]);
  expect(await bytesOf(reel)).toEqual([206, 4]);

  const kept = card(page, 'Kept on this phone');
  await expect(kept).toContainText('in 2 files');
  await kept.getByText('100 MB').click();
  await kept.getByRole('button', { name: 'Let it all go' }).click();
  await page.getByRole('button', { name: 'Let go' }).click();
  await expect(kept).toContainText('Nothing is kept yet.');
  await page.reload();
  await expect(kept.getByRole('radio', { name: '100 MB' })).toBeChecked();
  await expect(bytesOf(film)).rejects.toThrow(/Failed to fetch/);
});
