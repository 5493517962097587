import { beforeAll, expect, test } from 'vitest';
import { MEDIA_KINDS } from '#contract/media-kinds.ts';
import { testRejections, type HostileCase } from './support/rejections.ts';
import { addPhoto, addProfile, addUpload } from './support/people.ts';
import { useTestServer, type Person } from './support/test-server.ts';

const testServer = useTestServer();
let token = '';
const ids = { profile: '', photo: '', upload: '', otherProfile: '', otherUpload: '' };

beforeAll(async () => {
  const person = await testServer.join();
  const other: Person = await testServer.join('Rohan Mistry');
  token = person.token;
  ids.profile = (await addProfile(testServer, person)).id;
  ids.photo = (await addPhoto(testServer, person, ids.profile)).id;
  ids.upload = await addUpload(testServer, person);
  ids.otherProfile = (await addProfile(testServer, other)).id;
  ids.otherUpload = await addUpload(testServer, other);
});

const toLabel = (value: unknown) => JSON.stringify(value)?.slice(0, 40);

const submit = (name: string, value: unknown, status = 422, named: string | null = name): HostileCase => [
  `submitted ${name} = ${toLabel(value)}`,
  () => ({
    route: 'POST /submit/media-form',
    body: { profile_id: ids.profile, media_type: 'image', name: 'On stage', upload_ids: [ids.upload], [name]: value },
  }),
  status,
  named,
];
const link = (name: string, value: unknown, named: string = name): HostileCase => [
  `linked ${name} = ${toLabel(value)}`,
  () => ({
    route: 'POST /submit/media-form',
    body: {
      profile_id: ids.profile,
      media_type: 'video',
      name: 'A',
      youtube_url: 'https://youtu.be/dQw4w9WgXcQ',
      [name]: value,
    },
  }),
  422,
  named,
];
const edit = (name: string, value: unknown, status = 422): HostileCase => [
  `edited ${name} = ${toLabel(value)}`,
  () => ({ route: `PUT /media/${ids.photo}`, body: { [name]: value } }),
  status,
  status === 422 ? name : null,
];
const gallery = (name: string, value: unknown, named: string = name): HostileCase => [
  `gallery ${name} = ${toLabel(value)}`,
  () => ({
    route: 'POST /media/upload',
    body: { profile_id: ids.profile, youtube_urls: ['https://youtu.be/dQw4w9WgXcQ'], [name]: value },
  }),
  422,
  named,
];
const validate = (name: string, files: unknown, named: string): HostileCase => [
  `validated: ${name}`,
  () => ({ route: 'POST /media/validate', body: { files } }),
  422,
  named,
];
const at = (name: string, route: string, status: number): HostileCase => [name, () => ({ route }), status, null];
const cursor = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

const photo = () => ({ profile_id: ids.profile, media_type: 'image', name: 'On stage', upload_ids: [ids.upload] });

