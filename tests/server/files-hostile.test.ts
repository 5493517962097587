import { expect, test } from 'vitest';
import { isFull } from '../support/quantity.ts';
import { tus, useTwoPerformers } from './support/files.ts';
import { HOSTILE } from './support/hostile-files.ts';
import { photo, photoCalls } from './support/photos.ts';
import * as pictures from './support/pictures.ts';

const testServer = useTwoPerformers();
const { attach, fields, expectNoChange, submit, upload } = photoCalls(testServer);

interface Hostile {
  name: string;
  kind: string;
  make: () => Promise<Uint8Array>;
  error: RegExp | string;
}

const FILES: Hostile[] = [
  ...pictures.hostileFiles.map((each) => ({ ...each, kind: 'image' })),
  ...HOSTILE.map(([name, kind, bytes, error]) => ({ name, kind, error, make: () => Promise.resolve(bytes) })),
];

/** File names given by the sender; none of them may have an effect. */
const NAMES = [
  '../../../etc/cron.d/evil.php\u0000.jpg',
  'C:\\Windows\\System32\\evil.exe',
  'reel\u202e4pm.exe',
  '..%2f..%2fevil.mp4',
  '/storage/00000000000000000000000000000000.html',
  'CON.pdf',
  `${'very '.repeat(1000)}long.docx`,
  '\ufeff\u200b.mp3',
];

test('has more than forty distinct hostile files', () => {
  expect(FILES.length).toBeGreaterThan(40);
  expect(new Set(FILES.map(({ name, kind }) => `${kind} ${name}`)).size).toBe(FILES.length);
});

test.each(FILES.map((file, n) => ({ ...file, called: NAMES[n % NAMES.length] ?? '' })))(
  'rejects $name sent as $kind, by form and as an upload, and stores nothing',
  async ({ kind, make, error, called }) => {
    const bytes = await make();
    const text = typeof error === 'string' ? error : expect.stringMatching(error);
    const what = fields({ media_type: kind, name: called.replaceAll('\u0000', '').slice(0, 100) });
    await expectNoChange(async () => {
      const { status, body } = await submit([...what, photo(bytes, called)]);
      expect([status, body.errors]).toEqual([422, { 'files[]': [text] }]);
    });
    if (bytes.length === 0) {
      expect((await tus(testServer.url, testServer.nell).create(crypto.randomUUID(), 0)).status).toBe(422);
      return;
    }
    const id = await upload(bytes);
    await expectNoChange(async () => {
      const { status, body } = await attach({ ...Object.fromEntries(what), upload_ids: [id] });
      expect([status, body.errors]).toEqual([422, { files: [text] }]);
    });
    // The sender can still read and delete the rejected upload.
    expect((await tus(testServer.url, testServer.nell).remove(id)).status).toBe(204);
  },
);

/** The gallery detects the type by content, so these files are accepted there. */
const FINE_BY_CONTENT = new Set([
  'a PDF as a recording',
  'a recording as a video',
  'a video as a recording',
  'a voice memo as a video',
]);

/** The gallery runs the same inspection as the forms above, so one file of each kind is enough by default. */
const forGallery = FILES.filter(({ name }) => !FINE_BY_CONTENT.has(name)).filter(
  ({ kind }, n, all) => isFull || all.findIndex((each) => each.kind === kind) === n,
);

test.each(forGallery)('rejects $name ($kind) on the gallery page', async ({ make }) => {
  const form = new FormData();
  form.append('files[]', new Blob([new Uint8Array(await make())]), 'on-stage.jpg');
  await expectNoChange(async () => {
    const answer = await fetch(`${testServer.url}/media/upload`, {
      method: 'POST',
      headers: { authorization: `Bearer ${testServer.nell.token}` },
      body: form,
    });
    const { errors } = (await answer.json()) as { errors: object };
    expect([answer.status, errors]).toEqual([422, { 'File 1': [expect.stringMatching(/^(Only|This) /)] }]);
  });
});
