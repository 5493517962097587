import { docx, mp4, pdf, wav } from '../../server/support/media-files.ts';
import type { Person } from './people.ts';
import { picture } from './pictures.ts';

interface SentFile {
  name: string;
  type: string;
  bytes: Buffer;
}

export interface StoredMedium {
  id: string;
  name: string;
  /** Path of the file, or the URL of a link. */
  path: string;
  position: number | null;
  is_hidden: boolean;
  is_primary: boolean;
  is_saved: 0 | 1;
}

/** Adds media by API, as the form would, and returns the first item. A link among the fields replaces the files. */
export async function submitMedia(
  person: Person,
  url: string,
  fields: Record<string, string>,
  ...files: SentFile[]
): Promise<StoredMedium> {
  const form = new FormData();
  for (const [key, value] of Object.entries(fields)) form.append(key, value);
  for (const { bytes, type, name } of files) form.append('files[]', new Blob([new Uint8Array(bytes)], { type }), name);
  const answer = await fetch(`${url}/submit/media-form`, {
    method: 'POST',
    headers: { Accept: 'application/json', Authorization: `Bearer ${person.token}` },
    body: form,
  });
  const body = (await answer.json()) as { files?: StoredMedium[] };
  if (answer.status !== 201 || !body.files?.[0])
    throw new Error(`Submitting the media form was answered ${JSON.stringify(body)}`);
  return body.files[0];
}

export async function addPhoto(person: Person, url: string, profileId: string, name: string, color = '#b5651d') {
  const { buffer } = await picture('photo.jpg', 640, 800, color);
  return submitMedia(
    person,
    url,
    { profile_id: profileId, media_type: 'image', name },
    { name: 'photo.jpg', type: 'image/jpeg', bytes: buffer },
  );
}

export function addVideo(person: Person, url: string, profileId: string, name: string, fields = {}) {
  return submitMedia(
    person,
    url,
    { profile_id: profileId, media_type: 'video', name, ...fields },
    { name: 'scene.mp4', type: 'video/mp4', bytes: mp4({ seconds: 134 }) },
  );
}

export function addYouTube(person: Person, url: string, profileId: string, name: string) {
  const fields = { profile_id: profileId, media_type: 'video', name, youtube_url: 'https://youtu.be/dQw4w9WgXcQ' };
  return submitMedia(person, url, fields);
}

export function addRecording(person: Person, url: string, profileId: string, name: string, seconds = 12, fields = {}) {
  return submitMedia(
    person,
    url,
    { profile_id: profileId, media_type: 'audio', name, ...fields },
    { name: 'voice.wav', type: 'audio/wav', bytes: wav(seconds) },
  );
}

export function addDocument(
  person: Person,
  url: string,
  profileId: string,
  name: string,
  kind: 'pdf' | 'docx' = 'pdf',
) {
  const file =
    kind === 'pdf'
      ? { name: 'cv.pdf', type: 'application/pdf', bytes: pdf() }
      : {
          name: 'cv.docx',
          type: 'application/vnd.openxmlformats-officedocument.wordprocessingml.document',
          bytes: docx(),
        };
  return submitMedia(person, url, { profile_id: profileId, media_type: 'document', name }, file);
}