const CASES: readonly HostileCase[] = [
  [
    "submitted to somebody else's profile",
    () => ({ route: 'POST /submit/media-form', body: { ...photo(), profile_id: ids.otherProfile } }),
    403,
    null,
  ],
  [
    "submitted with somebody else's upload",
    () => ({ route: 'POST /submit/media-form', body: { ...photo(), upload_ids: [ids.upload, ids.otherUpload] } }),
    422,
    'upload_ids',
  ],
  [
    "moved to somebody else's profile",
    () => ({ route: `PUT /media/${ids.photo}`, body: { profile_id: ids.otherProfile } }),
    403,
    null,
  ],
  [
    "uploaded to somebody else's gallery",
    () => ({
      route: 'POST /media/upload',
      body: { profile_id: ids.otherProfile, youtube_urls: ['https://youtu.be/dQw4w9WgXcQ'] },
    }),
    403,
    null,
  ],
  ...['hologram', 'youtube', '__proto__', 'constructor', null, 7, ['image'], {}].map((value) =>
    submit('media_type', value),
  ),
  ...['', ' ', 'a\0b', 'half \ud800 pair', 'x'.repeat(151), '🎭'.repeat(151), null, 7, [], {}, true].map((value) =>
    submit('name', value),
  ),
  ...['x'.repeat(501), 'a\0b', 7, ['a'], {}].map((value) => submit('keywords', value)),
  ...['999999', '0', '-1', '1.0', 'Theatre', '__proto__', 'x'.repeat(65), 1.5, [1], {}].map((value) =>
    submit('project_type', value),
  ),
  ...['', 'x'.repeat(65), null, [], {}].map((value) => submit('profile_id', value)),
  ...['999999', '9'.repeat(30), '-1', '0x1'].map((value) => submit('profile_id', value, 404, null)),
  ...['not a uuid', 7, null, []].map((value) => submit('client_id', value)),
  submit('upload_ids', 'all of them'),
  submit('upload_ids', [crypto.randomUUID()]),
  submit('upload_ids', Array(11).fill(crypto.randomUUID())),
  submit(
    'upload_ids',
    Array.from({ length: 10_000 }, () => crypto.randomUUID()),
  ),
  submit('upload_ids', ['../../etc/passwd'], 422, 'upload_ids.0'),
  submit('upload_ids', [null], 422, 'upload_ids.0'),
  submit('upload_ids', [], 422, 'files'),
  ...[-1, 86_401, 1e308, 'long', '-1', 'NaN', '1e3', true, [1]].map((value) => submit('duration', value)),
  ...['loud', 7, {}, Array(201).fill(0)].map((value) => submit('peaks', value)),
  ...[[2], [-1], [null], ['1']].map((value) => submit('peaks', value, 422, 'peaks.0')),
  ...['not base64!', 7, {}, 'A'.repeat(400_004)].map((value) => submit('poster', value)),
  ...[7, {}, 'https://vimeo.com/1', 'javascript:alert(1)//youtu.be/dQw4w9WgXcQ', 'x'.repeat(2001), 'a\0b'].map(
    (value) => link('youtube_url', value),
  ),
  link('poster', 'AAAA'),
  ...['2025-13', '2025-5', '1899-01', '9999-01', '2025-05-01', 202_505, {}].map((value) => link('month_year', value)),
  ...['', ' ', 'a\0b', '\udc00', 'x'.repeat(151), null, 7, {}].map((value) => edit('name', value)),
  ...['999999', '-1', {}, [], true].map((value) => edit('project_type', value)),
  ...[-1, 1.5, 1_000_001, 1e308, Number.MAX_SAFE_INTEGER, '3', [], {}, true].map((value) => edit('position', value)),
  ...['true', 1, [], {}, null].map((value) => edit('is_hidden', value)),
  ...['true', 1, [], {}, null].map((value) => edit('is_primary', value)),
  ...['', [], {}, null, 1.5].map((value) => edit('profile_id', value)),
  edit('profile_id', '999999', 404),
  ...['[', '{}', '["https://vimeo.com/1"]', 7, {}, [7], Array(101).fill('a'), '['.repeat(10_000), '\0'].map((value) =>
    gallery('youtube_urls', value),
  ),
  gallery('youtube_urls', [], 'files'),
  ...['', 'x'.repeat(65), [], {}, 1.5].map((value) => gallery('profile_id', value)),
  validate('not a list', 'all', 'files'),
  validate('too many', Array(101).fill({ name: 'a.jpg', size: 1, type: '' }), 'files'),
  validate('not a file', [7], 'files.0'),
  validate('no name', [{ size: 1, type: '' }], 'files.0.name'),
  validate('a name of a thousand and one', [{ name: 'x'.repeat(1001), size: 1, type: '' }], 'files.0.name'),
  validate('a negative size', [{ name: 'a.jpg', size: -1, type: '' }], 'files.0.size'),
  validate('an infinite size', [{ name: 'a.jpg', size: 1e308, type: '' }], 'files.0.size'),
  validate('a size over the limit', [{ name: 'a.jpg', size: Number.MAX_SAFE_INTEGER, type: '' }], 'File 1'),
  ...['constructor', 'toString', '__proto__', 'hasOwnProperty'].map((type) =>
    validate(`the type ${type}`, [{ name: 'a.exe', size: 1, type }], 'File 1'),
  ),
  ...['abc', '-1', '9'.repeat(30), '0x1', '1e0', '%00', "1'%20or%20'1'='1"].flatMap((id) => [
    at(`an edit of ${id}`, `PUT /media/${id}`, 404),
    at(`a deletion of ${id}`, `DELETE /media/${id}`, 404),
    at(`saving ${id}`, `POST /media/${id}/save`, 404),
    at(`unsaving ${id}`, `POST /media/${id}/unsave`, 404),
    at(`a link to ${id}`, `GET /media/${id}/link`, 404),
  ]),
  ...MEDIA_KINDS.flatMap(({ list: { path }, plural }) => [
    at(`${plural} of an unknown profile`, `GET ${path}?profile_id=999999`, 404),
    at(`${plural} of an invalid profile`, `GET ${path}?profile_id=%F0%9F%8E%AD`, 404),
    at(`${plural} of a NUL`, `GET ${path}?profile_id=%00`, 422),
    at(`${plural} of two profiles`, `GET ${path}?profile_id=1&profile_id=2`, 422),
    at(`${plural} of an unknown period`, `GET ${path}?period=century`, 422),
  ]),
  at('saved media with an empty cursor', 'GET /media/saved?cursor=', 422),
  at('saved media with an invalid cursor', `GET /media/saved?cursor=${cursor({ at: 'x', id: 1 })}`, 422),
  at(
    'saved media with a cursor of the year 0',
    `GET /media/saved?cursor=${cursor({ at: '0000-01-01T00:00:00Z', id: 1 })}`,
    422,
  ),
  at(
    'saved media with a cursor with half an id',
    `GET /media/saved?cursor=${cursor({ at: '2026-01-01T00:00:00Z', id: 0.5 })}`,
    422,
  ),
  at('saved media with an invalid limit', 'GET /media/saved?limit=many', 422),
  at('a file without a name', 'GET /storage/%00', 404),
  at('a file outside the store', 'GET /storage/..%2f..%2fetc%2fpasswd', 404),
  at('a file with a forged signature', `GET /storage/${'0'.repeat(32)}.jpg?expires=99999999999&signature=AA`, 404),
  at('a file with two expiry times', `GET /storage/${'0'.repeat(32)}.jpg?expires=1&expires=2`, 422),
];

testRejections(testServer, () => token, CASES, [
  'media',
  'saved_media',
  'stored_files',
  'uploads',
  'idempotency_keys',
  'sync_records',
]);

test('ignores an unknown field that cannot be converted to text', async () => {
  const stray = { stray: { toString: 1, valueOf: 1 } };
  const answer = await testServer.call('POST /submit/media-form', {
    token,
    body: { profile_id: ids.profile, media_type: 'image', name: 'On stage', upload_ids: [ids.upload], ...stray },
  });
  expect(answer.status).toBe(201);
});
