import { randomUUID } from 'node:crypto';
import type { Media } from '#contract/records/media.ts';
import { jpeg } from './pictures.ts';
import type { Person, TestServer } from './test-server.ts';

interface Row {
  id: string;
  version: number;
}

export const CREDIT = {
  experience_type: 'Theatre',
  experience_title: 'The Winter Bench',
  details: 'Kamala',
  start_month: 1,
  start_year: 2024,
  end_month: 3,
  end_year: 2024,
};

/** Adds a profile to a person. @param type index in the list of profile types */
export async function addProfile(
  testServer: TestServer,
  person: Person,
  type = 0,
  stageName = person.name,
): Promise<Row> {
  const types = await testServer.call<{ id: string }[]>('GET /profile_types');
  const answer = await testServer.call<{ data: Row }>('POST /profile', {
    token: person.token,
    body: { profile_type_id: types.body[type]?.id, stage_name: stageName },
  });
  if (answer.status !== 201) throw new Error(`Profile not created: ${answer.text}`);
  return answer.body.data;
}

export async function addCredit(
  testServer: TestServer,
  person: Person,
  profileId: string,
  fields: object = {},
): Promise<Row> {
  const answer = await testServer.call<{ data: Row }>('POST /profile/experience', {
    token: person.token,
    headers: { 'idempotency-key': randomUUID() },
    body: { profile_id: profileId, ...CREDIT, ...fields },
  });
  if (answer.status !== 201) throw new Error(`Credit not created: ${answer.text}`);
  return answer.body.data;
}

export async function addSkill(
  testServer: TestServer,
  person: Person,
  profileId: string,
  name = 'Kathak',
): Promise<Row> {
  const answer = await testServer.call<{ data: Row }>('POST /skills', {
    token: person.token,
    body: { profile_id: profileId, name, level: 2 },
  });
  if (answer.status !== 201) throw new Error(`Skill not created: ${answer.text}`);
  return answer.body.data;
}

const TUS = { 'tus-resumable': '1.0.0' };

/** Uploads a small photo for a person, or only creates the upload when a length is given. */
export async function addUpload(
  testServer: TestServer,
  { token }: Person,
  announced?: { lengthBytes: number },
): Promise<string> {
  const id = randomUUID();
  const bytes = await jpeg(60, 40);
  const length = String(announced?.lengthBytes ?? bytes.length);
  const begun = await testServer.call('POST /uploads', {
    token,
    headers: { ...TUS, 'upload-length': length, 'upload-metadata': `id ${btoa(id)}` },
  });
  if (begun.status !== 201) throw new Error(`Upload not created: ${begun.text}`);
  if (announced) return id;
  const headers = { ...TUS, 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' };
  const sent = await testServer.call(`PATCH /uploads/${id}`, { token, headers, body: bytes });
  if (sent.status !== 204) throw new Error(`Not uploaded: ${sent.text}`);
  return id;
}

export async function addPhoto(
  testServer: TestServer,
  person: Person,
  profileId: string,
  name = 'On stage',
): Promise<Media> {
  const answer = await testServer.call<{ files: [Media] }>('POST /submit/media-form', {
    token: person.token,
    body: { profile_id: profileId, media_type: 'image', name, upload_ids: [await addUpload(testServer, person)] },
  });
  if (answer.status !== 201) throw new Error(`Photo not created: ${answer.text}`);
  return answer.body.files[0];
}

/** Sends a connection request. @returns the id of the request */
export async function requestConnection(testServer: TestServer, sender: Person, receiver: Person): Promise<string> {
  const requested = await testServer.call<{ data: Row }>(`POST /connections/request/${receiver.id}`, {
    token: sender.token,
  });
  if (requested.status !== 201) throw new Error(`Request not created: ${requested.text}`);
  return requested.body.data.id;
}

/** Connects two people. The receiver needs an active profile. @returns the id of the connection */
export async function connect(testServer: TestServer, sender: Person, receiver: Person): Promise<string> {
  const id = await requestConnection(testServer, sender, receiver);
  const accepted = await testServer.call(`POST /connections/accept/${id}`, { token: receiver.token });
  if (accepted.status !== 200) throw new Error(`Not accepted: ${accepted.text}`);
  return id;
}

export async function block(testServer: TestServer, blocker: Person, blocked: Person): Promise<void> {
  const answer = await testServer.call(`POST /blocks/${blocked.id}`, { token: blocker.token });
  if (answer.status !== 200) throw new Error(`Not blocked: ${answer.text}`);
}
