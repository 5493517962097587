import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import type { Media } from '#contract/records/media.ts';
import { useTwoPerformers } from './support/files.ts';
import * as files from './support/media-files.ts';
import { photoCalls } from './support/photos.ts';
import * as pictures from './support/pictures.ts';

const testServer = useTwoPerformers();
const { expectNoChange } = photoCalls(testServer);

interface Answer {
  status: string;
  message?: string;
  files: Media[];
  errors?: Record<string, string[]>;
}

async function upload(sent: [bytes: Uint8Array, name: string][], fields: Record<string, string> = {}, headers = {}) {
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  for (const [bytes, name] of sent) form.append('files[]', new Blob([new Uint8Array(bytes)]), name);
  const answer = await fetch(`${testServer.url}/media/upload`, {
    method: 'POST',
    headers: { accept: 'application/json', authorization: `Bearer ${testServer.nell.token}`, ...headers },
    body: form,
  });
  return { status: answer.status, headers: answer.headers, body: (await answer.json()) as Answer };
}

const validate = (sent: object[]) =>
  testServer.call<Answer>('POST /media/validate', { token: testServer.nell.token, body: { files: sent } });

describe('gallery page', () => {
  test('uploads files of all kinds, detected by content, together with links', async () => {
    const { cursor } = (await testServer.call('GET /sync', { token: testServer.nell.token })).body;
    const { status, body } = await upload(
      [
        [await pictures.png(30, 20), 'On stage.mp3'],
        [files.mp4(), 'Reel.2026.MP4'],
        [files.pdf(), 'cv'],
        [files.ogg(), 'voice.ogg'],
        [files.docx(), 'letter.docx'],
        [files.m4a(), 'memo.m4a'],
        // Many recorders store sound in an MP4 of the brand isom.
        [files.m4a({ brand: 'isom' }), 'recorder.mp4'],
      ],
      { youtube_urls: JSON.stringify(['', ' https://youtu.be/dQw4w9WgXcQ ', 'youtube.com/watch?v=abcdefghijk']) },
    );
    expect([status, body.status]).toEqual([201, 'success']);
    expect(body.files.map(({ media_type, name, format }) => [media_type, name, format])).toEqual([
      ['image', 'On stage', 'png'],
      ['video', 'Reel.2026', 'mp4'],
      ['document', 'cv', 'pdf'],
      ['audio', 'voice', 'ogg'],
      ['document', 'letter', 'docx'],
      ['audio', 'memo', 'm4a'],
      ['audio', 'recorder', 'm4a'],
      ['youtube', 'YouTube video', null],
      ['youtube', 'YouTube video', null],
    ]);
    expect(body.files[7]?.path).toBe('https://www.youtube.com/watch?v=dQw4w9WgXcQ');
    expect(body.files.every((each) => each.profile_id === testServer.nell.profileId)).toBe(true);
    const pulled = await testServer.call<{ records: { id: string }[] }>(`GET /sync?cursor=${String(cursor)}`, {
      token: testServer.nell.token,
    });
    expect(pulled.body.records.map(({ id }) => id)).toEqual(body.files.map(({ id }) => id));
  });

  test('creates a repeated upload under the same key once', async () => {
    const key = { 'idempotency-key': randomUUID() };
    const send = async () => upload([[await pictures.jpeg(12, 12), 'once.jpg']], {}, key);
    const [first, second] = [await send(), await send()];
    expect(second.body).toEqual(first.body);
    expect([second.status, second.headers.get('idempotency-replayed')]).toEqual([201, 'true']);
  });

  test('stores all files or none and reports an error per file', async () => {
    await expectNoChange(async () => {
      const { status, body } = await upload([
        [await pictures.jpeg(9, 9), 'good.jpg'],
        [new Uint8Array(), 'empty.jpg'],
        [Buffer.from('MZ a program'), 'photo.jpg'],
        [files.pdf('4 0 obj\n<< /S /JavaScript >>\nendobj\n'), 'cv.pdf'],
      ]);
      expect([status, body.errors]).toEqual([
        422,
        {
          'File 2': ['This file is empty'],
          'File 3': [expect.stringMatching(/^Only \.jpg, \.jpeg, \.png, \.mp4, .* and \.pdf files$/)],
          'File 4': ['This PDF contains scripts or other files. Print it to a new PDF and add that'],
        },
      ]);
    });
  });

  test.each([
    ['https://vimeo.com/1', { youtube_urls: ['Send a JSON list of lines'] }],
    ['{"a":1}', { youtube_urls: ['Send a JSON list of lines'] }],
    ['[1]', { youtube_urls: ['Send a JSON list of lines'] }],
    [
      '["https://youtu.be/dQw4w9WgXcQ","https://vimeo.com/1"]',
      { youtube_urls: ['Link 2: This is not a YouTube link'] },
    ],
    ['["javascript:alert(1)//youtu.be/dQw4w9WgXcQ"]', { youtube_urls: ['Link 1: This is not a YouTube link'] }],
    [JSON.stringify(Array(7).fill('https://youtu.be/dQw4w9WgXcQ')), { youtube_urls: ['Send at most 6 videos'] }],
    ['[]', { files: ['No files uploaded!'] }],
  ])('rejects the links %s', async (youtube_urls, errors) => {
    await expectNoChange(async () => {
      const { status, body } = await upload([], { youtube_urls });
      expect([status, body.errors]).toEqual([422, errors]);
    });
  });

  test('limits the number of files of each kind', async () => {
    const recording = files.wav(1);
    const sent = Array.from({ length: 7 }, (_, n): [Buffer, string] => [recording, `${n}.wav`]);
    await expectNoChange(async () => {
      const { status, body } = await upload(sent);
      expect([status, body.errors]).toEqual([422, { 'File 7': ['Send at most 6 recordings'] }]);
    });
  });

  test.each([
    ['../../../etc/cron.d/evil.php', 'evil'],
    ['C:\\Users\\nell\\me.jpg', 'me'],
    ['photo\u202egpj.exe', 'photogpj'],
    ['.jpg', 'Photo'],
    ['\u202e', 'Photo'],
    ['x'.repeat(300) + '.jpg', 'x'.repeat(150)],
    ['Ä😀 മലയാളം\u200d.jpeg', 'Ä😀 മലയാളം\u200d'],
    ['<script>alert(1)<!--.png', '<script>alert(1)<!--'],
  ])('derives the title of a file named %j', async (name, title) => {
    const { status, body } = await upload([[await pictures.jpeg(9, 9), name]]);
    expect([status, body.files?.[0]?.name]).toEqual([201, title]);
    expect(body.files[0]?.path).toMatch(/^\/storage\/[0-9a-f]{32}\.jpg$/);
  });
});

