import { makePerson, makeProfile, type Person } from '../tests/e2e/support/people.ts';
import { LIMITS } from '#contract/limits.ts';
import type { Media } from '#contract/records/media.ts';
import { photographs, type Photograph, type Shape } from './photographs.ts';

const CONCURRENCY = 2;

/** Photos as the form sends them. */
async function submit(url: string, { token }: Person, profileId: string, files: Photograph[]): Promise<Media[]> {
  const form = new FormData();
  form.set('profile_id', profileId);
  form.set('media_type', 'image');
  form.set('name', 'On stage');
  for (const { name, mimeType, buffer } of files) {
    form.append('files[]', new Blob([new Uint8Array(buffer)], { type: mimeType }), name);
  }
  const answer = await fetch(`${url}/submit/media-form`, {
    method: 'POST',
    headers: { accept: 'application/json', authorization: `Bearer ${token}` },
    body: form,
  });
  if (answer.status !== 201) throw new Error(`Photos were answered ${answer.status}: ${await answer.text()}`);
  return ((await answer.json()) as { files: Media[] }).files;
}

/** Adds a person with a profile and a portfolio of distinct photos, uploaded through the API. */
export async function makePhotographer(
  url: string,
  count: number,
  shape: Shape,
): Promise<{ person: Person; photos: Media[] }> {
  const person = await makePerson(url);
  const profileId = String((await makeProfile(person, { title: 'Actor', location: 'Nagpur' })).id);
  const files = await photographs(count, shape);
  const photos: Media[] = [];
  const work = async () => {
    while (files.length > 0) {
      photos.push(...(await submit(url, person, profileId, files.splice(0, LIMITS.photosPerPick))));
    }
  };
  await Promise.all(Array.from({ length: CONCURRENCY }, work));
  return { person, photos };
}
