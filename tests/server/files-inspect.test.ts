import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { inspect } from '#server/features/media/inspect/inspect.ts';
import { FileRefused } from '#server/features/media/inspect/refused.ts';
import { HOSTILE } from './support/hostile-files.ts';
import { aac, avi, doc, docx, m4a, mp3, mp4, ogg, packedObject, pdf, wav } from './support/media-files.ts';

type Kind = Parameters<typeof inspect>[1];

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'callboard-inspect-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));

async function look(bytes: Buffer, kind: Kind) {
  const file = path.join(folder, 'a-file');
  await writeFile(file, bytes);
  return inspect(file, kind);
}

describe('is taken by its content', () => {
  test.each<[string, Kind, Buffer, object]>([
    ['an MP4', 'video', mp4({ seconds: 3 }), { extension: 'mp4', durationSeconds: 3, width: 640, height: 360 }],
    ['one filmed upright', 'video', mp4({ isTurned: true }), { width: 360, height: 640 }],
    ['a QuickTime film', 'video', mp4({ brand: 'qt  ' }), { extension: 'mov', type: 'video/quicktime', width: 640 }],
    ['an AVI', 'video', avi(), { extension: 'avi', durationSeconds: 3, width: 640, height: 360 }],
    ['an MP4 that was streamed to disk', 'video', mp4({ seconds: 0 }), { durationSeconds: null, width: 640 }],
    ['an MP3', 'audio', mp3(), { extension: 'mp3', type: 'audio/mpeg' }],
    ['a WAV', 'audio', wav(), { extension: 'wav', durationSeconds: 2 }],
    ['an AAC', 'audio', aac(), { extension: 'aac', type: 'audio/aac' }],
    ['a voice memo', 'audio', m4a(), { extension: 'm4a', type: 'audio/mp4', durationSeconds: 2 }],
    ['a voice memo in a plain MP4', 'audio', m4a({ brand: 'isom' }), { extension: 'm4a', type: 'audio/mp4' }],
    ['a voice memo of unknown length', 'audio', m4a({ seconds: 0 }), { extension: 'm4a', durationSeconds: null }],
    ['an Ogg', 'audio', ogg(), { extension: 'ogg', durationSeconds: 2 }],
    ['a PDF', 'document', pdf(), { extension: 'pdf', type: 'application/pdf' }],
    ['a PDF with packed objects', 'document', pdf(packedObject('/Type /ObjStm', '<< /Type /Font >>')), {}],
    ['a Word document', 'document', docx(), { extension: 'docx' }],
    ['a Word document of old', 'document', doc(), { extension: 'doc', type: 'application/msword' }],
  ])('%s', async (_, kind, bytes, facts) => {
    expect(await look(bytes, kind)).toMatchObject(facts);
  });

  test.each([
    ['mp3', mp3(2)],
    ['aac', aac(2)],
  ])('the length of an %s is counted by its frames', async (_, bytes) => {
    expect((await look(bytes, 'audio')).durationSeconds).toBeCloseTo(2, 1);
  });
});

test('what a video tells of the place it was filmed at is found', async () => {
  const bytes = mp4({ place: '+18.9750+072.8258/' });
  const { hidden } = await look(bytes, 'video');
  const told = hidden.map(({ offset, length }) => bytes.toString('latin1', offset, offset + length));
  expect(told).toEqual([expect.stringContaining('+18.9750+072.8258/')]);
});

describe('is refused in words', () => {
  test.each(HOSTILE)('%s', async (_, kind, bytes, words) => {
    const looking = look(bytes, kind);
    await expect(looking).rejects.toThrow(FileRefused);
    await expect(looking).rejects.toThrow(words);
  });
});

test('a Word document with a long word in its relations keeps nobody waiting', async () => {
  const relations = `<Relationships>${'attachedTemplate'.repeat(250_000)}</Relationships>`;
  expect(await look(docx({ 'word/_rels/settings.xml.rels': relations }), 'document')).toMatchObject({
    extension: 'docx',
  });
});

test.each(['video', 'audio', 'document'] as const)(
  'what our own disk does not give is not called damaged: %s',
  async (kind) => {
    await expect(inspect(path.join(folder, 'not-there'), kind)).rejects.toThrow('ENOENT');
  },
);