describe('validation before the upload', () => {
  test('accepts files within the limits', async () => {
    const { status, body } = await validate([
      { name: 'a.jpg', size: 10 * 1024 * 1024, type: 'image/jpeg' },
      { name: 'b.MOV', size: 5, type: '' },
      { name: 'c.wav', size: 5, type: 'audio/x-wav' },
    ]);
    expect([status, body]).toEqual([200, { status: 'success' }]);
  });

  test('reports an error for each invalid file', async () => {
    const { status, body } = await validate([
      { name: 'a.jpg', size: 10 * 1024 * 1024 + 1, type: 'image/jpeg' },
      { name: 'b.gif', size: 5, type: 'image/gif' },
      { name: 'c.pdf', size: 0, type: 'application/pdf' },
      ...Array.from({ length: 6 }, (_, n) => ({ name: `${n}.docx`, size: 5, type: '' })),
    ]);
    expect([status, body]).toEqual([
      422,
      {
        status: 'error',
        message: 'Some files failed validation. Check errors below.',
        errors: {
          'File 1': ['Max 10 MB files are allowed'],
          'File 2': [expect.stringMatching(/^Only \.jpg, /)],
          'File 3': ['This file is empty'],
          'File 9': ['Send at most 6 documents'],
        },
      },
    ]);
  });
});
