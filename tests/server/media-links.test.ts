import { expect, test } from 'vitest';
import type { Media } from '#contract/records/media.ts';
import { addPhoto } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';
import { viewerCalls } from './support/viewers.ts';

const testServer = useTestServer();
const { change, get, addPerformer, getStatus } = viewerCalls(testServer);

const HOUR_MS = 60 * 60 * 1000;

const linkTo = (person: Person, photo: Media) =>
  get<{ url: string; expires_at: string }>(`GET /media/${photo.id}/link`, person);

const getFilePaths = (photo: Media) => [
  photo.path,
  photo.thumb_path ?? '',
  ...photo.renditions.map(({ path }) => path),
];

/** Returns the statuses of all files of a photo for a person. */
const getStatuses = async (photo: Media, person?: Person) =>
  new Set(await Promise.all(getFilePaths(photo).map((path) => getStatus(`GET ${path}`, person))));

test.each(['inactive', 'hidden'])(
  'serves the files of an %s photo only to its owner and to holders of a link',
  async (what) => {
    const [owner, viewer] = [await addPerformer(), await addPerformer()];
    const photo = await addPhoto(testServer, owner, owner.profileId);
    const another = await addPhoto(testServer, owner, owner.profileId);
    expect([await getStatuses(photo), await getStatuses(photo, viewer)]).toEqual([new Set([200]), new Set([200])]);

    if (what === 'inactive') await change(owner, owner.profileId, { status: 'inactive' });
    else await testServer.call(`PUT /media/${photo.id}`, { token: owner.token, body: { is_hidden: true } });
    expect([await getStatuses(photo), await getStatuses(photo, viewer), await getStatuses(photo, owner)]).toEqual([
      new Set([404]),
      new Set([404]),
      new Set([200]),
    ]);

    const { url, expires_at } = await linkTo(owner, photo);
    expect(Date.parse(expires_at) - testServer.clock.now().getTime()).toBe(HOUR_MS);
    expect([await getStatus(`GET ${url}`), await getStatus(`GET ${url}`, viewer)]).toEqual([200, 200]);
    const part = await testServer.call(`GET ${url}`, { headers: { range: 'bytes=0-9' } });
    expect([part.status, part.headers['content-length']]).toEqual([206, '10']);

    // The link is valid for this file and this hour only, and only unaltered.
    const query = url.slice(url.indexOf('?'));
    const later = query.replace(/expires=(\d+)/, (_, at: string) => `expires=${Number(at) + 1}`);
    for (const forged of [
      `${photo.thumb_path}${query}`,
      `${photo.path}${later}`,
      `${photo.path}${query.replace(/signature=.*/, 'signature=')}`,
      `${photo.path}${query.slice(0, -2)}`,
      `${photo.path}?expires=99999999999&signature=${'A'.repeat(43)}`,
      `${photo.path}?expires=x&expires=y`,
    ]) {
      const status = await getStatus(`GET ${forged}`);
      expect([forged, [404, 422].includes(status)]).toEqual([forged, true]);
    }
    if (what === 'inactive') expect(await getStatus(`GET ${another.path}${query}`)).toBe(404);
    else expect(await getStatuses(another)).toEqual(new Set([200]));

    testServer.clock.advance(HOUR_MS - 1000);
    expect(await getStatus(`GET ${url}`)).toBe(200);
    testServer.clock.advance(1000);
    expect(await getStatus(`GET ${url}`)).toBe(404);
  },
);

test('rejects a link after the file is deleted', async () => {
  const owner = await addPerformer();
  const photo = await addPhoto(testServer, owner, owner.profileId);
  const { url } = await linkTo(owner, photo);
  await testServer.call(`DELETE /media/${photo.id}`, { token: owner.token });
  expect(await getStatus(`GET ${url}`)).toBe(404);
});

test('has no link for an external video', async () => {
  const owner = await addPerformer();
  const sent = await testServer.call<{ files: Media[] }>('POST /submit/media-form', {
    token: owner.token,
    body: {
      profile_id: owner.profileId,
      media_type: 'video',
      name: 'Reel',
      youtube_url: 'https://youtu.be/dQw4w9WgXcQ',
    },
  });
  expect(await getStatus(`GET /media/${sent.body.files[0]?.id}/link`, owner)).toBe(404);
});
